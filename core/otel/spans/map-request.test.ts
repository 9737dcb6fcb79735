import { describe, expect, it } from 'vitest';
import { expandSpan, MAPPING, RESOURCE, type ShortSpan } from '../../../test/fixtures/otel/short-form.ts';
import { destinations } from '../destination.ts';
import { mapRequest } from './map-request.ts';
import { toOutcome } from './span-refusal.ts';

const SPAN = '00f067aa0ba902b7';
const request = (...spans: ShortSpan[]) => ({
  resource_spans: [{ resource: RESOURCE, scope_spans: [{ scope: { name: 'lib', version: '' }, spans: spans.map(expandSpan) }] }],
});
const map = (...spans: ShortSpan[]) => mapRequest(request(...spans), destinations({ project: 'demo' }, ['eval.']), MAPPING);

describe('a request', () => {
  it('refuses spans one by one, and says why', () => {
    const { groups, refused } = map({ spanId: SPAN }, { spanId: SPAN, traceId: '0'.repeat(32) }, { spanId: '12345678' });
    expect(groups.flatMap(({ spans }) => spans.map(({ external_id }) => external_id))).toEqual([SPAN]);
    expect(toOutcome(refused)).toEqual({
      rejected: 2,
      message: '2 spans refused: trace id must be 16 bytes and not zero (1), span id must be 8 bytes and not zero (1)',
    });
  });

  it('says nothing when all went well, and never too much', () => {
    expect(toOutcome([])).toEqual({ rejected: 0, message: '' });
    const many = toOutcome(Array.from({ length: 1000 }, (_, at) => `${at} `.repeat(1000)));
    expect(many.rejected).toBe(1000);
    expect(many.message).toMatch(/980 more reasons$/);
    expect(many.message.length).toBeLessThan(20_000);
  });

  it('reads a bad parent id as none', () => {
    const [group] = map({ spanId: SPAN, parentSpanId: '00' }).groups;
    expect(group!.spans[0]!.parent_id).toBe(group!.spans[0]!.trace_id);
    expect(group!.spans[0]!.of_trace.parent_external_id).toBeNull();
  });

  it('parts spans by where they go', () => {
    const { groups } = map(
      { spanId: SPAN },
      { spanId: 'a'.repeat(16), attributes: { 'eval.project.name': 'lab' } },
      { spanId: 'b'.repeat(16) },
    );
    expect(groups.map(({ destination, spans }) => [destination.project, spans.length])).toEqual([
      [{ by: 'name', names: ['demo'] }, 2],
      [{ by: 'name', names: ['lab'] }, 1],
    ]);
  });

  it('keeps of two versions of a span the one that ended later, and of equal ones the newer', () => {
    const named = (...spans: ShortSpan[]) => map(...spans).groups[0]!.spans.map(({ name }) => name);
    expect(named({ spanId: SPAN, name: 'done', endMs: 5 }, { spanId: SPAN, name: 'running', endMs: null })).toEqual(['done']);
    expect(named({ spanId: SPAN, name: 'one', endMs: 5 }, { spanId: SPAN, name: 'two', endMs: 5 })).toEqual(['two']);
  });

  it('refuses a span that is too large as a record, and only that one', () => {
    const large = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`k${at}`, 'x'.repeat(1_000_000)]));
    const { groups, refused } = map({ spanId: SPAN, attributes: large }, { spanId: 'a'.repeat(16) });
    expect(refused).toEqual(['span is larger than 4194304 bytes']);
    expect(groups[0]!.spans).toHaveLength(1);
  });

  it('counts the text of a span once, though its trace may take it', () => {
    const text = 'x'.repeat(1_000_000);
    const attributes = { 'gen_ai.tool.call.arguments': text, 'gen_ai.tool.call.result': text, note: text };
    const { groups, refused } = map({ spanId: SPAN, attributes });
    expect(refused).toEqual([]);
    expect(groups[0]!.spans[0]).toMatchObject({ input: text, output: text });
  });

  it('names text that it cuts, and whatever else does not fit', () => {
    const long = 'x'.repeat(1_048_577);
    const events = Array.from({ length: 900 }, (_, at) => ({ name: `event ${at}`, attributes: { text: 'y'.repeat(100) } }));
    const [group] = map({ spanId: SPAN, attributes: { 'input.value': long, note: `${long}y` }, events }).groups;
    const { cut_texts, user_metadata } = group!.spans[0]!;
    expect(cut_texts).toBe(2);
    const shown = JSON.parse(user_metadata['otel.events']!).length;
    expect(shown).toBeGreaterThan(300);
    expect(JSON.parse(user_metadata['otel.dropped']!)).toEqual({ events: 900 - shown, texts: 2 });
    expect(toOutcome([], 'span', 'cut')).toEqual({ rejected: 0, message: 'cut' });
  });
});
