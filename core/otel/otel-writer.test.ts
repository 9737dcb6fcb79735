import { expect, it } from 'vitest';
import { expandSpan, MAPPING, RESOURCE, type ShortSpan } from '../../test/fixtures/otel/short-form.ts';
import type { RecordBatch, WriteOutcome } from '../traces/trace-store.ts';
import { destinations } from './destination.ts';
import { OtelWriter, type OtelWriterDeps } from './otel-writer.ts';
import { mapRequest } from './spans/map-request.ts';

const numbered = (count: number, attributes: NonNullable<ShortSpan['attributes']>): ShortSpan[] =>
  Array.from({ length: count }, (_, at) => ({ spanId: String(at + 1).padStart(16, '0'), attributes }));

/** Batches that are written of these spans, and traces that are assembled afterwards. */
async function writing(
  spans: readonly ShortSpan[],
  outcome: WriteOutcome = 'written',
  standing: readonly string[] = [],
  isLogged = false,
) {
  const batches: RecordBatch[] = [];
  const assembled: string[] = [];
  const write = async (batch: RecordBatch) => {
    batches.push(batch);
    return outcome;
  };
  const stored = standing.map((id) => [id, { id, trace_id: id, session_id: id, ended_at: null }] as const);
  const reassemble = async (_project: string, _run: string, ids: readonly string[]) => void assembled.push(...ids);
  const run = { project_id: 'p', run_id: 'r', settings_revision: 1, has_scorers: true };
  const deps = {
    traceStore: {
      write,
      amendAll: async () => [],
      existing: async (_project: string, _run: string, ids: readonly string[]) => new Set(ids),
    },
    otelTraceStore: { standings: async () => new Map(stored), reassemble },
    spanLogStore: {
      sizes: async (_project: string, _run: string, ids: readonly string[]) =>
        new Map(isLogged ? [[ids[0]!, { logs: 1, characters: 1 }]] : []),
      list: async (_project: string, _run: string, ids: readonly string[]) => new Map(ids.map((id) => [id, [{}]])),
    },
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
  return { batches, assembled };
}

/** How many spans each statement stores when these are written. */
const sizesOfWriting = async (spans: readonly ShortSpan[]): Promise<number[]> =>
  (await writing(spans)).batches.map(({ records }) => records.filter(({ type }) => type !== 'trace').length);

const getTrace = ({ records }: RecordBatch) => records.find(({ type }) => type === 'trace');

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

it('writes a trace that comes whole as it stays, has it scored with the same statement, and reads nothing back', async () => {
  const { batches, assembled } = await writing(numbered(3, {}));
  expect(batches).toHaveLength(1);
  const trace = getTrace(batches[0]!)!;
  expect(trace).toMatchObject({ is_complete: true, has_children: true });
  expect(batches[0]).toMatchObject({ new_trace_ids: [trace.id], score_trace_ids: [trace.id] });
  expect(assembled).toEqual([]);
});

it('assembles a trace of which another process has stored something meanwhile', async () => {
  const { batches, assembled } = await writing(numbered(3, {}), 'written_over');
  expect(assembled).toEqual([getTrace(batches[0]!)!.id]);
});

it('assembles a trace of which something is stored, and leaves to that whether it is complete and scored', async () => {
  const id = getTrace((await writing(numbered(1, {}))).batches[0]!)!.id;
  const { batches, assembled } = await writing(numbered(3, {}), 'written', [id]);
  expect(batches).toMatchObject([{ new_trace_ids: [], score_trace_ids: [] }]);
  expect(assembled).toEqual([id]);
});

it('takes no trace for whole whose spans are written by several statements', async () => {
  const { batches, assembled } = await writing(numbered(1_000, {}));
  expect(batches.length).toBeGreaterThan(1);
  for (const batch of batches) expect(batch).toMatchObject({ new_trace_ids: [], score_trace_ids: [] });
  expect(getTrace(batches[0]!)).toMatchObject({ is_complete: false });
  expect(assembled).toEqual([getTrace(batches[0]!)!.id]);
});

it('leaves a trace whose log records came before its spans to be scored once these are joined, and not before', async () => {
  const { batches, assembled } = await writing(numbered(3, {}), 'written', [], true);
  expect(batches).toMatchObject([{ new_trace_ids: [], score_trace_ids: [] }]);
  expect(getTrace(batches[0]!)).toMatchObject({ is_complete: false });
  expect(assembled).toEqual([getTrace(batches[0]!)!.id]);
});
