import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asValue } from 'awilix';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';

const ALERTS_OF_HANGING = 6;
/** Deliveries of one project at once. */
const AT_ONCE = 2;

let server: TestServer;
let receiver: Server;
let origin: string;
let now = Date.parse('2026-03-01T12:02:00.000Z');
/** Requests that wait for a response. */
const hanging: ServerResponse[] = [];
const taken: string[] = [];

beforeAll(async () => {
  receiver = createServer((req, res) => {
    if (req.url === '/hangs') return void hanging.push(res);
    taken.push(req.url!);
    res.writeHead(204).end();
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const { port } = receiver.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  const overrides = { clock: asValue(() => new Date(now)) };
  server = await startTestServer({ allowedEndpoints: [`127.0.0.1:${port}`], overrides });
});
afterAll(async () => {
  await server.close();
  receiver.closeAllConnections();
  receiver.close();
});

/** A project with alerts that are told to the path, and that the next evaluation finds firing. */
async function projectWithAlerts(path: string, count: number): Promise<void> {
  const { id } = (await server.request('POST', '/v2/projects', { name: `told at ${path}` })).body;
  const stream = (await server.request('POST', `/v2/projects/${id}/log_streams`, { name: 'default' })).body;
  const trends = `/v2/projects/${id}/log_streams/${stream.id}/trends`;
  const widget = { name: 'Cost', metric: 'cost', aggregation: 'Max', section_id: 'mine', dataset: [{ record_types: ['trace'] }] };
  const { id: widget_id } = (await server.request('POST', `${trends}/widgets`, widget)).body;
  for (let at = 0; at < count; at += 1) {
    const alert = { name: `costly ${at}`, widget_id, operator: 'above', threshold: 10, webhook_url: origin + path };
    expect((await server.request('POST', `${trends}/alerts`, alert)).status).toBe(200);
  }
  const traces = [{ input: 'x', created_at: new Date(now).toISOString(), metrics: { cost: 12 } }];
  await server.request('POST', `/v2/projects/${id}/traces`, { log_stream_id: stream.id, traces });
}

describe('a channel that does not respond', () => {
  it('holds up neither the alerts of another project nor more than its share of the deliveries', async () => {
    await projectWithAlerts('/hangs', ALERTS_OF_HANGING);
    await projectWithAlerts('/responds', 3);
    now += 3_600_000;
    while (await server.cradle.alertEvaluator.run());
    const stop = new AbortController();
    const sending = server.cradle.notificationSender.run(stop.signal);
    await eventually(() => expect(taken).toEqual(['/responds', '/responds', '/responds']));
    const open = () => hanging.filter(({ destroyed }) => !destroyed);
    await eventually(() => expect(open()).toHaveLength(AT_ONCE));
    // Work that comes due now is found while the others still hang.
    await projectWithAlerts('/late', 1);
    now += 3_600_000;
    while (await server.cradle.alertEvaluator.run());
    await eventually(() => expect(taken).toContain('/late'));
    stop.abort();
    for (const response of open()) response.writeHead(204).end();
    await sending;
  });
});
