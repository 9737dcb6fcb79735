import { asValue } from 'awilix';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
let now: Date;
let project_id: string;
let run_id: string;
let run: string;

beforeEach(async () => {
  now = new Date('2026-03-01T12:00:00.000Z');
  server = await startTestServer({ overrides: { clock: asValue(() => now) } });
  project_id = (await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id;
  run_id = (await server.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'default' })).body.id;
  run = `/v2/projects/${project_id}/runs/${run_id}`;
});
afterEach(() => server.close());

const patch = (body: unknown) => server.request('PATCH', `${run}/insights-settings`, body);
const enable = (enabled: boolean | null) => patch({ insights: { logstream: { enabled } } });
const shown = (enabled: boolean, start_time: string | null) => ({ run_id, insights: { logstream: { enabled, start_time } } });
const list = async (query = '') => (await server.request('GET', `${run}/insights${query}`)).body;

describe('insights settings', () => {
  it('are off until they are set, and remember when they were first switched on', async () => {
    const get = async () => (await server.request('GET', `${run}/insights-settings`)).body;
    expect(await get()).toEqual(shown(false, null));
    expect((await enable(false)).body).toEqual(shown(false, null));
    const first = now.toISOString();
    expect((await enable(true)).body).toEqual(shown(true, first));
    now = new Date(now.getTime() + 60_000);
    expect((await enable(false)).body).toEqual(shown(false, first));
    expect((await enable(true)).body).toEqual(shown(true, first));
    expect((await patch({ insights: { logstream: {} } })).body).toEqual(shown(true, first));
    expect(await get()).toEqual(shown(true, first));
  });

  it.each([[{ insights: { logstream: { enabled: 'yes' } } }], [{ insights: [] }], [[]]])('refuse %j', async (body) => {
    expect((await patch(body)).status).toBe(422);
  });
});

describe('insights', () => {
  const failing = () => ({ input: 'x', created_at: now.toISOString(), status_code: 500, output: 'no such user 7' });

  it('are found once that is switched on, and can be dismissed', async () => {
    const log_stream_id = run_id;
    const traces = [failing(), failing(), failing()];
    await server.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, traces });
    now = new Date(now.getTime() + 60_000);
    expect(await server.cradle.insightScan.run()).toBe(false);
    await enable(true);
    expect(await server.cradle.insightScan.run()).toBe(true);
    const { insights, ...page } = await list('?status=open');
    expect(page).toEqual({ starting_token: 0, limit: 100, paginated: false, next_starting_token: null });
    expect(insights).toMatchObject([{ kind: 'error_cluster', run_id, occurrences: 3, status: 'open' }]);
    const path = `${run}/insights/${insights[0].id}`;
    expect((await server.request('PATCH', path, { status: 'dismissed' })).body).toEqual({ ...insights[0], status: 'dismissed' });
    now = new Date(now.getTime() + 600_000);
    await server.cradle.insightScan.run();
    expect((await list('?status=open')).insights).toEqual([]);
    expect((await list()).insights).toMatchObject([{ id: insights[0].id, status: 'dismissed', last_seen_at: now.toISOString() }]);
    const unknown = await server.request('PATCH', `${run}/insights/${run_id}`, { status: 'open' });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'insight_not_found' } });
  });

  it('name the step that most of the money goes to, by costs that the service computed', async () => {
    const llm = (name: string, num_input_tokens: number) => ({
      ...{ type: 'llm', name, model: 'gpt-4o', input: 'x', output: 'y', created_at: now.toISOString() },
      metrics: { num_input_tokens, num_output_tokens: 10 },
    });
    const traces = Array.from({ length: 20 }, () => ({
      ...{ input: 'x', created_at: now.toISOString() },
      spans: [llm('answer', 100_000), llm('title', 100)],
    }));
    await server.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id: run_id, traces });
    await enable(true);
    now = new Date(now.getTime() + 60_000);
    await server.cradle.insightScan.run();
    const { insights } = await list();
    expect(insights).toMatchObject([
      { kind: 'costly_step', occurrences: 20, title: expect.stringContaining('answer'), status: 'open' },
    ]);
  });

  it('are looked for no longer once that is switched off', async () => {
    await enable(true);
    await enable(false);
    expect(await server.cradle.insightScan.run()).toBe(false);
  });
});
