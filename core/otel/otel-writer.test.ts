import { expect, it } from 'vitest';
import { expandSpan, MAPPING, RESOURCE, type ShortSpan } from '../../test/fixtures/otel/short-form.ts';
import { destinations } from './destination.ts';
import { OtelWriter, type OtelWriterDeps } from './otel-writer.ts';
import { mapRequest } from './spans/map-request.ts';

const numbered = (count: number, attributes: NonNullable<ShortSpan['attributes']>): ShortSpan[] =>
  Array.from({ length: count }, (_, at) => ({ spanId: String(at + 1).padStart(16, '0'), attributes }));

/** How many spans each statement stores when these are written. */
async function sizesOfWriting(spans: readonly ShortSpan[]): Promise<number[]> {
  const sizes: number[] = [];
  const write = async ({ records }: { records: readonly { readonly type: string }[] }) => {
    sizes.push(records.filter(({ type }) => type !== 'trace').length);
    return 'written';
  };
  const run = { project_id: 'p', run_id: 'r', settings_revision: 1 };
  const deps = {
    traceStore: { write },
    otelTraceStore: { standings: async () => new Map(), reassemble: async () => {} },
    spanLogStore: { sizes: async () => new Map() },
    priceLookup: { pricesFor: async () => () => undefined },
    runDirectory: { findRun: async () => run },
    clock: () => new Date(0),
  };
  const request = {
    resource_spans: [{ resource: RESOURCE, scope_spans: [{ scope: { name: '', version: '' }, spans: spans.map(expandSpan) }] }],
  };
  const { groups } = mapRequest(request, destinations({ project: 'demo' }, []), MAPPING);
  const writer = new OtelWriter(deps as unknown as OtelWriterDeps);
  expect(await writer.write({ run: run as never, spans: groups[0]!.spans }, MAPPING)).toEqual([]);
  return sizes;
}

it('stores many small spans by one statement, and fewer large ones', async () => {
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
  const small = await sizesOfWriting(numbered(1_000, {}));
  expect(small.length).toBeLessThanOrEqual(3);
  const names = Object.fromEntries(Array.from({ length: 1_900 }, (_, at) => [`key ${at}`, 'x']));
  const ofNames = await sizesOfWriting(numbered(100, names));
  expect(Math.max(...ofNames)).toBeLessThanOrEqual(27);
  const ofTexts = await sizesOfWriting(numbered(40, { 'input.value': 'x'.repeat(1_000_000) }));
  expect(Math.max(...ofTexts)).toBeLessThanOrEqual(9);
  const messages = JSON.stringify([{ role: 'user', content: 'x'.repeat(900_000) }]);
  const ofMessages = await sizesOfWriting(numbered(40, { 'openinference.span.kind': 'LLM', 'input.value': messages }));
  expect(Math.max(...ofMessages)).toBeLessThanOrEqual(10);
  expect([small, ofNames, ofTexts, ofMessages].map(sum)).toEqual([1_000, 100, 40, 40]);
});
