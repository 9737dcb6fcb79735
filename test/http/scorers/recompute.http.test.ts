import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../setup/timing.ts';
import type { TestServer } from '../harness.ts';
import { startWithLogStream } from '../projects/log-stream-fixture.ts';

let server: TestServer;
let at: string;
let log_stream_id: string;
let scorer_id: string;
beforeEach(async () => {
  ({ server, at, log_stream_id } = await startWithLogStream());
  scorer_id = await scorer('dice');
});
afterEach(() => server.close());

const post = (path: string, body?: unknown) => server.request('POST', `${at}/${path}`, body);
const recompute = (body: object = {}, path = 'recompute-metrics') =>
  post(path, { log_stream_id, scorer_ids: [scorer_id], ...body });
const enable = (...ids: string[]) =>
  server.request('PATCH', `${at}/log_streams/${log_stream_id}/metric_settings`, { scorers: ids.map((id) => ({ id })) });

/** A scorer that says something else each time, of traces and tools. */
async function scorer(name: string): Promise<string> {
  const facts = { name, scorer_type: 'code', scoreable_node_types: ['trace', 'tool'] };
  const { id } = (await server.request('POST', '/v2/scorers', facts)).body;
  const form = new FormData();
  form.append('file', new Blob(['function scorer() { return Math.random(); }']), 'scorer.js');
  expect((await server.request('POST', `/v2/scorers/${id}/version/code`, undefined, { raw: form })).status).toBe(200);
  return id;
}

async function log(name = 'a'): Promise<string> {
  const { body } = await post('traces', { log_stream_id, traces: [{ name, spans: [{ type: 'tool', name: 'look' }] }] });
  return body.trace_ids[0];
}

/** Waits for the job, and sees what came of it. */
const done = (job_id: string, result: object = {}) =>
  eventually(async () => {
    expect(await server.cradle.jobStore.find(job_id)).toMatchObject({
      status: 'completed',
      job_name: 'recompute_metrics',
      result,
    });
  });
const toValues = async (id: string, metric = 'dice') => {
  const { body } = await server.request('GET', `${at}/traces/${id}`);
  return [body, body.spans[0]].map(({ metric_info }) => metric_info[metric]?.value as number | undefined);
};
const scored = (id: string, metric = 'dice') =>
  eventually(async () => {
    const values = await toValues(id, metric);
    expect(values).toEqual([expect.any(Number), expect.any(Number)]);
    return values;
  });

describe('computing metrics again', () => {
  it.each(['recompute-metrics', 'recompute_metrics'])('by %s judges the traces that match and all in them anew', async (path) => {
    await enable(scorer_id);
    const [again, other] = [await log('a'), await log('b')];
    const [before, left] = [await scored(again), await scored(other)];
    const filters = [{ type: 'text', column_id: 'name', operator: 'eq', value: 'a' }];
    const reply = await recompute({ filters, limit: 1 }, path);
    expect(reply).toMatchObject({ status: 200, body: { records: 1, dry_run: false, job_id: expect.any(String) } });
    await done(reply.body.job_id, { records: 1, scores_removed: 2 });
    const after = await scored(again);
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect(await toValues(other)).toEqual(left);
    const counted = async (id: string) =>
      (await server.request('GET', `${at}/runs/${log_stream_id}/records/${id}/scores`)).body.scores.map(
        ({ times_scored }: { times_scored: number }) => times_scored,
      );
    expect([await counted(again), await counted(other)]).toEqual([[2], [1]]);
  });

  it('judges what was logged before the scorer was enabled', async () => {
    const id = await log();
    await enable(scorer_id);
    expect(await toValues(id)).toEqual([undefined, undefined]);
    const { body } = await recompute();
    await done(body.job_id, { records: 1, scores_removed: 0 });
    await scored(id);
  });

  it('leaves what other scorers said', async () => {
    const other = await scorer('coin');
    await enable(scorer_id, other);
    const id = await log();
    await scored(id);
    const before = await scored(id, 'coin');
    await done((await recompute()).body.job_id);
    await scored(id);
    expect(await toValues(id, 'coin')).toEqual(before);
  });

  it('only counts when asked to', async () => {
    await enable(scorer_id);
    const id = await log();
    const before = await scored(id);
    expect((await recompute({ dry_run: true })).body).toEqual({
      message: '1 traces would be scored again',
      records: 1,
      estimated_cost: 0,
      dry_run: true,
      job_id: null,
    });
    expect(await toValues(id)).toEqual(before);
  });

  it('refuses scorers that are not enabled, and changes nothing', async () => {
    await enable(scorer_id);
    const id = await log();
    const before = await scored(id);
    const reply = await recompute({ scorer_ids: [scorer_id, randomUUID()] });
    expect(reply).toMatchObject({ status: 422, body: { code: 'scorer_not_enabled' } });
    expect(reply.body.detail[0].loc).toEqual(['body', 'scorer_ids', 1]);
    expect((await recompute({ scorer_ids: [] })).status).toBe(422);
    expect((await recompute({ scorer_ids: null })).status).toBe(422);
    expect((await recompute({ log_stream_id: randomUUID() })).status).toBe(404);
    expect(await toValues(id)).toEqual(before);
  });
});
