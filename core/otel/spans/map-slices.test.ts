import { expect, it } from 'vitest';
import { expandSpan, MAPPING, RESOURCE, type ShortSpan } from '../../../test/fixtures/otel/short-form.ts';
import { destinations } from '../destination.ts';
import { mapRequest } from './map-request.ts';
import { mapInSlices } from './map-slices.ts';
import type { OtlpRequest } from './otlp-span.ts';

const DESTINATIONS = destinations({ project: 'demo' }, ['eval.']);
const getScope = (spans: readonly ShortSpan[]) => ({ scope: { name: 'lib', version: '' }, spans: spans.map(expandSpan) });
const numbered = (from: number, to: number): ShortSpan[] =>
  Array.from({ length: to - from }, (_, at) => ({
    spanId: String(from + at).padStart(16, '0'),
    ...((from + at) % 3 === 0 && { attributes: { 'eval.project.name': 'lab' } }),
  }));

it('maps in parts as it does at once, with pauses between them', async () => {
  const request: OtlpRequest = {
    resource_spans: [
      { resource: RESOURCE, scope_spans: [getScope(numbered(1, 120)), getScope([]), getScope(numbered(100, 140))] },
      { resource: new Map(), scope_spans: [...numbered(200, 260).map((one) => getScope([one])), getScope([{ spanId: 'bad' }])] },
    ],
  };
  let pauses = 0;
  const mapped = await mapInSlices(request, DESTINATIONS, MAPPING, async () => {
    pauses += 1;
  });
  expect(mapped).toEqual(mapRequest(request, DESTINATIONS, MAPPING));
  expect(mapped.refused).toHaveLength(1);
  // 119 + 40 + 60 + 1 spans, 50 at a time.
  expect(pauses).toBe(4);
});

it('keeps the later of two versions of a span in different parts', async () => {
  const first = { spanId: 'a'.repeat(16), name: 'done', endMs: 9 };
  const second = { ...first, name: 'running', endMs: null };
  const request = { resource_spans: [{ resource: RESOURCE, scope_spans: [getScope([first, ...numbered(1, 80), second])] }] };
  const { groups } = await mapInSlices(request, DESTINATIONS, MAPPING, async () => {});
  expect(groups.flatMap(({ spans }) => spans).filter(({ external_id }) => external_id === first.spanId)).toMatchObject([
    { name: 'done' },
  ]);
});
