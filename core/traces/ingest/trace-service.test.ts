import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { enableScorer, newRun, type RecordStores, type RunKey, trace } from '../../../test/contracts/traces/record-stores.ts';
import { type Access, openMemoryAccess, share, someone } from '../../../test/setup/access.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';
import type { TraceStore } from '../trace-store.ts';
import { NewSpans, NewTraces, TraceUpdate } from './ingest-schema.ts';
import { TraceService } from './trace-service.ts';

const caller = someone();
const [TRACE, SPAN] = [randomUUID(), randomUUID()];

let stores: RecordStores;
let access: Access;
let run: RunKey;
beforeEach(async () => {
  stores = openMemoryStores();
  access = openMemoryAccess();
  run = await newRun(stores);
  await share(access, ['project', run.project_id], caller, 'editor');
});

const serviceOn = (more: Partial<{ traceStore: TraceStore }> = {}) =>
  new TraceService({
    ...stores,
    ...access,
    priceLookup: { pricesFor: async () => () => undefined },
    fileUrls: { urlsOf: async () => new Map() },
    explain: () => [],
    clock: () => new Date(),
    newId: () => randomUUID(),
    ...more,
  });
const ids = () => ({ log_stream_id: run.run_id });
const logTrace = (service: TraceService, more: object = {}) =>
  service.logTraces(caller, run.project_id, NewTraces.parse({ ...ids(), traces: [{ id: TRACE }], ...more }));
const logSpan = (service: TraceService) =>
  service.logSpans(
    caller,
    run.project_id,
    NewSpans.parse({ ...ids(), trace_id: TRACE, parent_id: TRACE, spans: [{ type: 'tool', id: SPAN }] }),
  );
const complete = (service: TraceService) =>
  service.updateTrace(caller, run.project_id, TRACE, TraceUpdate.parse({ ...ids(), is_complete: true }));
const askedFor = async () => (await stores.jobs(run)).flatMap(({ trace_ids }) => trace_ids);

describe('a batch that is sent again', () => {
  it('is summed up again by one reading of metrics, and changes of the traces whose sums are others', async () => {
    const sent = Array.from({ length: 50 }, () => ({
      id: randomUUID(),
      spans: [{ type: 'llm', input: 'x', output: 'y', metrics: { num_input_tokens: 2 } }],
    }));
    await logTrace(serviceOn(), { traces: sent });
    const calls: string[] = [];
    const traceStore = new Proxy(stores.traceStore, {
      get: (store, name) => {
        const method = Reflect.get(store, name) as (...values: unknown[]) => unknown;
        return (...values: unknown[]) => {
          calls.push(String(name));
          return method.apply(store, values);
        };
      },
    });
    const metricsOf = async (id: string) => (await stores.traceStore.find(run.project_id, id))?.metrics;
    await logTrace(serviceOn({ traceStore }), { traces: sent.map(({ id }) => ({ id })) });
    expect(calls).toEqual(['write', 'listMetrics', 'amendAll', 'amendAll', 'amendAll']);
    expect(await metricsOf(sent[49]!.id)).toMatchObject({ num_input_tokens: 2 });
    calls.length = 0;
    await logTrace(serviceOn({ traceStore }), {
      traces: sent.map(({ id }) => ({ id, metrics: { num_input_tokens: 2 } })),
    });
    expect(calls.slice(0, 2)).toEqual(['write', 'listMetrics']);
  });
});

describe('asking for scores', () => {
  it('names complete traces, and no incomplete one that brings nothing to score', async () => {
    await enableScorer(stores, run);
    await logTrace(serviceOn(), { traces: [{ id: TRACE }, {}] });
    expect(await askedFor()).toHaveLength(2);
    await logTrace(serviceOn(), { traces: [{}], is_complete: false });
    expect(await askedFor()).toHaveLength(2);
  });

  it('is not forgotten for a span that arrives while its trace is being completed', async () => {
    await enableScorer(stores, run);
    const { traceStore } = stores;
    await logTrace(serviceOn(), { is_complete: false });
    let jobsBefore = 0;
    const slow: TraceStore = Object.assign(Object.create(traceStore) as TraceStore, {
      find: (...key: Parameters<TraceStore['find']>) => traceStore.find(...key),
      write: async (batch: Parameters<TraceStore['write']>[0]) => {
        await complete(serviceOn());
        jobsBefore = (await askedFor()).length;
        return traceStore.write(batch);
      },
    });
    await logSpan(serviceOn({ traceStore: slow }));
    expect((await askedFor()).slice(jobsBefore)).toEqual([TRACE]);
  });

  it('is not needed in a run without scorers', async () => {
    await logTrace(serviceOn());
    await logSpan(serviceOn());
    await complete(serviceOn());
    expect(await askedFor()).toEqual([]);
  });
});

describe('settings that change while a batch is planned', () => {
  it('lead to a new plan', async () => {
    const { runDirectory } = stores;
    let asked = 0;
    const late = {
      findRun: async (project_id: string, run_id: string, fresh?: boolean) => {
        const before = await runDirectory.findRun(project_id, run_id, fresh);
        asked += 1;
        if (asked === 1) await enableScorer(stores, run);
        return before;
      },
    };
    const service = new TraceService({
      ...stores,
      ...access,
      runDirectory: late,
      priceLookup: { pricesFor: async () => () => undefined },
      fileUrls: { urlsOf: async () => new Map() },
      explain: () => [],
      clock: () => new Date(),
      newId: () => randomUUID(),
    });
    await logTrace(service);
    expect(asked).toBe(2);
    expect(await askedFor()).toEqual([TRACE]);
  });

  it('without end are a busy run', async () => {
    const busy = Object.assign(Object.create(stores.traceStore) as TraceStore, { write: async () => 'run_changed' as const });
    const attempt = logTrace(serviceOn({ traceStore: busy }));
    await expect(attempt).rejects.toMatchObject({ kind: 'unavailable', code: 'run_busy', retryAfterSeconds: 1 });
    expect(await stores.traceStore.find(run.project_id, trace(run, { id: TRACE }).id)).toBeUndefined();
  });
});
