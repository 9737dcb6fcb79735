import { describe, expect, it } from 'vitest';
import { BLANK_RECORD } from '../blank-record.ts';
import type { LogRecord } from '../record.ts';
import { MAX_NAMES_PER_PLACE, MAX_OWN_COLUMNS, ObservedColumns } from './observed-columns.ts';

const MOMENT = '2026-01-01T00:00:00.000000Z';

function record(run_id: string, facts: Partial<LogRecord> = {}): LogRecord {
  const ids = { id: 'i', project_id: 'p', run_id, trace_id: 'i', session_id: 'i' };
  return { ...BLANK_RECORD, ...ids, type: 'trace', created_at: MOMENT, updated_at: MOMENT, ...facts };
}

const names = (count: number, word: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${word}${at}`, 'x']));
const ownIn = (seen: ObservedColumns, ...records: LogRecord[]) =>
  seen.unknownIn(records).filter(({ column_id }) => column_id.includes('/'));

describe('columns seen in records', () => {
  it('are made of the first names in each place of a record, and of no more', () => {
    const many = names(MAX_NAMES_PER_PLACE + 1, 'n');
    const found = ownIn(new ObservedColumns(), record('r', { user_metadata: many, dataset_metadata: many }));
    const last = `n${MAX_NAMES_PER_PLACE - 1}`;
    expect(found).toHaveLength(2 * MAX_NAMES_PER_PLACE);
    expect(found.map(({ column_id }) => column_id)).toEqual(
      expect.arrayContaining([`user_metadata/${last}`, `dataset_metadata/${last}`]),
    );
  });

  it('are no more than a run may have, of however many records at once', () => {
    const records = Array.from({ length: 20 }, (_, at) => record('r', { user_metadata: names(300, `${at}-`) }));
    const seen = new ObservedColumns();
    const found = ownIn(seen, ...records, record('other', { metrics: { m: 1 } }));
    expect(found.filter(({ run_id }) => run_id === 'r')).toHaveLength(MAX_OWN_COLUMNS);
    expect(found.filter(({ run_id }) => run_id === 'other')).toHaveLength(1);
    seen.remember(found);
    expect(ownIn(seen, record('r', { user_metadata: { another: 'x' } }))).toEqual([]);
  });

  it('count once, however often they are remembered', () => {
    const seen = new ObservedColumns();
    const known = seen.unknownIn([record('r', { user_metadata: names(300, 'n') })]);
    for (let times = 0; times < 10; times += 1) seen.remember(known);
    expect(ownIn(seen, record('r', { user_metadata: { another: 'x' } }))).toHaveLength(1);
    expect(seen.unknownIn([record('r', { user_metadata: { n1: 'x' } })])).toEqual([]);
  });

  it('are forgotten of runs long past, so that the names of many runs cannot fill the memory', () => {
    const seen = new ObservedColumns();
    const full = (at: number) =>
      Array.from({ length: 4 }, (_, part) => record(`run ${at}`, { user_metadata: names(500, `${part}-`) }));
    for (let at = 0; at < 101; at += 1) seen.remember(seen.unknownIn(full(at)));
    expect(seen.unknownIn(full(100))).toEqual([]);
    expect(ownIn(seen, ...full(0))).toHaveLength(MAX_OWN_COLUMNS);
  });
});
