import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expandSpan, MAPPING, RESOURCE, type ShortCase } from '../../test/fixtures/otel/short-form.ts';
import { toUtc } from '../kernel/timestamp.ts';
import { blankTrace, recordOfSpan } from './otel-record.ts';
import { mapSpan } from './spans/map-span.ts';
import type { MappedSpan } from './spans/mapped-span.ts';
import { toSpanOutline } from './spans/span-outline.ts';
import { toTraceDraft } from './trace-draft.ts';
import { summarizeTrace } from './trace-summary.ts';

const PLACE = { project_id: 'p', run_id: 'r', now: '2026-01-02T00:00:00.000Z' };
const files = globSync('test/fixtures/otel/*/*.json').filter((path) => !path.includes('/captured/'));

function made(spans: readonly MappedSpan[]) {
  const records = spans.map((span) =>
    recordOfSpan(span, PLACE, span.of_trace.session === null ? null : `of ${span.of_trace.session}`),
  );
  const draft = toTraceDraft(records.map((record) => toSpanOutline(record)!));
  const given = records.filter(({ id }) => draft.needs.includes(id));
  const { trace_id, of_trace } = spans[0]!;
  return { draft, trace: draft.finish(blankTrace(trace_id, of_trace.trace_external_id, PLACE), given) };
}

describe('the record of a trace', () => {
  it.each(files)('is what its spans sum up to: %s', (path) => {
    const { scope, spans } = JSON.parse(readFileSync(path, 'utf8')) as ShortCase;
    const mapped = spans.map((span) => mapSpan(expandSpan(span), scope, RESOURCE, MAPPING));
    const { session, parents, repeats: _repeats, spans_count, created_at, ...summary } = summarizeTrace(mapped)!;
    expect(made(mapped).trace).toMatchObject({
      ...summary,
      created_at: toUtc(created_at)!,
      session_id: session === null ? summary.id : `of ${session}`,
      has_children: true,
    });
    expect(parents.size).toBeLessThanOrEqual(spans_count);
  });

  it('needs the records of few spans, however many there are and whatever they say', () => {
    const told = { 'input.value': 'i', 'output.value': 'o', 'langfuse.trace.input': 'ti', 'eval.dataset.input': 'di' };
    const spans = Array.from({ length: 500 }, (_, at) =>
      mapSpan(
        expandSpan({ spanId: String(at + 1).padStart(16, '0'), attributes: { 'openinference.span.kind': 'LLM', ...told } }),
        'lib',
        RESOURCE,
        MAPPING,
      ),
    );
    const { draft, trace } = made(spans);
    expect(draft.needs.length).toBeLessThanOrEqual(6);
    expect(trace).toMatchObject({ input: 'ti', output: 'o', dataset_input: 'di' });
  });

  it('says of an outline nothing that is long', () => {
    const long = 'x'.repeat(100_000);
    const keys = [
      'input.value',
      'output.value',
      'langfuse.trace.name',
      'langfuse.trace.input',
      'session.id',
      'user.id',
      'eval.dataset.input',
    ];
    const attributes = Object.fromEntries(keys.map((key) => [key, long]));
    const span = mapSpan(expandSpan({ spanId: 'a'.repeat(16), attributes }), 'lib', RESOURCE, MAPPING);
    const { of_trace } = toSpanOutline(recordOfSpan(span, PLACE, null))!;
    expect(JSON.stringify(of_trace).length).toBeLessThan(10_000);
  });

  it('of a trace that another way of logging made stays as it is', () => {
    const span = mapSpan(expandSpan({ spanId: 'a'.repeat(16), name: 'ask' }), 'lib', RESOURCE, MAPPING);
    const own = { ...blankTrace(span.trace_id, 'mine', PLACE), name: 'mine' };
    expect(toTraceDraft([toSpanOutline(recordOfSpan(span, PLACE, null))!]).finish(own, [])).toEqual({
      ...own,
      has_children: true,
    });
  });
});
