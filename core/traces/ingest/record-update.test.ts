import { describe, expect, it } from 'vitest';
import type { Explain } from '../../kernel/explain.ts';
import type { RecordType } from '../catalogue/span-types.ts';
import type { LogRecord } from '../record.ts';
import { SpanUpdate, TraceUpdate } from './ingest-schema.ts';
import { changedSpan, changedTrace } from './record-update.ts';

const explain: Explain = (_schema, _value, loc) => [{ loc, msg: 'unfit', type: 'unfit' }];
const record = (type: RecordType, facts: Partial<LogRecord> = {}) =>
  ({
    id: '1',
    type,
    input: 'before',
    output: 'before',
    status_code: 1,
    tags: ['a'],
    is_complete: false,
    metrics: { x: 1 },
    ...facts,
  }) as LogRecord;
const trace = (update: object, facts?: Partial<LogRecord>) =>
  changedTrace(record('trace', facts), TraceUpdate.parse(update), explain);
const span = (type: RecordType, update: object) => changedSpan(record(type), SpanUpdate.parse(update), explain);

describe('a changed trace', () => {
  it('takes what is given', () => {
    const update = { input: '', output: 'after', status_code: 0, tags: ['b', 'a', 'b'], is_complete: true, duration_ns: 5 };
    const expected = { ...update, tags: ['a', 'b'], metrics: { x: 1, duration_ns: 5 } };
    const { duration_ns: _in_metrics, ...fields } = expected as typeof expected & { duration_ns: number };
    expect(trace(update)).toStrictEqual(record('trace', fields as Partial<LogRecord>));
  });

  it('takes content blocks as they are, and nothing else that is no text', () => {
    const blocks = [
      { type: 'text', text: 'x' },
      { type: 'file', file_id: 'f' },
    ];
    expect(trace({ input: blocks, output: blocks })).toMatchObject({ input: blocks, output: blocks });
    for (const output of [{ type: 'text', text: 'x' }, [{ text: 'x' }], 5, [{ type: 'x', n: Number.POSITIVE_INFINITY }]])
      expect(() => trace({ output })).toThrow(expect.objectContaining({ kind: 'invalid', code: 'payload_mismatch' }));
  });

  it('stays as it is for null and for nothing', () => {
    const nothing = { input: null, output: null, status_code: null, tags: null, is_complete: null, duration_ns: null };
    expect(trace(nothing)).toStrictEqual(record('trace'));
    expect(trace({})).toStrictEqual(record('trace'));
  });

  it('is never made incomplete', () => {
    expect(trace({ is_complete: false }, { is_complete: true }).is_complete).toBe(true);
  });

  it('is no span', () => {
    expect(() => changedTrace(record('tool'), {}, explain)).toThrow(
      expect.objectContaining({ kind: 'not_found', code: 'trace_not_found' }),
    );
    expect(() => changedSpan(record('trace'), {}, explain)).toThrow(expect.objectContaining({ code: 'span_not_found' }));
  });

  it('has 50 tags at most', () => {
    const tags = Array.from({ length: 49 }, (_, at) => `${at}`);
    expect(trace({ tags }).tags).toHaveLength(50);
    expect(() => trace({ tags: [...tags, 'one more'] })).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'too_many_tags' }),
    );
  });
});

describe('a changed span', () => {
  const message = { role: 'assistant', content: 'x' };
  const documents = [{ content: 'x', metadata: { page: 1 } }];

  it.each<[RecordType, unknown, unknown]>([
    ['llm', message, message],
    ['llm', JSON.stringify(message), message],
    ['llm', 'plain', { role: 'assistant', content: 'plain' }],
    ['llm', '{"not": "a message"}', { role: 'assistant', content: '{"not": "a message"}' }],
    ['llm', '{broken', { role: 'assistant', content: '{broken' }],
    ['retriever', documents, documents],
    ['retriever', JSON.stringify(documents), documents],
    ['retriever', ['a'], [{ content: 'a', metadata: {} }]],
    ['retriever', 'plain', [{ content: 'plain', metadata: {} }]],
    ['tool', JSON.stringify(message), JSON.stringify(message)],
    ['workflow', JSON.stringify(message), JSON.stringify(message)],
    ['workflow', message, message],
    ['agent', documents, documents],
    ['tool', null, 'before'],
    ['tool', undefined, 'before'],
    ['tool', '', ''],
  ])('%s takes the output %j', (type, output, kept) => {
    expect(span(type, { output }).output).toStrictEqual(kept);
  });

  it('takes messages as input, also as JSON text', () => {
    const input = [{ role: 'user', content: 'x' }];
    expect(span('llm', { input }).input).toStrictEqual(input);
    expect(span('llm', { input: JSON.stringify(input) }).input).toStrictEqual(input);
    expect(span('llm', { input: 'x' }).input).toStrictEqual(input);
  });

  it.each<[RecordType, object]>([
    ['tool', { output: message }],
    ['tool', { input: [message] }],
    ['tool', { output: 7 }],
    ['llm', { output: documents }],
    ['llm', { output: { ...message, content: [{ type: 'x', n: Number.POSITIVE_INFINITY }] } }],
    ['retriever', { output: [7] }],
    ['workflow', { output: { a: 1 } }],
  ])('%s refuses %j at its place', (type, update) => {
    const [side] = Object.keys(update);
    const place = expect.objectContaining({ loc: expect.arrayContaining(['body', side]) });
    expect(() => span(type, update)).toThrow(expect.objectContaining({ code: 'payload_mismatch', issues: [place] }));
  });

  it('keeps a key named __proto__ in a message', () => {
    const output = JSON.parse('{"role": "assistant", "content": "x", "__proto__": {"a": 1}}');
    expect(JSON.stringify(span('llm', { output }).output)).toBe(JSON.stringify(output));
  });

  it('keeps JSON text of more names than a body may have as it is', () => {
    const named = (objects: number) =>
      JSON.stringify([
        { content: 'x', ...Object.fromEntries(Array.from({ length: objects }, (_, at) => [`part ${at}`, at])) },
        { content: 'x', ...Object.fromEntries(Array.from({ length: objects }, (_, at) => [`other ${at}`, at])) },
      ]);
    expect(span('retriever', { output: named(100) }).output).toHaveLength(2);
    const [kept, ...others] = span('retriever', { output: named(40_000) }).output as readonly { readonly content: string }[];
    expect([kept?.content === named(40_000), others]).toEqual([true, []]);
  });

  it('keeps JSON text that could not be given back as it is', () => {
    const part = (value: string) => `{"role":"assistant","content":[{"type":"x","value":${value}}]}`;
    for (const text of [part('1e400'), part(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)]) {
      expect(span('llm', { output: text }).output).toStrictEqual({ role: 'assistant', content: text });
    }
  });
});
