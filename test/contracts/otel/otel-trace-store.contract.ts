import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { blankTrace, recordOfSpan } from '../../../core/otel/otel-record.ts';
import { mapSpan } from '../../../core/otel/spans/map-span.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { expandSpan, MAPPING, RESOURCE, type ShortSpan } from '../../fixtures/otel/short-form.ts';
import { CREATED, enableScorer, newRun, type RecordStores, type RunKey, span, trace, write } from '../traces/record-stores.ts';

const ROOT = 'aaaaaaaaaaaaaaaa';
const CHILD = 'bbbbbbbbbbbbbbbb';

/** The stores are opened once; every test works in a run of its own. */
export function otelTraceStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`OtelTraceStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const recordFor = (short: ShortSpan, session_id: string | null = null): LogRecord =>
      recordOfSpan(mapSpan(expandSpan(short), 'lib', RESOURCE, MAPPING), { ...run, now: CREATED }, session_id);
    const traceFor = ({ trace_id }: LogRecord) =>
      blankTrace(trace_id, '4bf92f3577b34da6a3ce929d0e0e4736', { ...run, now: CREATED });
    const find = ({ project_id, id, run_id }: LogRecord) => stores.traceStore.find(project_id, id, run_id);
    const reassemble = (...traces: LogRecord[]) =>
      stores.otelTraceStore.reassemble(
        run.project_id,
        run.run_id,
        traces.map(({ id }) => id),
      );

    it('tells what stands under ids, of the run alone', async () => {
      const done = recordFor({ spanId: ROOT, endMs: 100 });
      const running = recordFor({ spanId: CHILD, parentSpanId: ROOT, endMs: null });
      const other = span(traceFor(done));
      await write(stores, [traceFor(done), done, running, other]);
      const ids = [done.trace_id, done.id, running.id, other.id, randomUUID()];
      const standings = await stores.otelTraceStore.standings(run.project_id, run.run_id, ids);
      const { trace_id } = done;
      const standing = (id: string, ended_at: string | null) => [id, { id, trace_id, session_id: trace_id, ended_at }] as const;
      expect(standings).toEqual(
        new Map([
          standing(trace_id, null),
          standing(done.id, '2026-01-01T00:00:00.100000Z'),
          standing(running.id, null),
          standing(other.id, null),
        ]),
      );
      expect(await stores.otelTraceStore.standings(run.project_id, (await newRun(stores, run.project_id)).run_id, ids)).toEqual(
        new Map(),
      );
    });

    it('tells each of many that ask at once what stands in its own run', async () => {
      const runs = [run, await newRun(stores, run.project_id), await newRun(stores)];
      const done = recordFor({ spanId: ROOT, endMs: 100 });
      const kept = runs.map((own, at): LogRecord[] => [
        { ...traceFor(done), ...own },
        { ...done, ...own, session_id: `aaaaaaaa-aaaa-4aaa-8aaa-00000000000${at}` },
      ]);
      for (const records of kept) await write(stores, records);
      const asked = Array.from({ length: 100 }, (_, at) => at % runs.length);
      const standings = await Promise.all(
        asked.map((at) => stores.otelTraceStore.standings(runs[at]!.project_id, runs[at]!.run_id, [done.id, randomUUID()])),
      );
      const expected = asked.map((at) => [[done.id, kept[at]![1]!.session_id]]);
      expect(standings.map((found) => [...found.values()].map(({ id, session_id }) => [id, session_id]))).toEqual(expected);
    });

    it('makes the record of a trace of its spans, and notes which of them have children', async () => {
      const told = { 'input.value': 'why', 'output.value': 'because \ud800 \0', 'tag.tags': ['a'], 'eval.dataset.input': 'row' };
      const root = recordFor({
        spanId: ROOT,
        name: 'ask',
        endMs: 200,
        attributes: { 'openinference.span.kind': 'CHAIN', ...told },
      });
      const child = recordFor({ spanId: CHILD, parentSpanId: ROOT, startMs: 10, endMs: 20 });
      await write(stores, [traceFor(root), root, child]);
      await reassemble(traceFor(root));
      const made = (await find(traceFor(root)))!;
      expect(made).toMatchObject({ name: 'ask', input: 'why', tags: ['a'], dataset_input: 'row', is_complete: true });
      expect(made).toMatchObject({ output: root.output, has_children: true, metrics: { duration_ns: 200_000_000 } });
      expect(await find(root)).toMatchObject({ has_children: true, is_complete: true });
      expect(await find(child)).toMatchObject({ has_children: false });
    });

    it('leaves the numbers of a call that two spans report to the one that counts, whichever comes first', async () => {
      const call = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 10 };
      const outer = recordFor({ spanId: ROOT, endMs: 100, attributes: call });
      const inner = recordFor({ spanId: CHILD, parentSpanId: ROOT, startMs: 10, endMs: 90, attributes: call });
      const whole = traceFor(outer);
      const numbers = async () => {
        await reassemble(whole);
        const found = [await find(outer), await find(inner), await find(whole)];
        return found.map((record) => record?.metrics.num_input_tokens);
      };
      await write(stores, [whole, outer]);
      expect(await numbers()).toEqual([100, undefined, 100]);
      await write(stores, [inner]);
      expect(await numbers()).toEqual([undefined, 100, 100]);
      expect((await find(outer))!.user_metadata['otel.counted_elsewhere']).toContain('"num_input_tokens":100');
      expect((await find(outer))!.metrics.duration_ns).toBe(100_000_000);
      expect(await numbers()).toEqual([undefined, 100, 100]);
      await write(stores, [outer]);
      expect(await numbers()).toEqual([undefined, 100, 100]);
      await write(stores, [recordFor({ spanId: CHILD, parentSpanId: ROOT, startMs: 10, endMs: 95 })]);
      expect(await numbers()).toEqual([100, undefined, 100]);
      expect((await find(outer))!.user_metadata).not.toHaveProperty('otel.counted_elsewhere');
    });

    it('leaves a trace that is so already as it is', async () => {
      const root = recordFor({ spanId: ROOT });
      await write(stores, [traceFor(root), root]);
      await reassemble(traceFor(root));
      const made = await find(traceFor(root));
      await reassemble(traceFor(root));
      expect(await find(traceFor(root))).toEqual(made);
    });

    it('moves the spans of a trace to its session', async () => {
      const session_id = randomUUID();
      const early = recordFor({ spanId: CHILD, parentSpanId: ROOT });
      await write(stores, [traceFor(early), early]);
      const root = recordFor({ spanId: ROOT, attributes: { 'session.id': 's' } }, session_id);
      await write(stores, [root]);
      await reassemble(traceFor(early));
      for (const record of [traceFor(early), early, root]) expect(await find(record)).toMatchObject({ session_id });
    });

    it('never takes completion back', async () => {
      const root = recordFor({ spanId: ROOT });
      await write(stores, [traceFor(root), root]);
      await reassemble(traceFor(root));
      await write(stores, [recordFor({ spanId: CHILD, parentSpanId: 'cccccccccccccccc', endMs: null })]);
      await reassemble(traceFor(root));
      expect(await find(traceFor(root))).toMatchObject({ is_complete: true });
    });

    it('leaves the content of a trace that was logged another way to whoever logged it', async () => {
      const root = recordFor({ spanId: ROOT, name: 'ask' });
      const own = trace(run, { id: root.trace_id, name: 'mine', is_complete: false });
      await write(stores, [own, root]);
      await reassemble(own);
      expect(await find(own)).toMatchObject({ name: 'mine', is_complete: false, has_children: true });
    });

    it('asks for the scoring of traces that are complete, where a scorer is enabled', async () => {
      const root = recordFor({ spanId: ROOT });
      await write(stores, [traceFor(root), root]);
      await reassemble(traceFor(root));
      expect(await stores.jobs(run)).toEqual([]);
      await enableScorer(stores, run);
      await reassemble(traceFor(root));
      expect(await stores.jobs(run)).toEqual([{ ...run, trace_ids: [root.trace_id] }]);
    });

    it('asks for nothing while a trace is incomplete', async () => {
      await enableScorer(stores, run);
      const child = recordFor({ spanId: CHILD, parentSpanId: ROOT });
      await write(stores, [traceFor(child), child]);
      await reassemble(traceFor(child));
      expect(await find(traceFor(child))).toMatchObject({ is_complete: false });
      expect(await stores.jobs(run)).toEqual([]);
    });

    it('passes over traces that are not there', async () => {
      await reassemble(trace(run));
      await stores.otelTraceStore.reassemble(randomUUID(), randomUUID(), [randomUUID()]);
    });

    it('loses nothing of spans that come one by one at once', async () => {
      const spans = Array.from({ length: 12 }, (_, at) =>
        recordFor({ spanId: `${at + 10}`.padStart(16, '0'), name: `n${at}`, attributes: { 'tag.tags': [`t${at}`] } }),
      );
      await write(stores, [traceFor(spans[0]!)]);
      await Promise.all(
        spans.map(async (one) => {
          await write(stores, [one]);
          await reassemble(traceFor(one));
        }),
      );
      expect((await find(traceFor(spans[0]!)))!.tags.toSorted()).toEqual(spans.map((_, at) => `t${at}`).toSorted());
    });
  });
}
