import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../harness.ts';
import { startWithLogStream } from '../projects/log-stream-fixture.ts';

let server: TestServer;
let log_stream_id: string;
let at: string;
beforeEach(async () => {
  ({ server, at, log_stream_id } = await startWithLogStream());
  const spans = [{ type: 'llm', metrics: { num_input_tokens: 3 } }];
  const traces = [
    { name: 'a', created_at: '2026-01-01T00:01:00Z', metrics: { duration_ns: 10 }, spans },
    { name: 'b', created_at: '2026-01-01T00:02:00Z', metrics: { duration_ns: 30 }, status_code: 500, spans },
    { name: 'a', created_at: '2026-01-01T00:11:00Z' },
  ];
  expect((await post('traces', { log_stream_id, traces })).status).toBe(200);
});
afterEach(() => server.close());

const post = (path: string, body?: unknown) => server.request('POST', `${at}/${path}`, body);
const times = { start_time: '2026-01-01T01:00:00+01:00', end_time: '2026-01-01T00:12:00Z' };
const search = (body: object = {}) => post('metrics/search', { log_stream_id, ...times, ...body });

describe('numbers of a run over time', () => {
  it('come by buckets of five minutes, those without traces too, and together', async () => {
    const { status, body } = await search({ project_id: 'ignored', experiment_id: null });
    expect(status).toBe(200);
    const durations = { average_duration_ns: 20, p50_duration_ns: 20, p95_duration_ns: 29 };
    const first = { requests: 2, errors: 1, ...durations, num_input_tokens: 6 };
    expect(body).toEqual({
      group_by_columns: [],
      aggregate_metrics: { ...first, requests: 3 },
      bucketed_metrics: {
        overall: [
          { start_bucket_time: '2026-01-01T00:00:00.000Z', end_bucket_time: '2026-01-01T00:05:00.000Z', ...first },
          { start_bucket_time: '2026-01-01T00:05:00.000Z', end_bucket_time: '2026-01-01T00:10:00.000Z', requests: 0, errors: 0 },
          { start_bucket_time: '2026-01-01T00:10:00.000Z', end_bucket_time: '2026-01-01T00:12:00.000Z', requests: 1, errors: 0 },
        ],
      },
    });
  });

  it('come by the values of a column', async () => {
    const { body } = await search({ group_by: 'name', interval: 60 });
    expect(body.group_by_columns).toEqual(['name']);
    expect(Object.keys(body.bucketed_metrics).sort()).toEqual(['a', 'b']);
    expect(body.bucketed_metrics.a).toMatchObject([{ requests: 2, errors: 0 }]);
    const { body: byStatus } = await search({ group_by: 'status_code', interval: 60 });
    expect(Object.keys(byStatus.bucketed_metrics).sort()).toEqual(['500', 'none']);
  });

  it('are those of the traces that match', async () => {
    const filters = [{ type: 'text', column_id: 'name', operator: 'eq', value: 'b' }];
    expect((await search({ filters })).body.aggregate_metrics).toMatchObject({ requests: 1, errors: 1 });
  });

  it('are there for a run without traces', async () => {
    const { body } = await search({ start_time: '2020-01-01T00:00:00Z', end_time: '2020-01-01T00:05:00Z' });
    expect(body).toMatchObject({ aggregate_metrics: { requests: 0 }, bucketed_metrics: { overall: [{ requests: 0 }] } });
  });

  it.each<[object, string, string]>([
    [{ start_time: null }, 'start_time', 'invalid_type'],
    [{ end_time: 'tomorrow' }, 'end_time', 'invalid_format'],
    [{ end_time: times.start_time }, 'end_time', 'time_range_empty'],
    [{ end_time: '2030-01-01T00:00:00Z' }, 'interval', 'too_many_buckets'],
    [{ interval: 0 }, 'interval', 'too_small'],
    [{ interval: 1.5 }, 'interval', 'invalid_type'],
    [{ group_by: 'nothing' }, 'group_by', 'group_by_invalid'],
    [{ group_by: 'tags' }, 'group_by', 'group_by_invalid'],
    [{ group_by: 'created_at' }, 'group_by', 'group_by_invalid'],
    [{ group_by: 'model' }, 'group_by', 'group_by_invalid'],
  ])('asked for with %j are refused', async (body, field, type) => {
    const reply = await search(body);
    expect(reply.status).toBe(422);
    expect(reply.body.detail[0]).toMatchObject({ loc: ['body', field], type });
  });

  it('are bounded over all groups', async () => {
    const traces = Array.from({ length: 101 }, (_, index) => ({ name: `n${index}`, created_at: '2026-01-01T00:03:00Z' }));
    await post('traces', { log_stream_id, traces });
    const reply = await search({ group_by: 'name', interval: 1, end_time: '2026-01-01T16:40:00Z' });
    expect(reply).toMatchObject({ status: 422, body: { code: 'too_many_buckets' } });
  });

  it('are 404 for an unknown run', async () => {
    expect((await search({ log_stream_id: randomUUID() })).status).toBe(404);
  });
});
