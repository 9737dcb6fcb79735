import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asValue } from 'awilix';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HmacWebhookSigner } from '../../../adapters/security/hmac-webhook-signer.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';

/** One call of the receiver: which of its paths was called, with what. */
interface Hook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const HOUR = 3_600_000;
let server: TestServer;
let receiver: Server;
let hooks: Hook[] = [];
/** Paths of the receiver that fail for now. */
let broken: string[] = [];
let now = Date.parse('2026-03-01T12:02:00.000Z');
let base: string;
let project_id: string;
let log_stream_id: string;
let widget_id: string;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const path = request.url ?? '';
    hooks.push({ path, headers: request.headers, body: Buffer.concat(await request.toArray()).toString() });
    response.writeHead(broken.includes(path) ? 500 : 204).end();
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const { port } = receiver.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  server = await startTestServer({
    allowedEndpoints: [`127.0.0.1:${port}`],
    overrides: {
      clock: asValue(() => new Date(now)),
      retryClock: asValue({ sleep: async () => {}, random: () => 0 }),
      publicUrl: asValue('https://traces.example.org/'),
    },
  });
});
beforeEach(async () => {
  [hooks, broken] = [[], []];
  now += HOUR;
  project_id = (await server.request('POST', '/v2/projects', { name: `Atlas ${now}` })).body.id;
  log_stream_id = (await server.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'default' })).body.id;
  const widget = { name: 'Cost', metric: 'cost', aggregation: 'Max', section_id: 'mine', dataset: [{ record_types: ['trace'] }] };
  widget_id = (await onStream('POST', '/widgets', widget)).body.id;
});
afterAll(async () => {
  await server.close();
  receiver.closeAllConnections();
  receiver.close();
});

