import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError, type Issue } from '../../kernel/errors.ts';
import type { Explain } from '../../kernel/explain.ts';
import { BLANK_RECORD } from '../blank-record.ts';
import { COMMON_FIELD_NAMES, commonField } from '../catalogue/record-fields.ts';
import { SPAN_TYPES } from '../catalogue/span-types.ts';
import type { LogRecord } from '../record.ts';
import { type Destination, flattenSpans, flattenTraces } from './flatten.ts';
import { FLAT, MAX_SPANS_PER_TRACE } from './ingest-schema.ts';

const getId = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
const [T, S, U, OTHER] = [getId('a'), getId('b'), getId('c'), getId('d')];
const NOW = '2026-11-21T00:00:00.000Z';

/** As the edge explains, in short. */
const explain: Explain = (schema, value, loc) =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path, message, code }) => ({
    loc: [...loc, ...(path as string[])],
    msg: message,
    type: code,
  }));

function destination(facts: Partial<Destination> = {}): Destination {
  let made = 0;
  const newId = () => {
    made += 1;
    return `made-${made}`;
  };
  return { project_id: getId('1'), run_id: getId('2'), session_id: undefined, is_complete: true, now: NOW, newId, ...facts };
}
const flatten = (...traces: unknown[]): LogRecord[] => flattenTraces(traces, destination(), explain);
const one = (span: object): LogRecord => flatten({ id: T, spans: [span] })[1]!;

function toIssues(work: () => unknown): readonly Issue[] {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ kind: 'invalid', code: 'records_invalid' });
    return (error as AppError).issues;
  }
  return expect.unreachable('something has to be refused');
}
const getLocs = (work: () => unknown) => toIssues(work).map(({ loc }) => loc);

describe('every record that is made of what was sent', () => {
  it('says each field of the catalogue, in its order, and never null where a field cannot be missing', () => {
    for (const record of flatten({ id: T, spans: SPAN_TYPES.map((type) => ({ type })) })) {
      expect(Object.keys(record)).toEqual([...COMMON_FIELD_NAMES, 'attributes']);
      const missing = COMMON_FIELD_NAMES.filter((name) => record[name] === null);
      expect(missing.filter((name) => commonField(name).blank !== null)).toEqual([]);
    }
  });
});

describe('a trace with nothing', () => {
  it('gets an id, a time, a session of its own and every default', () => {
    expect(flatten({})).toStrictEqual([
      {
        ...BLANK_RECORD,
        id: 'made-1',
        project_id: getId('1'),
        run_id: getId('2'),
        trace_id: 'made-1',
        session_id: 'made-1',
        type: 'trace',
        created_at: NOW,
        updated_at: NOW,
        is_complete: true,
      },
    ]);
  });

  it('reads null in every field as absent', () => {
    const fields = Object.keys((FLAT.llm as z.ZodObject).shape).filter((name) => name !== 'type');
    const nothing = Object.fromEntries(fields.map((name) => [name, null]));
    expect(flatten({ ...nothing, type: null })).toStrictEqual(flatten({}));
    expect(one({ ...nothing, type: 'llm' })).toStrictEqual(one({ type: 'llm' }));
  });
});

