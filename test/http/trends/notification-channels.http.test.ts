import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asValue } from 'awilix';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';

let server: TestServer;
let receiver: Server;
let address: string;
let now: number;
let luck = 0;
let answer: { status: number; headers?: Record<string, string> };
let project_id: string;
let trends: string;
let widget_id: string;
const bodies: string[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    response.writeHead(answer.status, answer.headers).end('a secret of the upstream service');
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const { port } = receiver.address() as AddressInfo;
  address = `http://127.0.0.1:${port}/services/canary-of-slack`;
  const clock = asValue(() => new Date(now));
  now = Date.parse('2026-03-01T12:02:00.000Z');
  server = await startTestServer({
    allowedEndpoints: [`127.0.0.1:${port}`],
    overrides: {
      clock,
      retryClock: asValue({ sleep: async () => {}, random: () => luck }),
      publicUrl: asValue('https://traces.example.org'),
    },
  });
  project_id = (await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id;
  const stream = await server.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'default' });
  trends = `/v2/projects/${project_id}/log_streams/${stream.body.id}/trends`;
  const widget = { name: 'Cost', metric: 'cost', aggregation: 'Max', section_id: 'mine', dataset: [{ record_types: ['trace'] }] };
  widget_id = (await call('POST', '/widgets', widget)).body.id;
});
beforeEach(() => {
  bodies.length = 0;
  answer = { status: 200 };
});
afterAll(async () => {
  await server.close();
  receiver.closeAllConnections();
  receiver.close();
});

const call = (method: string, path: string, body?: unknown) => server.request(method, trends + path, body);
const create = (more: object) =>
  call('POST', '/alerts', { name: '<!channel> costly', widget_id, operator: 'above', threshold: 10, ...more });
const slack = () => ({ channel: 'slack', channel_settings: { webhook_url: address } });
const email = { channel: 'email', channel_settings: { to: 'on-call@example.org' } };
const test = async (id: string) => (await call('POST', `/alerts/${id}/test`)).body;