const onStream = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v2/projects/${project_id}/log_streams/${log_stream_id}/trends${path}`, body);
const onRoutes = (method: string, path = '', body?: unknown) =>
  server.request(method, `/v2/projects/${project_id}/notification-routes${path}`, body);
const toWebhook = (path: string) => ({ channel: 'webhook', channel_settings: { url: base + path } });
const route = async (path: string, more: object = {}) =>
  (await onRoutes('POST', '', { name: path, ...toWebhook(path), ...more })).body;
const watch = async (name: string, more: object = {}) =>
  (await onStream('POST', '/alerts', { name, widget_id, operator: 'above', threshold: 10, ...more })).body.alert;
const send = () => server.cradle.notificationSender.run();
/** Lets an hour go by in which a trace of this cost was logged. */
const hour = async (cost: number) => {
  const traces = [{ input: 'x', created_at: new Date(now).toISOString(), metrics: { cost } }];
  await server.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, traces });
  now += HOUR;
  while (await server.cradle.alertEvaluator.run());
  await send();
};
/** Who was told what of which alert, in alphabetical order: deliveries are sent side by side. */
const told = () => {
  const all = hooks.map(({ path, body }) => {
    const { type, data } = JSON.parse(body);
    return `${path} ${data.alert_name} ${type.slice('alert.'.length)}`;
  });
  hooks = [];
  return all.sort();
};

describe('routes of a project', () => {
  it('tell alerts to those whom their severity concerns, once each, from the first message to the deletion of the project', async () => {
    const { route: all, webhook_secret } = await route('/all');
    expect(all).toMatchObject({ severities: ['info', 'warning', 'critical'], ...toWebhook('/all') });
    const { route: bad } = await route('/bad', { min_severity: 'warning' });
    expect(bad.severities).toEqual(['warning', 'critical']);
    await route('/info', { severities: ['info', 'info'] });
    await route('/critical', { severities: ['critical'] });
    await watch('minor', { severity: 'info' });
    const urgent = await watch('urgent', { severity: 'critical' });
    await watch('private', { webhook_url: `${base}/own`, severity: 'critical' });

    await hour(11);
    const [first] = hooks.filter(({ path }) => path === '/all');
    const [id, at] = [String(first!.headers['webhook-id']), Number(first!.headers['webhook-timestamp'])];
    expect(first!.headers['webhook-signature']).toBe(new HmacWebhookSigner().sign(webhook_secret, id, at, first!.body));
    expect(told()).toEqual([
      '/all minor firing',
      '/all urgent firing',
      '/bad urgent firing',
      '/critical urgent firing',
      '/info minor firing',
      '/own private firing',
    ]);
    const { deliveries } = (await onStream('GET', `/alerts/${urgent.id}/deliveries`)).body;
    expect(deliveries.map(({ route_name, status }: Record<string, string>) => `${route_name} ${status}`).sort()).toEqual([
      '/all delivered',
      '/bad delivered',
      '/critical delivered',
    ]);

    await hour(11);
    expect(told()).toEqual([]);
    // A milder alert still is over for those whom it was told to.
    await onStream('PATCH', `/alerts/${urgent.id}`, { severity: 'info' });
    await onRoutes('PATCH', `/${bad.id}`, { name: 'renamed' });
    await hour(1);
    expect(told()).toEqual([
      '/all minor resolved',
      '/all urgent resolved',
      '/bad urgent resolved',
      '/critical urgent resolved',
      '/info minor resolved',
      '/own private resolved',
    ]);

    expect((await server.request('DELETE', `/v2/projects/${project_id}`)).status).toBe(200);
    expect(await server.cradle.notificationRouteStore.list(project_id)).toEqual([]);
    expect(await server.cradle.notificationRouteStore.findSecrets(project_id, all.id)).toBeUndefined();
  });

  it('are silent in quiet hours and while an alert is muted', async () => {
    await route('/all');
    const quiet_hours = {
      time_zone: 'UTC',
      days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
      from: '00:00',
      until: '00:00',
    };
    const { id } = await watch('quiet', { quiet_hours });
    const muted = await watch('muted', { severity: 'critical', muted_until: new Date(now + 2 * HOUR).toISOString() });
    await watch('urgent', { severity: 'critical', quiet_hours });
    await hour(11);
    expect(told()).toEqual(['/all urgent firing']);
    await onStream('PATCH', `/alerts/${id}`, { quiet_hours: null });
    await onStream('PATCH', `/alerts/${muted.id}`, { muted_until: null });
    await hour(11);
    expect(told()).toEqual(['/all muted firing', '/all quiet firing']);
  });

  it('are tried again each on its own, and given up when the route is deleted', async () => {
    await route('/works');
    const { route: failing } = await route('/fails');
    const { route: doomed } = await route('/doomed');
    broken = ['/fails', '/doomed'];
    const { id } = await watch('costly');
    await hour(11);
    expect(told()).toEqual(['/doomed costly firing', '/fails costly firing', '/works costly firing']);
    await onRoutes('DELETE', `/${doomed.id}`);
    broken = [];
    now += 10_000;
    await send();
    expect(told()).toEqual(['/fails costly firing']);
    const { deliveries } = (await onStream('GET', `/alerts/${id}/deliveries`)).body;
    const facts = deliveries.map(({ route_name, status, attempts, error }: Record<string, unknown>) => [
      route_name,
      status,
      attempts,
      error,
    ]);
    expect(facts.sort()).toEqual([
      ['/doomed', 'failed', 2, 'the route was deleted'],
      ['/fails', 'delivered', 2, null],
      ['/works', 'delivered', 1, null],
    ]);
    expect(deliveries.find(({ route_name }: Record<string, unknown>) => route_name === '/fails').route_id).toBe(failing.id);
    expect((await onStream('POST', `/alerts/${id}/test`)).body.code).toBe('webhook_missing');
  });

  it('keep their secrets to themselves, and everything but the name from who may only read', async () => {
    const secret = `${base}/canary-of-slack`;
    const settings = { channel: 'slack', channel_settings: { webhook_url: secret } };
    const { route: made } = (await onRoutes('POST', '', { name: 'team', ...settings })).body;
    expect(made).toMatchObject({ channel: 'slack', channel_settings: {} });
    now += 1;
    const { route: plain } = await route('/plain');
    const viewer = await person(server);
    await server.request('POST', `/v2/projects/${project_id}/users`, [{ user_id: viewer.id, role: 'viewer' }]);
    const { routes } = (await viewer.request('GET', `/v2/projects/${project_id}/notification-routes`)).body;
    expect(routes).toEqual([made, plain].map((one) => ({ ...one, channel_settings: null })));
    await watch('costly');
    await hour(11);
    const text = JSON.parse(hooks.find(({ path }) => path === '/canary-of-slack')!.body).blocks[1].text.text;
    const place = `https://traces.example.org/#/projects/${project_id}/log_streams/${log_stream_id}/trends`;
    expect(text).toContain('The last figure is 11.');
    expect(text).toContain(`Its chart: ${place}?widget=${widget_id}`);
    const stored = await server.cradle.notificationRouteStore.find(project_id, made.id);
    const sealed = await server.cradle.notificationRouteStore.findSecrets(project_id, made.id);
    const { entries } = (await server.request('GET', '/v2/audit_log?limit=100')).body;
    expect(entries.map(({ action }: { action: string }) => action)).toContain('notification_route.create');
    expect(JSON.stringify([stored, sealed, entries, (await onRoutes('GET')).body, server.logged])).not.toContain(
      'canary-of-slack',
    );
  });

  it('are changed in part, tried once, signed anew, and removed', async () => {
    const { route: made } = await route('/one', { severities: ['info'] });
    const path = `/${made.id}`;
    expect((await onRoutes('POST', `${path}/test`)).body).toEqual({ status: 'delivered', response_status: 204, error: null });
    expect(JSON.parse(hooks[0]!.body)).toMatchObject({ type: 'alert.test', data: { route_id: made.id, severities: ['info'] } });
    const { webhook_secret } = (await onRoutes('POST', `${path}/secret`)).body;
    const changed = await onRoutes('PATCH', path, { min_severity: 'critical', channel_settings: { url: `${base}/two` } });
    expect(changed.body).toMatchObject({ name: '/one', severities: ['critical'], ...toWebhook('/two') });
    expect((await onRoutes('GET', path)).body).toEqual(changed.body);
    broken = ['/two'];
    expect((await onRoutes('POST', `${path}/test`)).body).toMatchObject({ status: 'failed', response_status: 500 });
    const { path: called, headers, body } = hooks.at(-1)!;
    expect(called).toBe('/two');
    const signature = new HmacWebhookSigner().sign(
      webhook_secret,
      String(headers['webhook-id']),
      Number(headers['webhook-timestamp']),
      body,
    );
    expect(headers['webhook-signature']).toBe(signature);
    expect((await onRoutes('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE'])
      expect(await onRoutes(method, path)).toMatchObject({ status: 404, body: { code: 'notification_route_not_found' } });
  });

  it.each([
    ['both ways to name severities', { severities: ['info'], min_severity: 'info' }, 'severities_ambiguous'],
    ['no severity', { severities: [] }, 'request_invalid'],
    ['a severity that there is not', { min_severity: 'urgent' }, 'request_invalid'],
    ['an unknown channel', { channel: 'pigeon' }, 'channel_unknown'],
    ['settings that do not fit', { channel_settings: { address: 'x' } }, 'request_invalid'],
    ['a private address', { channel_settings: { url: 'http://10.0.0.1/' } }, 'url_refused'],
  ])('are refused with %s', async (_what, more, code) => {
    expect(await onRoutes('POST', '', { name: 'a', ...toWebhook('/a'), ...more })).toMatchObject({ status: 422, body: { code } });
    expect((await onRoutes('GET')).body.routes).toEqual([]);
  });

  it('are twenty at most', async () => {
    for (let count = 0; count < 20; count += 1) await route(`/${count}`);
    const { status, body } = await onRoutes('POST', '', { name: 'more', ...toWebhook('/more') });
    expect([status, body.code]).toEqual([422, 'too_many_notification_routes']);
  });
});
