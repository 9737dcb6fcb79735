import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { entry, newRun, type RecordStores, type RunKey, trace, write } from '../../../test/contracts/traces/record-stores.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';
import type { JobProgress, JobRecord } from '../../jobs/job.ts';
import type { LogRecord } from '../../traces/record.ts';
import { estimatedCost } from './recompute-cost.ts';
import { RecomputeJob } from './recompute-job.ts';

const STARTED = '2026-01-02T00:00:00.000Z';
const never = new AbortController().signal;

let stores: RecordStores;
let run: RunKey;
let reports: JobProgress[];
const scorer_id = randomUUID();

beforeEach(async () => {
  stores = openMemoryStores();
  run = await newRun(stores);
  reports = [];
});

const score = ({ id }: LogRecord, scored_at: string, cost?: number | null) => {
  const said = { metric_name: 'm', status_type: 'success', value: 1, explanation: null, message: null, judged: null } as const;
  const effort = cost === undefined ? null : { cost };
  return stores.scoreStore.insert([
    { ...run, record_id: id, scorer_id, scorer_version_id: randomUUID(), ...said, effort, scored_at },
  ]);
};
const traces = async (count: number): Promise<LogRecord[]> => {
  const records = Array.from({ length: count }, () => trace(run));
  await write(stores, records);
  return records;
};

describe('the job that has traces judged again', () => {
  const begin = () => {
    const job = {
      ...run,
      request_data: { log_stream_id: run.run_id, scorer_ids: [scorer_id] },
      created_at: STARTED,
      steps_total: 250,
    };
    const context = { report: async (progress: JobProgress) => void reports.push(progress) };
    return new RecomputeJob(stores).run(job as unknown as JobRecord, context, never);
  };

  it('hands all of them over, some at a time, and tells how far it is', async () => {
    const records = await traces(250);
    for (const record of records) await score(record, '2026-01-01T00:00:00.000Z');
    expect(await begin()).toEqual({ records: 250, scores_removed: 250 });
    const jobs = await stores.jobs(run);
    expect(jobs.map(({ trace_ids }) => trace_ids.length)).toEqual([100, 100, 50]);
    expect(new Set(jobs.flatMap(({ trace_ids }) => trace_ids)).size).toBe(250);
    expect(reports.map(({ steps_completed, steps_total }) => [steps_completed, steps_total])).toEqual([
      [100, 250],
      [200, 250],
      [250, 250],
    ]);
  });

  it('leaves alone what was judged since it was first begun', async () => {
    const [again, fresh] = (await traces(2)) as [LogRecord, LogRecord];
    await score(again, '2026-01-01T23:59:59.999Z');
    await score(fresh, '2026-01-02T00:00:00.001Z');
    expect(await begin()).toEqual({ records: 2, scores_removed: 1 });
    expect(await stores.scoreStore.list(run.project_id, run.run_id, [fresh.id])).toHaveLength(1);
  });
});

describe('what judging again would cost', () => {
  const cost = (model_type: string, count: number) => {
    const settings = { scorers: [entry({ id: scorer_id, model_type })], segment_filters: [] };
    return estimatedCost(stores, { ...run, level: 'trace', where: { and: [] } }, settings, [scorer_id], count);
  };

  it('is taken from what it cost before, by trace', async () => {
    const [one, two] = (await traces(3)) as [LogRecord, LogRecord];
    await score(one, STARTED, 0.25);
    await score(two, STARTED, 0.75);
    expect(await cost('llm', 3)).toBe(1.5);
    expect(await cost('code', 3)).toBe(0);
  });

  it('is not known without prices, or results', async () => {
    const [one, two] = (await traces(2)) as [LogRecord, LogRecord];
    expect(await cost('llm', 2)).toBeNull();
    await score(one, STARTED, 0.25);
    await score(two, STARTED, null);
    expect(await cost('llm', 2)).toBeNull();
    expect(await cost('llm', 0)).toBe(0);
  });
});