describe('a tree', () => {
  it('becomes records, parents before children, siblings in their order', () => {
    const records = flatten(
      {
        id: T,
        name: 'trace',
        spans: [
          {
            type: 'agent',
            id: S,
            name: 'agent',
            spans: [
              { type: 'llm', name: 'first' },
              { type: 'tool', name: 'second' },
            ],
          },
          { type: 'workflow', id: U, name: 'flow', spans: [] },
        ],
      },
      { id: OTHER, name: 'other' },
    );
    const byName = new Map(records.map((record) => [record.name, record]));
    expect(records).toHaveLength(6);
    for (const { parent_id, id } of records) {
      const ids = records.map((record) => record.id);
      if (parent_id !== null) expect(ids.indexOf(parent_id)).toBeLessThan(ids.indexOf(id));
    }
    expect(byName.get('agent')).toMatchObject({ trace_id: T, parent_id: T, has_children: true, session_id: T });
    expect(byName.get('second')).toMatchObject({ trace_id: T, parent_id: S, has_children: false, session_id: T });
    expect(byName.get('flow')).toMatchObject({ has_children: false });
    expect(byName.get('other')).toMatchObject({ trace_id: OTHER, session_id: OTHER });
    expect(records.map(({ name }) => name).indexOf('first')).toBeLessThan(records.map(({ name }) => name).indexOf('second'));
  });

  it('hands time and session down, unless a record brings its own time', () => {
    const trace = { id: T, session_id: S.toUpperCase(), created_at: '2026-01-01T01:00:00.1234567+01:00' };
    const [root, first, second] = flatten({
      ...trace,
      spans: [{ type: 'tool' }, { type: 'tool', created_at: '2026-01-01T00:00:01Z', session_id: U }],
    });
    expect(root).toMatchObject({ session_id: S, created_at: '2026-01-01T00:00:00.123456Z' });
    expect(first).toMatchObject({ session_id: S, created_at: '2026-01-01T00:00:00.123456Z' });
    expect(second).toMatchObject({ session_id: S, created_at: '2026-01-01T00:00:01.000Z' });
  });

  it('takes the session of the batch where a trace has none', () => {
    const records = flattenTraces([{}, { session_id: U }], destination({ session_id: S, is_complete: false }), explain);
    expect(records).toMatchObject([{ session_id: S, is_complete: false }, { session_id: U }]);
  });

  it('keeps ids in lower case', () => {
    expect(flatten({ id: T.toUpperCase(), spans: [{ type: 'tool', id: S.toUpperCase() }] })).toMatchObject([
      { id: T },
      { id: S, parent_id: T },
    ]);
  });

  it('of 10,000 spans is taken, nested as deep as it may be, and one more is refused', () => {
    const chain = Array.from({ length: 5_000 }).reduce<object>((below) => ({ type: 'workflow', spans: [below] }), {
      type: 'tool',
    });
    expect(flatten({ spans: [chain] })).toHaveLength(5_002);
    const wide = Array.from({ length: MAX_SPANS_PER_TRACE }, () => ({ type: 'tool' }));
    expect(flatten({ spans: wide })).toHaveLength(MAX_SPANS_PER_TRACE + 1);
    const issues = toIssues(() => flatten({}, { spans: [...wide, { type: 'tool' }] }));
    expect(issues).toMatchObject([{ loc: ['body', 'traces', 1, 'spans'], type: 'too_many_spans' }]);
  });
});

describe('the same id twice', () => {
  it('in one trace counts the last time', () => {
    const records = flatten({
      id: T,
      spans: [
        { type: 'tool', id: S, name: 'first' },
        { type: 'tool', id: S, name: 'last' },
      ],
    });
    expect(records.map(({ name }) => name)).toEqual(['', 'last']);
  });

  it('in two traces of a batch is refused where it is met again', () => {
    const spans = [{ type: 'tool', id: S }];
    const issues = toIssues(() => flatten({ id: T, spans }, { id: U, spans }));
    expect(issues).toMatchObject([{ loc: ['body', 'traces', 1, 'spans', 0, 'id'], type: 'record_in_other_trace' }]);
  });

  it('as trace and as span of it is refused: one of them would be lost', () => {
    const spans = [{ type: 'tool' }, { type: 'workflow', spans: [{ type: 'llm', id: T.toUpperCase() }] }];
    const loc = ['body', 'traces', 0, 'spans', 1, 'spans', 0, 'id'];
    expect(toIssues(() => flatten({ id: T, spans }))).toMatchObject([{ loc, type: 'id_of_trace' }]);
    const [under] = flatten({ id: T });
    const again = () => flattenSpans([{ type: 'llm', id: T }], under!, destination(), explain);
    expect(toIssues(again)).toMatchObject([{ loc: ['body', 'spans', 0, 'id'], type: 'id_of_trace' }]);
  });
});

