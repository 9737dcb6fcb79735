import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asValue } from 'awilix';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HmacWebhookSigner } from '../../../adapters/security/hmac-webhook-signer.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';

interface Hook {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

let server: TestServer;
let receiver: Server;
let hooks: Hook[];
let answers: number;
let now: number;
let project_id: string;
let log_stream_id: string;
let trends: string;
let widget_id: string;
let webhook_url: string;

const HOUR = 3_600_000;
const NOON = Date.parse('2026-03-01T12:02:00.000Z');

beforeEach(async () => {
  [hooks, answers, now] = [[], 204, NOON];
  receiver = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      hooks.push({ headers: req.headers, body: Buffer.concat(chunks).toString() });
      res.writeHead(answers).end('a secret of the upstream service');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  webhook_url = `http://127.0.0.1:${port}/hook?token=t`;
  const clock = asValue(() => new Date(now));
  server = await startTestServer({
    allowedEndpoints: [`127.0.0.1:${port}`],
    overrides: { clock, retryClock: asValue({ sleep: async () => {}, random: () => 0 }) },
  });
  project_id = (await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id;
  const stream = await server.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'default' });
  log_stream_id = stream.body.id;
  trends = `/v2/projects/${project_id}/log_streams/${log_stream_id}/trends`;
  const widget = { name: 'Cost', metric: 'cost', aggregation: 'Max', section_id: 'mine', dataset: [{ record_types: ['trace'] }] };
  widget_id = (await call('POST', '/widgets', widget)).body.id;
});
afterEach(async () => {
  await server.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

const call = (method: string, path: string, body?: unknown) => server.request(method, trends + path, body);
const create = async (more: object = {}) =>
  (await call('POST', '/alerts', { name: 'costly', widget_id, operator: 'above', threshold: 10, webhook_url, ...more })).body;
const log = (cost: number, at = now) =>
  server.request('POST', `/v2/projects/${project_id}/traces`, {
    log_stream_id,
    traces: [{ input: 'x', created_at: new Date(at).toISOString(), metrics: { cost } }],
  });
const evaluate = async () => {
  while (await server.cradle.alertEvaluator.run());
};
const send = async () => {
  await server.cradle.notificationSender.run();
};
/** Lets an hour go by in which a trace of this cost was logged; none where it is undefined. */
const hour = async (cost?: number) => {
  if (cost !== undefined) await log(cost);
  now += HOUR;
  await evaluate();
  await send();
};
const state = async (id: string) => (await call('GET', `/alerts/${id}`)).body;
const types = () => hooks.map(({ body }) => JSON.parse(body).type);

describe('an alert', () => {
  it('is made with defaults and shown with a secret this once', async () => {
    const { alert, webhook_secret } = await create();
    expect(webhook_secret).toMatch(/^whsec_/);
    expect(alert).toEqual({
      ...{ id: alert.id, project_id, log_stream_id, widget_id, name: 'costly', series_index: 0, interval: 'hour' },
      ...{
        watches: 'value',
        reference_days: 7,
        operator: 'above',
        threshold: 10,
        for_buckets: 1,
        no_data_buckets: null,
        webhook_url,
        is_enabled: true,
      },
      ...{ channel: 'webhook', channel_settings: { url: webhook_url } },
      ...{ no_data: 'alert', severity: 'warning', quiet_hours: null, muted_until: null, reminder_minutes: null },
      ...{ told_state: 'ok', told_at: null },
      ...{ state: 'ok', state_since: new Date(now).toISOString(), last_value: null, evaluated_until: null, problem: null },
      ...{ created_by: expect.any(String), created_at: alert.created_at, updated_at: alert.created_at },
    });
    expect((await call('GET', '/alerts')).body).toEqual({ alerts: [alert] });
    expect(JSON.stringify([await state(alert.id), server.logged])).not.toContain(webhook_secret.slice(6));
  });

  it('of drift fires when a bucket is distributed otherwise than the days before it, though the mean is the same', async () => {
    const { alert } = await create({ watches: 'drift', reference_days: 1, threshold: 0.25 });
    const hourOf = async (costs: readonly number[]) => {
      const traces = costs.map((cost) => ({ input: 'x', created_at: new Date(now).toISOString(), metrics: { cost } }));
      await server.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, traces });
      await hour();
      return state(alert.id);
    };
    const usual = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? 4 : 6));
    expect(await hourOf(usual)).toMatchObject({ state: 'ok', last_value: null });
    expect(await hourOf(usual)).toMatchObject({ state: 'ok', last_value: 0 });
    expect(await hourOf([9])).toMatchObject({ state: 'ok', last_value: 0 });
    const drifted = await hourOf(usual.map((cost) => (cost === 4 ? 1 : 9)));
    expect(drifted).toMatchObject({ state: 'firing', last_value: expect.any(Number) });
    expect(drifted.last_value).toBeGreaterThan(1);
    expect(JSON.parse(hooks.at(-1)!.body)).toMatchObject({ type: 'alert.firing', data: { watches: 'drift' } });
    now += 24 * HOUR;
    expect(await hourOf(usual)).toMatchObject({ state: 'firing' });
    expect(await hourOf(usual)).toMatchObject({ state: 'ok', last_value: 0 });
  });

  it('of drift is refused by the minute, and says when the roll-up does not hold its series', async () => {
    const refused = await call('POST', '/alerts', {
      ...{ name: 'moved', widget_id, operator: 'above', threshold: 1, watches: 'drift', interval: 'minute' },
    });
    expect([refused.status, refused.body.code]).toEqual([422, 'drift_by_minutes']);
    const { alert } = await create({ watches: 'drift' });
    const changed = await call('PATCH', `/alerts/${alert.id}`, { interval: 'minute' });
    expect([changed.status, changed.body.code]).toEqual([422, 'drift_by_minutes']);
    await call('PATCH', `/widgets/${widget_id}`, { dataset: [{ record_types: ['trace'], group_by: 'name' }] });
    await hour(1);
    expect(await state(alert.id)).toMatchObject({
      problem: 'drift is only watched of series without filters and groups',
      state: 'ok',
    });
  });

  it('fires on what people say of records', async () => {
    const widget = { name: 'Disliked', metric: 'feedback/thumb', aggregation: 'PercentageFalse', section_id: 'mine' };
    const { body } = await call('POST', '/widgets', { ...widget, dataset: [{ record_types: ['trace'] }] });
    const { alert } = await create({ widget_id: body.id, threshold: 40 });
    for (const value of [true, false]) {
      const { trace_ids } = (await log(1)).body;
      const said = { log_stream_id, record_id: trace_ids[0], name: 'thumb', feedback_type: 'like_dislike', value };
      expect((await server.request('POST', `/v2/projects/${project_id}/feedback`, said)).status).toBe(200);
    }
    while ((await server.cradle.recordIndex.advance(50)) > 0);
    await hour();
    expect(await state(alert.id)).toMatchObject({ state: 'firing', last_value: 50 });
    expect(types()).toEqual(['alert.firing']);
  });

  it('fires after so many buckets in a row, and says when that is over', async () => {
    const { alert, webhook_secret } = await create({ for_buckets: 2 });
    await hour(5);
    expect(await state(alert.id)).toMatchObject({ state: 'ok', last_value: 5 });
    await hour(11);
    expect(await state(alert.id)).toMatchObject({ state: 'pending' });
    expect(hooks).toEqual([]);
    await hour(12);
    expect(await state(alert.id)).toMatchObject({ state: 'firing', last_value: 12, evaluated_until: '2026-03-01T15:00:00.000Z' });
    await hour();
    expect(await state(alert.id)).toMatchObject({ state: 'firing' });
    await hour(1);
    expect(types()).toEqual(['alert.firing', 'alert.resolved']);
    const { transitions } = (await call('GET', `/alerts/${alert.id}/transitions`)).body;
    expect(transitions.map(({ from, to }: Record<string, string>) => `${from} ${to}`)).toEqual([
      'firing ok',
      'pending firing',
      'ok pending',
    ]);
    const [{ headers, body }] = hooks as [Hook];
    const { type, data } = JSON.parse(body);
    const bucket = { bucket_start: '2026-03-01T14:00:00.000Z', bucket_end: '2026-03-01T15:00:00.000Z' };
    const facts = { alert_id: alert.id, alert_name: 'costly', project_id, log_stream_id, widget_id };
    const change = { state: 'firing', previous_state: 'pending', value: 12, operator: 'above', threshold: 10 };
    const window = {
      severity: 'warning',
      interval: 'hour',
      watches: 'value',
      for_buckets: 2,
      previous_value: 11,
      told_state: 'ok',
      is_reminder: false,
    };
    expect([type, data]).toEqual(['alert.firing', { ...facts, ...change, ...bucket, ...window }]);
    const [id, at] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
    expect(headers['webhook-signature']).toBe(new HmacWebhookSigner().sign(webhook_secret, id, at, body));
    expect(at).toBe(Math.floor(Date.parse('2026-03-01T15:02:00.000Z') / 1000));
  });

  it('that is not critical waits for the end of quiet hours, and is not told where it is over by then', async () => {
    // 2026-03-01 is a Sunday; it is two minutes past noon.
    const quiet_hours = { time_zone: 'UTC', days: ['Sun'], from: '12:00', until: '15:30' };
    const { alert } = await create({ quiet_hours });
    await create({ quiet_hours, name: 'urgent', severity: 'critical' });
    const names = () => hooks.map(({ body }) => `${JSON.parse(body).data.alert_name} ${JSON.parse(body).type}`);
    await hour(11);
    expect(await state(alert.id)).toMatchObject({ state: 'firing', told_state: 'ok' });
    await hour(1);
    expect(await state(alert.id)).toMatchObject({ state: 'ok', told_state: 'ok' });
    await hour(12);
    expect(names()).toEqual(['urgent alert.firing', 'urgent alert.resolved', 'urgent alert.firing']);
    now += HOUR / 2;
    await evaluate();
    await send();
    expect(names().slice(3)).toEqual(['costly alert.firing']);
    expect(JSON.parse(hooks[3]!.body).data).toMatchObject({ value: 12, threshold: 10, severity: 'warning' });
    expect(await state(alert.id)).toMatchObject({ state: 'firing', told_state: 'firing' });
  });

  it('is muted until a time without losing its state, and reminds while it fires', async () => {
    const { alert } = await create({ reminder_minutes: 90, severity: 'critical' });
    const muted_until = new Date(now + 2 * HOUR).toISOString();
    expect((await call('PATCH', `/alerts/${alert.id}`, { muted_until })).status).toBe(200);
    await hour(11);
    expect(hooks).toEqual([]);
    expect((await call('PATCH', `/alerts/${alert.id}`, { muted_until: null })).body).toMatchObject({ state: 'firing' });
    await evaluate();
    await send();
    expect(types()).toEqual(['alert.firing']);
    await hour(11);
    expect(hooks).toHaveLength(1);
    await hour(11);
    expect(hooks.map(({ body }) => JSON.parse(body).data.is_reminder)).toEqual([false, true]);
    await hour(1);
    expect(types()).toEqual(['alert.firing', 'alert.firing', 'alert.resolved']);
  });

  it('takes a missing value as its owner chose, and refuses hours and zones that there are not', async () => {
    const { alert } = await create({ no_data_buckets: 1, no_data: 'ok' });
    await hour(11);
    await hour();
    expect(await state(alert.id)).toMatchObject({ state: 'ok' });
    expect(types()).toEqual(['alert.firing', 'alert.resolved']);
    const hours = { time_zone: 'UTC', days: ['Mon'], from: '22:00', until: '06:00' };
    const wrong = [{ time_zone: 'Moon/Sea' }, { days: [] }, { days: ['Someday'] }, { from: '25:00' }];
    for (const one of wrong)
      expect((await call('PATCH', `/alerts/${alert.id}`, { quiet_hours: { ...hours, ...one } })).status).toBe(422);
    expect((await call('PATCH', `/alerts/${alert.id}`, { quiet_hours: hours })).body.quiet_hours).toEqual(hours);
    expect((await call('PATCH', `/alerts/${alert.id}`, { severity: 'urgent' })).status).toBe(422);
  });

  it('says when nothing comes any more', async () => {
    const { alert } = await create({ no_data_buckets: 2 });
    await hour(1);
    await hour();
    expect(await state(alert.id)).toMatchObject({ state: 'ok', last_value: null });
    await hour();
    expect(await state(alert.id)).toMatchObject({ state: 'no_data' });
    await hour(1);
    expect(types()).toEqual(['alert.no_data', 'alert.resolved']);
  });

  it('is evaluated once for a bucket, however many look at it', async () => {
    const { alert } = await create();
    await log(20);
    now += HOUR;
    await Promise.all(Array.from({ length: 5 }, evaluate));
    await Promise.all(Array.from({ length: 5 }, send));
    await evaluate();
    expect((await call('GET', `/alerts/${alert.id}/transitions`)).body.transitions).toHaveLength(1);
    expect(hooks).toHaveLength(1);
  });

  it('begins anew when what it watches changes, and rests when it is disabled', async () => {
    const { alert } = await create();
    await hour(20);
    expect((await call('PATCH', `/alerts/${alert.id}`, { name: 'other' })).body).toMatchObject({
      name: 'other',
      state: 'firing',
    });
    expect((await call('PATCH', `/alerts/${alert.id}`, { threshold: 30 })).body).toMatchObject({
      state: 'ok',
      evaluated_until: null,
    });
    await evaluate();
    expect(await state(alert.id)).toMatchObject({ state: 'ok', last_value: 20 });
    await call('PATCH', `/alerts/${alert.id}`, { is_enabled: false, threshold: 1 });
    await hour(20);
    expect(await state(alert.id)).toMatchObject({ state: 'ok', evaluated_until: null });
  });

  it('says when its widget is gone', async () => {
    const { alert } = await create();
    await call('DELETE', `/widgets/${widget_id}`);
    await hour(20);
    expect(await state(alert.id)).toMatchObject({ state: 'ok', problem: expect.stringContaining('gone') });
  });

  it('is removed with its history', async () => {
    const { alert } = await create();
    await hour(20);
    expect((await call('DELETE', `/alerts/${alert.id}`)).status).toBe(204);
    for (const path of ['', '/transitions', '/deliveries'])
      expect(await call('GET', `/alerts/${alert.id}${path}`)).toMatchObject({ status: 404, body: { code: 'alert_not_found' } });
  });

  it.each([
    ['an unknown widget', { widget_id: '00000000-0000-4000-8000-000000000000' }, 404, 'widget_not_found'],
    ['no threshold', { threshold: undefined }, 422, 'request_invalid'],
    ['61 buckets', { for_buckets: 61 }, 422, 'request_invalid'],
    ['an address inside', { webhook_url: 'https://169.254.169.254/latest' }, 422, 'url_refused'],
    ['a loopback address that is not allowed', { webhook_url: 'http://127.0.0.1:1/' }, 422, 'url_refused'],
    ['another scheme', { webhook_url: 'file:///etc/passwd' }, 422, 'url_refused'],
  ])('is refused with %s', async (_what, more, status, code) => {
    const reply = await call('POST', '/alerts', { name: 'a', widget_id, operator: 'above', threshold: 1, ...more });
    expect(reply).toMatchObject({ status, body: { code } });
    expect((await call('GET', '/alerts')).body.alerts).toEqual([]);
  });

  it('does not show viewers where exactly its webhooks go', async () => {
    const { alert } = await create();
    const viewer = await person(server);
    await server.request('POST', `/v2/projects/${project_id}/users`, [{ user_id: viewer.id, role: 'viewer' }]);
    const seen = (await viewer.request('GET', `${trends}/alerts/${alert.id}`)).body;
    expect(seen.webhook_url).toBe(new URL(webhook_url).origin);
  });
});

