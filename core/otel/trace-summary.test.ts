import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandSpan, MAPPING, RESOURCE, type ShortSpan } from '../../test/fixtures/otel/short-form.ts';
import { mapSpan } from './spans/map-span.ts';
import { summarizeTrace } from './trace-summary.ts';

const id = (last: number): string => `00000000000000${last.toString(16).padStart(2, '0')}`;
const mapped = (short: ShortSpan) => mapSpan(expandSpan(short), 'lib', RESOURCE, MAPPING);
const usage = (input: number, output: number) => ({ 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output });
const summary = (...spans: ShortSpan[]) => summarizeTrace(spans.map(mapped))!;

const FAMILY: ShortSpan[] = [
  { spanId: id(1), name: 'root', startMs: 0, endMs: 900, attributes: usage(200, 20) },
  {
    spanId: id(2),
    parentSpanId: id(1),
    name: 'ChatOpenAI',
    startMs: 1,
    attributes: { 'openinference.span.kind': 'LLM', ...usage(100, 10) },
  },
  {
    spanId: id(3),
    parentSpanId: id(2),
    name: 'openai.chat',
    startMs: 2,
    attributes: { 'gen_ai.operation.name': 'chat', ...usage(100, 10) },
  },
  {
    spanId: id(4),
    parentSpanId: id(1),
    name: 'agent turn',
    startMs: 3,
    attributes: { 'gen_ai.operation.name': 'chat', ...usage(50, 5) },
  },
  { spanId: id(5), parentSpanId: id(4), name: 'look', startMs: 4, attributes: { 'gen_ai.operation.name': 'execute_tool' } },
  {
    spanId: id(6),
    parentSpanId: id(5),
    name: 'inner',
    startMs: 5,
    attributes: { 'gen_ai.operation.name': 'chat', ...usage(30, 3) },
  },
];

describe('the summary of a trace', () => {
  it('counts the calls that were made, not what wraps them', () => {
    expect(summary(...FAMILY).metrics).toEqual({
      duration_ns: 900_000_000,
      num_input_tokens: 180,
      num_output_tokens: 18,
      num_total_tokens: 198,
    });
  });

  it('counts a call once that two instrumentations saw, side by side', () => {
    const chat = (response: string) => ({ 'gen_ai.operation.name': 'chat', 'gen_ai.response.id': response, ...usage(120, 30) });
    const root = { spanId: id(1), name: 'ask', startMs: 0, endMs: 900 };
    const seenBy = (spanId: number, startMs: number, endMs: number) => ({
      ...{ spanId: id(spanId), parentSpanId: id(1), startMs, endMs },
      attributes: chat('msg_1'),
    });
    const counted = (...spans: Parameters<typeof summary>) => summary(root, ...spans).metrics.num_input_tokens;
    expect(counted(seenBy(2, 10, 60), seenBy(3, 20, 50))).toBe(120);
    expect(counted(seenBy(3, 20, 50), seenBy(2, 10, 60))).toBe(120);
    expect(counted(seenBy(2, 10, 60), seenBy(3, 10, 60))).toBe(120);
    expect(counted(seenBy(2, 10, 60), seenBy(3, 15, 70), seenBy(4, 20, 50))).toBe(120);
    // A call that has not ended lies in nobody's time.
    expect(counted(seenBy(2, 10, 60), { ...seenBy(3, 20, 50), endMs: null })).toBe(240);
    // A sender that makes ids up: one after the other they are two calls, whatever they are called.
    expect(counted(seenBy(2, 10, 60), seenBy(3, 70, 90))).toBe(240);
    expect(counted(seenBy(2, 10, 60), { ...seenBy(3, 20, 50), attributes: chat('msg_2') })).toBe(240);
    const { 'gen_ai.response.id': _, ...unnamed } = chat('');
    expect(counted({ ...seenBy(2, 10, 60), attributes: unnamed }, { ...seenBy(3, 20, 50), attributes: unnamed })).toBe(240);
  });

  it('is the same in whichever order spans arrived', () => {
    const expected = summary(...FAMILY);
    fc.assert(
      fc.property(fc.shuffledSubarray(FAMILY, { minLength: FAMILY.length }), (shuffled) => {
        expect(summary(...shuffled)).toEqual(expected);
      }),
    );
  });

  it('lets the span nearest to the root stand in until the root arrives', () => {
    const child = { spanId: id(2), parentSpanId: id(1), name: 'child', startMs: 5, endMs: 50 };
    const remote = { spanId: id(3), parentSpanId: id(9), name: 'remote', startMs: 8, endMs: 70, flags: 0x301 };
    expect(summary(child)).toMatchObject({ name: 'child', is_complete: false, metrics: { duration_ns: 45_000_000 } });
    expect(summary(child, remote)).toMatchObject({ name: 'remote', metrics: { duration_ns: 65_000_000 } });
    const all = summary(child, remote, { spanId: id(1), name: 'root', startMs: 0, endMs: 100 });
    expect(all).toMatchObject({ name: 'root', is_complete: false, metrics: { duration_ns: 100_000_000 } });
  });

  it('is complete with a root, every parent and every end', () => {
    const root = { spanId: id(1), name: 'root' };
    const child = { spanId: id(2), parentSpanId: id(1) };
    expect(summary(root, child).is_complete).toBe(true);
    expect(summary(child).is_complete).toBe(false);
    expect(summary(root, { ...child, endMs: null }).is_complete).toBe(false);
    expect(summary(root, { ...child, parentSpanId: id(7) }).is_complete).toBe(false);
  });

  it('knows which spans have children', () => {
    const { parents, spans_count } = summary(...FAMILY);
    expect([...parents].sort()).toEqual(
      FAMILY.filter((_, at) => [0, 1, 3, 4].includes(at))
        .map((span) => mapped(span).id)
        .sort(),
    );
    expect(spans_count).toBe(6);
  });

  it('survives spans that are their own ancestors', () => {
    const call = { 'gen_ai.operation.name': 'chat', ...usage(1, 1) };
    const circle = summary(
      { spanId: id(1), parentSpanId: id(2), name: 'a', attributes: call },
      { spanId: id(2), parentSpanId: id(1), name: 'b', startMs: 1 },
      { spanId: id(3), parentSpanId: id(3), name: 'self', startMs: 2, attributes: call },
    );
    expect(circle).toMatchObject({ name: 'a', is_complete: false, metrics: { num_input_tokens: 2 } });
    expect(summarizeTrace([])).toBeUndefined();
  });
});
