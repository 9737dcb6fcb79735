import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
let project_id: string;
let log_stream_id: string;
let other_id: string;
let at: string;
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const spans = [{ type: 'tool', name: 'look' }];

beforeEach(async () => {
  server = await startTestServer();
  project_id = (await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id;
  at = `/v2/projects/${project_id}`;
  const stream = async (name: string): Promise<string> => (await server.request('POST', `${at}/log_streams`, { name })).body.id;
  [log_stream_id, other_id] = [await stream('default'), await stream('other')];
  for (const id of [log_stream_id, other_id]) {
    const traces = [40, 20, 1].map((days) => ({ name: `${days}`, created_at: daysAgo(days), spans }));
    await server.request('POST', `${at}/traces`, { log_stream_id: id, traces });
  }
});
afterEach(() => server.close());

const put = (days: unknown, path = 'retention') => server.request('PUT', `${at}/${path}`, { days });
const ofStream = (): string => `log_streams/${log_stream_id}/retention`;
const names = async (id: string): Promise<string[]> => {
  const { body } = await server.request('POST', `${at}/traces/search`, { log_stream_id: id });
  return body.records.map(({ name }: { name: string }) => name);
};
const pass = () => server.cradle.retentionService.run();

describe('retention', () => {
  it('is for ever until something else is said', async () => {
    const { status, body } = await server.request('GET', `${at}/retention`);
    expect(status).toBe(200);
    expect(body).toEqual({ project_id, log_stream_id: null, days: null, effective_days: null });
    expect(await pass()).toEqual({ traces: 0, spans: 0, sessions: 0, more: false });
  });

  it('of a log stream is its own, else that of the project', async () => {
    expect((await put(30)).body).toEqual({ project_id, log_stream_id: null, days: 30, effective_days: 30 });
    expect((await server.request('GET', `${at}/${ofStream()}`)).body).toEqual({
      ...{ project_id, log_stream_id, days: null, effective_days: 30 },
    });
    expect((await put(10, ofStream())).body).toMatchObject({ days: 10, effective_days: 10 });
    expect((await put(null, ofStream())).body).toMatchObject({ days: null, effective_days: 30 });
    expect((await put(null)).body).toMatchObject({ days: null, effective_days: null });
  });

  it('removes what is older, with all below it, and tells before what it would remove', async () => {
    await put(30);
    await put(10, ofStream());
    const preview = async (path: string) => (await server.request('POST', `${at}/${path}/dry_run`)).body;
    expect(await preview(ofStream())).toEqual({ traces: 2, spans: 2, sessions: 0 });
    expect(await preview('retention')).toEqual({ traces: 3, spans: 3, sessions: 0 });
    expect(await names(log_stream_id)).toEqual(['1', '20', '40']);
    expect(await pass()).toEqual({ traces: 3, spans: 3, sessions: 0, more: false });
    expect(await names(log_stream_id)).toEqual(['1']);
    expect(await names(other_id)).toEqual(['1', '20']);
    expect(await preview('retention')).toEqual({ traces: 0, spans: 0, sessions: 0 });
  });

  it('goes over everything in passes of some traces each', async () => {
    await put(10);
    const passes = [];
    for (let more = true; more; ) {
      const counts = await server.cradle.retentionService.run(1);
      passes.push(counts.traces);
      more = counts.more;
    }
    expect(passes).toEqual([1, 1, 1, 1, 0]);
    expect([await names(log_stream_id), await names(other_id)]).toEqual([['1'], ['1']]);
  });

  it('leaves log streams without a rule alone', async () => {
    await put(10, ofStream());
    await pass();
    expect(await names(other_id)).toEqual(['1', '20', '40']);
  });

  it('is noted in the audit log: who set it, and what went', async () => {
    await put(10, ofStream());
    await pass();
    const { entries } = (await server.request('GET', '/v2/audit_log')).body;
    const find = (action: string) => entries.find((entry: { action: string }) => entry.action === action);
    expect(find('retention.set')).toMatchObject({ object_id: project_id, details: { log_stream_id, days: 10 } });
    expect(find('records.expire')).toMatchObject({
      actor_id: null,
      details: { run_id: log_stream_id, traces: 2, spans: 2, sessions: 0 },
    });
  });

  it('forgets rules of log streams and projects that are gone', async () => {
    const { retentionStore } = server.cradle;
    await put(30);
    await put(10, ofStream());
    await server.request('DELETE', `${at}/log_streams/${log_stream_id}`);
    await pass();
    expect(await retentionStore.listRules(project_id)).toEqual([{ project_id, run_id: null, days: 30 }]);
    await server.request('DELETE', at);
    await pass();
    expect(await retentionStore.listProjects()).toEqual([]);
  });

  it.each([0, -1, 3_651, 1.5, '7', undefined])('takes no %j for a number of days', async (days) => {
    expect(await put(days)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'days'] }] } });
  });

  it('is 404 for an unknown log stream or project', async () => {
    const unknown = `log_streams/${randomUUID()}/retention`;
    expect((await put(7, unknown)).body.code).toBe('log_stream_not_found');
    expect((await server.request('GET', `${at}/${unknown}`)).status).toBe(404);
    expect((await server.request('POST', `${at}/${unknown}/dry_run`)).status).toBe(404);
    expect((await server.request('GET', `/v2/projects/${randomUUID()}/retention`)).status).toBe(404);
  });
});