describe('an alert', () => {
  it('can be told by every channel that is installed', async () => {
    const { channels } = (await server.request('GET', '/v2/notification_channels')).body;
    expect(channels.map(({ id }: { id: string }) => id)).toEqual(['email', 'pagerduty', 'slack', 'webhook']);
    expect(channels[2].settings_schema.properties.webhook_url).toMatchObject({ writeOnly: true });
  });

  it('posts to Slack, whose address is kept as a secret', async () => {
    const { alert } = (await create(slack())).body;
    expect(alert).toMatchObject({ channel: 'slack', channel_settings: {}, webhook_url: null });
    expect(await test(alert.id)).toMatchObject({ status: 'delivered', response_status: 200 });
    const [{ text, blocks }] = bodies.map((body) => JSON.parse(body));
    expect(text).toBe('Alert "&lt;!channel&gt; costly" is tried: this is a test');
    expect(blocks[1].text.text).toContain(`https://traces.example.org/#${trends.replace('/v2', '')}/alerts/${alert.id}`);
    const stored = await server.cradle.alertStore.find(project_id, alert.id);
    const seen = [(await call('GET', `/alerts/${alert.id}`)).body, (await call('GET', `/alerts/${alert.id}/deliveries`)).body];
    expect(JSON.stringify([stored, seen, server.logged])).not.toContain('canary-of-slack');
  });

  it('opens one incident in PagerDuty for all that happens until it is over, and resolves that one', async () => {
    const settings = { routing_key: 'canary-of-pagerduty', severity: 'critical', events_url: address };
    const { alert } = (await create({ channel: 'pagerduty', channel_settings: settings })).body;
    const stored = (await server.cradle.alertStore.find(project_id, alert.id))!;
    const tell = async (type: 'alert.firing' | 'alert.no_data' | 'alert.resolved', state: string) => {
      const channel = await server.cradle.channelOpener.open(stored);
      const data = { alert_id: alert.id, alert_name: alert.name, state };
      const notification = { id: `${type} ${state}`, type, timestamp: '2026-03-01T12:00:00.000Z', title: 't', text: 'x', data };
      return channel.send(notification, new AbortController().signal);
    };
    answer = { status: 202 };
    expect(await tell('alert.firing', 'firing')).toEqual({ status: 202 });
    await tell('alert.no_data', 'no_data');
    await tell('alert.resolved', 'ok');
    expect(await test(alert.id)).toMatchObject({ status: 'delivered', response_status: 202 });
    const events = bodies.map((body) => JSON.parse(body));
    expect(events.map(({ event_action, payload }) => [event_action, payload?.severity])).toEqual([
      ['trigger', 'critical'],
      ['trigger', 'warning'],
      ['resolve', undefined],
      ['trigger', 'info'],
    ]);
    expect(events.slice(0, 3).map(({ dedup_key }) => dedup_key)).toEqual([alert.id, alert.id, alert.id]);
    expect(events[3].dedup_key).not.toBe(alert.id);
    const href = `https://traces.example.org/#${trends.replace('/v2', '')}/alerts/${alert.id}`;
    expect(events[3].links).toEqual([{ href, text: 'The alert in the console' }]);
    expect(events[3].payload.custom_details).toMatchObject({ alert_name: '<!channel> costly', threshold: 10 });
    const seen = [stored, (await call('GET', `/alerts/${alert.id}`)).body, server.logged];
    expect(JSON.stringify(seen)).not.toContain('canary-of-pagerduty');
  });

  it('sends mail', async () => {
    const { alert } = (await create(email)).body;
    expect(alert).toMatchObject(email);
    expect(await test(alert.id)).toMatchObject({ status: 'delivered', response_status: null });
    const subject = 'Alert "<!channel> costly" is tried: this is a test';
    expect((await server.mails()).at(-1)).toMatchObject({ to: 'on-call@example.org', subject });
  });

  it('tells nobody without rights where it leads', async () => {
    const { alert } = (await create(email)).body;
    const viewer = await person(server);
    await server.request('POST', `/v2/projects/${project_id}/users`, [{ user_id: viewer.id, role: 'viewer' }]);
    const { body } = await viewer.request('GET', `${trends}/alerts/${alert.id}`);
    expect(body).toMatchObject({ channel: 'email', channel_settings: null, webhook_url: null });
  });

  it('keeps its signing secret and its address apart when one of them changes', async () => {
    const { alert, webhook_secret } = (await create(slack())).body;
    const secrets = async () => {
      const sealed = await server.cradle.alertStore.findSecrets(project_id, alert.id);
      return server.cradle.secretBox.open(alert.id, sealed!).map(({ text }) => text);
    };
    expect(await secrets()).toEqual([webhook_secret, JSON.stringify(address)]);
    const renewed = (await call('POST', `/alerts/${alert.id}/secret`)).body.webhook_secret;
    expect(await secrets()).toEqual([renewed, JSON.stringify(address)]);
    await call('PATCH', `/alerts/${alert.id}`, { channel_settings: { webhook_url: `${address}-2` } });
    expect(await secrets()).toEqual([renewed, JSON.stringify(`${address}-2`)]);
    await call('PATCH', `/alerts/${alert.id}`, email);
    expect(await secrets()).toEqual([renewed]);
  });

  it('changes its channel by any of the fields, and keeps it when none says so', async () => {
    const { alert } = (await create(slack())).body;
    const changed = async (update: object) => (await call('PATCH', `/alerts/${alert.id}`, update)).body;
    expect(await changed({ name: 'other', webhook_url: null })).toMatchObject({ channel: 'slack' });
    expect(await test(alert.id)).toMatchObject({ status: 'delivered' });
    const webhook = { channel: 'webhook', channel_settings: { url: address }, webhook_url: address };
    expect(await changed({ webhook_url: address })).toMatchObject(webhook);
    expect(await changed(email)).toMatchObject({ ...email, webhook_url: null });
    expect(await changed({ channel: 'webhook', channel_settings: { url: address } })).toMatchObject(webhook);
    expect(await changed({ webhook_url: null })).toMatchObject({ channel: null, channel_settings: null, webhook_url: null });
    expect(await changed({ channel_settings: { url: address } })).toMatchObject({ code: 'channel_missing' });
    expect(await changed({ ...email, webhook_url: null })).toMatchObject(email);
    expect(await changed({ channel: null })).toMatchObject({ channel: null });
  });

  it.each([
    ['an unknown channel', { channel: 'pigeon' }, 'channel_unknown', undefined],
    ['two channels at once', { ...email, webhook_url: 'https://example.org/' }, 'channel_ambiguous', undefined],
    [
      'settings that do not fit',
      { channel: 'email', channel_settings: { to: 'nobody' } },
      'request_invalid',
      ['channel_settings', 'to'],
    ],
    ['no settings', { channel: 'slack' }, 'request_invalid', ['channel_settings', 'webhook_url']],
    [
      'an address inside',
      { channel: 'slack', channel_settings: { webhook_url: 'https://169.254.169.254/secret' } },
      'url_refused',
      ['channel_settings', 'webhook_url'],
    ],
  ])('is refused with %s', async (_what, more, code, loc) => {
    const { status, body } = await create(more);
    expect([status, body.code]).toEqual([422, code]);
    if (loc) expect(body.detail[0].loc).toEqual(['body', ...loc]);
    expect(JSON.stringify(body)).not.toMatch(/nobody|169\.254/);
  });

  it('is told again after a pause, as long as the upstream service asks for but for six hours at most', async () => {
    const { alert } = (await create(slack())).body;
    answer = { status: 429, headers: { 'retry-after': '120' } };
    await call('POST', '/alerts', {});
    await server.request('POST', `/v2/projects/${project_id}/traces`, {
      log_stream_id: trends.split('/').at(-2),
      traces: [{ input: 'x', created_at: new Date(now).toISOString(), metrics: { cost: 12 } }],
    });
    now += 3_600_000;
    while (await server.cradle.alertEvaluator.run());
    await server.cradle.notificationSender.run();
    const delivery = async () => (await call('GET', `/alerts/${alert.id}/deliveries`)).body.deliveries[0];
    const pause = (seconds: number) => ({ status: 'pending', next_attempt_at: new Date(now + seconds * 1000).toISOString() });
    expect(await delivery()).toMatchObject({ ...pause(120), response_status: 429 });
    answer = { status: 429, headers: { 'retry-after': '999999' } };
    now += 120_000;
    await server.cradle.notificationSender.run();
    expect(await delivery()).toMatchObject({ ...pause(21_600), attempts: 2 });
    now += 21_600_000;
    luck = 0.5;
    answer = { status: 500 };
    await server.cradle.notificationSender.run();
    luck = 0;
    expect(await delivery()).toMatchObject({ ...pause(300 * 1.1), attempts: 3 });
  });
});