describe('spans under a record that exists', () => {
  it('belong to its trace and its session', () => {
    const [, under] = flatten({ id: T, session_id: U, spans: [{ type: 'workflow', id: S }] });
    const to = destination({ is_complete: false, session_id: OTHER });
    const [first, second] = flattenSpans([{ type: 'agent', id: OTHER, spans: [{ type: 'tool' }] }], under!, to, explain);
    expect(first).toMatchObject({
      trace_id: T,
      parent_id: S,
      session_id: U,
      is_complete: false,
      created_at: NOW,
      has_children: true,
    });
    expect(second).toMatchObject({ trace_id: T, parent_id: OTHER, session_id: U });
    expect(getLocs(() => flattenSpans([{}, null], under!, to, explain))).toEqual([
      ['body', 'spans', 0, 'type'],
      ['body', 'spans', 1, 'type'],
    ]);
  });
});

describe('what is refused', () => {
  const nested = (bad: unknown) => [{}, { spans: [{ type: 'workflow', spans: [{ type: 'tool' }, { type: 'tool' }, bad] }] }];
  const place = ['body', 'traces', 1, 'spans', 0, 'spans', 2];

  it.each<[unknown, (string | number)[]]>([
    [{}, ['type']],
    [{ type: 'trace' }, ['type']],
    [{ type: 'session' }, ['type']],
    [{ type: 'LLM' }, ['type']],
    [{ type: 7 }, ['type']],
    [null, ['type']],
    ['llm', ['type']],
    [[], ['type']],
    [{ type: 'tool', id: 'not an id' }, ['id']],
    [{ type: 'tool', name: 7 }, ['name']],
    [{ type: 'tool', name: 'a\0b' }, ['name']],
    [{ type: 'tool', name: '\ud83e' }, ['name']],
    [{ type: 'tool', name: 'x'.repeat(1_025) }, ['name']],
    [{ type: 'tool', external_id: '\0' }, ['external_id']],
    [{ type: 'tool', tags: ['ok', '\0'] }, ['tags', 1]],
    [{ type: 'tool', tags: 'one' }, ['tags']],
    [{ type: 'tool', tags: Array.from({ length: 51 }, () => 'x') }, ['tags']],
    [{ type: 'tool', created_at: 'yesterday' }, ['created_at']],
    [{ type: 'tool', created_at: 0 }, ['created_at']],
    [{ type: 'tool', status_code: 1.5 }, ['status_code']],
    [{ type: 'tool', status_code: 2_147_483_648 }, ['status_code']],
    [{ type: 'tool', step_number: -1 }, ['step_number']],
    [{ type: 'tool', metrics: [] }, ['metrics']],
    [{ type: 'tool', metrics: { duration_ns: -1 } }, ['metrics', 'duration_ns']],
    [{ type: 'tool', metrics: { duration_ns: 2 ** 53 } }, ['metrics', 'duration_ns']],
    [{ type: 'llm', metrics: { num_input_tokens: 1.5 } }, ['metrics', 'num_input_tokens']],
    [{ type: 'llm', metrics: { durationNs: 1.5 } }, ['metrics', 'durationNs']],
    [{ type: 'llm', metrics: { numInputTokens: '3' } }, ['metrics', 'numInputTokens']],
    [{ type: 'tool', metrics: { a: { b: [0, Number.POSITIVE_INFINITY] } } }, ['metrics', 'a', 'b', 1]],
    [{ type: 'tool', user_metadata: { a: Number.NEGATIVE_INFINITY } }, ['user_metadata', 'a']],
    [{ type: 'tool', dataset_metadata: { a: Number.POSITIVE_INFINITY } }, ['dataset_metadata', 'a']],
    [{ type: 'tool', user_metadata: 'text' }, ['user_metadata']],
    [{ type: 'tool', input: { a: 1 } }, ['input']],
    [{ type: 'tool', output: ['a'] }, ['output']],
    [{ type: 'tool', spans: {} }, ['spans']],
    [{ type: 'tool', tool_call_id: 7 }, ['tool_call_id']],
    [{ type: 'agent', agent_type: 'boss' }, ['agent_type']],
    [{ type: 'control', check_stage: 'during' }, ['check_stage']],
    [{ type: 'llm', temperature: Number.POSITIVE_INFINITY }, ['temperature']],
    [{ type: 'llm', tools: ['f'] }, ['tools', 0]],
    [{ type: 'llm', tools: [{ a: Number.POSITIVE_INFINITY }] }, ['tools', 0, 'a']],
    [{ type: 'llm', events: [{}] }, ['events', 0, 'type']],
    [{ type: 'control', output: { confidence: Number.POSITIVE_INFINITY } }, ['output', 'confidence']],
    [{ type: 'workflow', input: [{ type: 'text', n: Number.POSITIVE_INFINITY }] }, ['input', 0, 'n']],
    [{ type: 'workflow', input: [{ text: 'no type' }] }, ['input']],
    [
      { type: 'llm', input: [{ role: 'user', content: [{ type: 'x', n: Number.POSITIVE_INFINITY }] }] },
      ['input', 0, 'content', 0, 'n'],
    ],
  ])('%j is refused at its place', (bad, path) => {
    expect(getLocs(() => flatten(...nested(bad)))).toEqual([[...place, ...path]]);
  });

  it.each([
    { role: 'user' },
    { content: 'x' },
    { role: 7, content: 'x' },
    { role: null, content: 'x' },
    { role: 'user', content: 7 },
    { role: 'user', content: [{}] },
    { role: 'user', content: 'x', tool_calls: [{ id: '1', function: { name: 'f', arguments: {} } }] },
  ])('the message %j is refused as input and as output', (message) => {
    for (const payload of [{ input: [message] }, { output: message }, { redacted_input: [message] }]) {
      const [loc] = getLocs(() => flatten({ spans: [{ type: 'llm', ...payload }] }));
      expect(loc!.slice(0, 6)).toEqual(['body', 'traces', 0, 'spans', 0, Object.keys(payload)[0]]);
    }
  });

  it('names every bad record at once, but no more than a hundred', () => {
    expect(getLocs(() => flatten({ name: 7 }, {}, { spans: [{}, { type: 'x' }] }, 'text'))).toEqual([
      ['body', 'traces', 0, 'name'],
      ['body', 'traces', 2, 'spans', 0, 'type'],
      ['body', 'traces', 2, 'spans', 1, 'type'],
      ['body', 'traces', 3],
    ]);
    expect(toIssues(() => flatten(...Array.from({ length: 500 }, () => ({ name: 7, tags: 1 }))))).toHaveLength(100);
  });
});

