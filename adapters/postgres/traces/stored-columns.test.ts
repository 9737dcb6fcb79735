import { describe, expect, it } from 'vitest';
import { BLANK_RECORD } from '../../../core/traces/blank-record.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { toStoredPayload } from './record-row.ts';
import { RECORD_COLUMNS, rowJson } from './stored-columns.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const MOMENT = '2026-01-02T03:04:05Z';
const record = (facts: Partial<LogRecord>): LogRecord => ({
  ...BLANK_RECORD,
  ...{ id: ID, project_id: ID, run_id: ID, trace_id: ID, session_id: ID, type: 'trace', created_at: MOMENT, updated_at: MOMENT },
  ...facts,
});
const OBJECT = { role: 'user', content: 'hi' };

describe('the columns that a record is stored in', () => {
  it.each([
    ['input', 1],
    ['output', 2],
    ['redacted_input', 4],
    ['redacted_output', 8],
  ] as const)('mark %s as JSON text by the bit that rows written long ago have: %i', (name, bit) => {
    expect(JSON.parse(rowJson(record({ [name]: OBJECT }))).payload_kinds).toBe(bit);
    const row = { input: null, output: null, redacted_input: null, redacted_output: null, payload_kinds: bit };
    expect(toStoredPayload({ ...row, [name]: JSON.stringify(OBJECT) }, name)).toEqual(OBJECT);
  });

  it('begin in the order of the type that the first version wrote', () => {
    expect(Object.keys(RECORD_COLUMNS).slice(0, 8).join()).toBe(
      'project_id,id,run_id,trace_id,parent_id,session_id,type,is_trace',
    );
  });
});