describe('a webhook', () => {
  it('is repeated with growing pauses until it is taken', async () => {
    const { alert } = await create();
    answers = 500;
    await hour(20);
    const delivery = async () => (await call('GET', `/alerts/${alert.id}/deliveries`)).body.deliveries[0];
    expect(await delivery()).toMatchObject({
      status: 'pending',
      attempts: 1,
      response_status: 500,
      error: 'the URL returned 500',
    });
    await send();
    expect(hooks).toHaveLength(1);
    now += 10_000;
    await send();
    expect(await delivery()).toMatchObject({ attempts: 2, next_attempt_at: new Date(now + 60_000).toISOString() });
    answers = 200;
    now += 60_000;
    await send();
    expect(await delivery()).toMatchObject({
      status: 'delivered',
      attempts: 3,
      response_status: 200,
      error: null,
      next_attempt_at: null,
    });
    expect(new Set(hooks.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(JSON.stringify(await delivery())).not.toContain('upstream service');
  });

  it.each(['https://10.0.0.1/', 'http://169.254.169.254/latest/meta-data', 'file:///etc/passwd'])(
    'does not go to %s, also where that was saved',
    async (webhook_url) => {
      const { alert } = await create();
      const { settings } = (await server.cradle.alertStore.find(project_id, alert.id))!;
      await server.cradle.alertStore.update(project_id, alert.id, { ...settings, channel_settings: { url: webhook_url } });
      expect((await call('POST', `/alerts/${alert.id}/test`)).body).toMatchObject({
        ...{ status: 'failed', response_status: null, error: 'the URL is not one that may be called' },
      });
    },
  );

  it('is given up in the end', async () => {
    const { alert } = await create();
    answers = 404;
    await hour(20);
    for (let at = 0; at < 10; at += 1) {
      now += 6 * HOUR;
      await send();
    }
    const [delivery] = (await call('GET', `/alerts/${alert.id}/deliveries`)).body.deliveries;
    expect(delivery).toMatchObject({ status: 'failed', attempts: 7, next_attempt_at: null });
    expect(hooks).toHaveLength(7);
  });

  it('is tried on request, once', async () => {
    const { alert, webhook_secret } = await create();
    const { body: tried } = await call('POST', `/alerts/${alert.id}/test`);
    expect(tried).toMatchObject({ status: 'delivered', response_status: 204, event: { type: 'alert.test' } });
    const renewed = (await call('POST', `/alerts/${alert.id}/secret`)).body.webhook_secret;
    answers = 302;
    expect((await call('POST', `/alerts/${alert.id}/test`)).body).toMatchObject({ status: 'failed', attempts: 1 });
    const [first, second] = hooks as [Hook, Hook];
    const signed = ({ headers, body }: Hook, secret: string) =>
      new HmacWebhookSigner().sign(secret, String(headers['webhook-id']), Number(headers['webhook-timestamp']), body);
    expect(first.headers['webhook-signature']).toBe(signed(first, webhook_secret));
    expect(second.headers['webhook-signature']).toBe(signed(second, renewed));
    await call('PATCH', `/alerts/${alert.id}`, { webhook_url: null });
    expect(await call('POST', `/alerts/${alert.id}/test`)).toMatchObject({ status: 422, body: { code: 'webhook_missing' } });
  });
});
