import { describe, expect, it } from 'vitest';
import { BLANK_RECORD } from '../../core/traces/blank-record.ts';
import { COMMON_FIELD_NAMES, commonField, OWN_FIELD_NAMES, ownField } from '../../core/traces/catalogue/record-fields.ts';
import { FLAT } from '../../core/traces/ingest/ingest-schema.ts';
import { toFixture } from './fixture.ts';

const view = (fields: object) => ({
  ...BLANK_RECORD,
  id: 'a',
  project_id: 'p',
  run_id: 'r',
  metric_info: {},
  files: null,
  ...fields,
});

describe('a record as a fixture', () => {
  it('has what was sent, with all spans below it, and nothing of the place where it lies', () => {
    const tool = view({ type: 'tool', name: 'look', input: 'x', output: '', status_code: 500, tool_call_id: 'call_1' });
    const llm = view({
      type: 'llm',
      name: 'say',
      input: [{ role: 'user', content: 'Hi' }],
      model: 'large',
      tools: [],
      spans: [tool],
    });
    const trace = view({
      type: 'trace',
      name: 'ask',
      input: 'Hi',
      metrics: { cost: 0.5 },
      tags: ['a'],
      session_id: 's',
      spans: [llm],
    });
    expect(JSON.parse(toFixture(trace))).toEqual({
      ...{ type: 'trace', name: 'ask', input: 'Hi', metrics: { cost: 0.5 }, tags: ['a'] },
      spans: [
        {
          ...{ type: 'llm', name: 'say', input: [{ role: 'user', content: 'Hi' }], model: 'large' },
          spans: [{ type: 'tool', name: 'look', input: 'x', output: '', status_code: 500, tool_call_id: 'call_1' }],
        },
      ],
    });
  });

  it('keeps every field that may be sent, and no other', () => {
    const names = [...COMMON_FIELD_NAMES, ...OWN_FIELD_NAMES];
    const every = Object.fromEntries(names.map((name) => [name, 'x']));
    const kept = Object.keys(JSON.parse(toFixture(every)));
    const sent = [
      ...COMMON_FIELD_NAMES.filter((name) => name === 'type' || commonField(name).kind === 'payload' || commonField(name).sent),
      ...OWN_FIELD_NAMES.filter((name) => ownField(name).sent),
    ];
    expect(kept).toEqual(sent.filter((name) => name !== 'id' && name !== 'session_id'));
  });

  it('is taken by what takes traces', () => {
    const trace = view({
      type: 'trace',
      name: 'ask',
      input: 'Hi',
      created_at: '2026-11-10T08:00:00.000Z',
      metrics: { duration_ns: 5 },
    });
    expect(FLAT.trace.safeParse(JSON.parse(toFixture(trace))).success).toBe(true);
  });

  it('of spans within spans without end costs no stack', () => {
    let deep: object = view({ type: 'tool' });
    for (let depth = 0; depth < 300; depth += 1) deep = view({ type: 'agent', spans: [deep] });
    expect(toFixture(deep).match(/"spans"/g)).toHaveLength(300);
  });
});