describe('what is taken in more than one form', () => {
  it.each<[string, unknown, unknown]>([
    ['a text', 'hi', [{ role: 'user', content: 'hi' }]],
    ['one message', { role: 'tool', content: 'x', tool_call_id: '1' }, [{ role: 'tool', content: 'x', tool_call_id: '1' }]],
    ['messages', [{ role: 'user', content: 'a', extra: 1 }], [{ role: 'user', content: 'a', extra: 1 }]],
    ['no messages', [], []],
    [
      'unknown parts',
      [{ role: 'user', content: [{ type: 'hologram', x: 1 }] }],
      [{ role: 'user', content: [{ type: 'hologram', x: 1 }] }],
    ],
  ])('llm input: %s', (_what, input, kept) => {
    expect(one({ type: 'llm', input, redacted_input: input })).toMatchObject({ input: kept, redacted_input: kept });
  });

  it.each([
    ['human', 'user'],
    ['ai', 'assistant'],
    ['AI', 'assistant'],
    ['function', 'tool'],
    ['developer', 'developer'],
    ['system', 'system'],
    ['Critic', 'Critic'],
    ['', ''],
  ])('the role %j is kept as %j, whatever stands beside it', (role, kept) => {
    const [said, known] = [role, kept].map((one) => ({ before: 1, role: one, content: 'x', extra: { role: 'human' } }));
    const payloads = { input: [said], output: said, redacted_input: [said], redacted_output: said };
    const expected = { input: [known], output: known, redacted_input: [known], redacted_output: known };
    for (const type of ['llm', 'agent', 'workflow', 'control'])
      expect(JSON.stringify(one({ type, ...payloads }))).toContain(JSON.stringify(expected).slice(1, -1));
  });

  it('a call of tools with null for its content has an empty one', () => {
    const calls = { role: 'assistant', tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }] };
    expect(one({ type: 'llm', output: { ...calls, content: null } }).output).toEqual({ ...calls, content: '' });
  });

  it('llm output: a text or a message', () => {
    expect(one({ type: 'llm', output: 'hi' }).output).toEqual({ role: 'assistant', content: 'hi' });
    expect(one({ type: 'llm', output: { role: 'agent', content: '' } }).output).toEqual({ role: 'agent', content: '' });
  });

  it.each<[string, unknown, unknown]>([
    ['documents', [{ content: 'a', metadata: { p: 1 }, score: 2 }], [{ content: 'a', metadata: { p: 1 }, score: 2 }]],
    ['the older spelling', [{ page_content: 'a' }], [{ content: 'a', metadata: {} }]],
    [
      'texts',
      ['a', 'b'],
      [
        { content: 'a', metadata: {} },
        { content: 'b', metadata: {} },
      ],
    ],
    ['one document', { content: 'a' }, [{ content: 'a', metadata: {} }]],
    ['one text', 'a', [{ content: 'a', metadata: {} }]],
    ['none', [], []],
  ])('retriever output: %s', (_what, output, kept) => {
    expect(one({ type: 'retriever', output }).output).toEqual(kept);
  });

  it('content blocks stay as they are, of a type that nobody knows, too, and with a role of their own', () => {
    const blocks = [
      { type: 'text', text: 'see' },
      { type: 'file', file_id: 'f' },
      { type: 'hologram', x: [1], nested: { role: 'human' } },
    ];
    const payloads = { input: blocks, output: blocks, redacted_input: blocks, redacted_output: blocks };
    expect(flatten(payloads)[0]).toMatchObject(payloads);
    for (const type of ['workflow', 'agent', 'control']) expect(one({ type, ...payloads })).toMatchObject(payloads);
  });

  it('what a control decided is an object of any shape', () => {
    const output = { action: 'deny', matched: true, confidence: 0.5, error_message: null };
    expect(one({ type: 'control', input: { asked: [1] }, output })).toMatchObject({ input: { asked: [1] }, output });
  });

  it.each(['workflow', 'agent'])('%s payloads stay as they are', (type) => {
    for (const input of ['text', [{ role: 'user', content: 'x' }]])
      expect(one({ type, input, output: input }).input).toEqual(input);
    expect(one({ type, output: [{ content: 'document' }] }).output).toEqual([{ content: 'document' }]);
  });

  it('metrics in camelCase are kept under the names of the API, others as they are', () => {
    const metrics = {
      durationNs: 1,
      numInputTokens: 2,
      numReasoningTokens: 3,
      timeToFirstTokenNs: 4,
      myScore: [0.5],
      nothing: null,
    };
    const kept = { duration_ns: 1, num_input_tokens: 2, num_reasoning_tokens: 3, time_to_first_token_ns: 4, myScore: [0.5] };
    expect(one({ type: 'llm', metrics }).metrics).toStrictEqual(kept);
  });

  it('fields of one type are kept with it, and an agent has a type', () => {
    expect(one({ type: 'agent' }).attributes).toEqual({ agent_type: 'default' });
    expect(one({ type: 'tool', tool_call_id: 'c', model: 'm' }).attributes).toEqual({ tool_call_id: 'c' });
    const control = { control_id: 1, agent_name: 'a', check_stage: 'pre', applies_to: 'tool_call' };
    expect(one({ type: 'control', ...control }).attributes).toEqual(control);
  });

  it('keys that objects treat in a special way survive', () => {
    const odd = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');
    const record = one({ type: 'retriever', user_metadata: odd, metrics: odd, output: [{ content: 'x', metadata: odd }] });
    for (const kept of [record.user_metadata, record.metrics, (record.output as { metadata: object }[])[0]!.metadata]) {
      expect(JSON.stringify(kept)).toBe(JSON.stringify(odd));
    }
  });
});

it('every flat schema compiles without falling back', () => {
  for (const schema of Object.values(FLAT)) expect(() => z.compile(schema, { strict: true })).not.toThrow();
});
