import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODEL_PROVIDERS } from '../../../config/plugins.ts';
import { fakeProvider, startUpstreamServer, type UpstreamServer } from '../../setup/fake-provider.ts';
import { type PostgresService, startPostgresService } from '../../setup/postgres-service.ts';
import { allRows, canaries } from '../canaries.ts';

const { secrets, canary } = canaries();
const answered: string[] = [];

let far: UpstreamServer;
let service: PostgresService;
beforeAll(async () => {
  far = await startUpstreamServer();
  const modelProviders = [...MODEL_PROVIDERS, fakeProvider];
  service = await startPostgresService({ modelProviders, allowedEndpoints: [new URL(far.url).host] });
  await good();
  await refusedByTheProvider();
  await wrong();
  await look();
});
afterAll(async () => {
  await service.close();
  await far.close();
});

async function call(method: string, path: string, body?: unknown) {
  const reply = await service.request(method, `/v2${path}`, body);
  answered.push(JSON.stringify([reply.status, [...reply.headers], reply.body]));
  return reply;
}
const login = (what: string) => ({ user: 'known user', pin: canary(what) });
const put = (facts: object, where = 'fake') => call('PUT', `/integrations/${where}`, { endpoint: far.url, token: 'a', ...facts });

async function good(): Promise<void> {
  await put({ token: canary('first-token') });
  await put({ token: canary('token'), login: login('nested-pin'), headers: { 'x-key': canary('header') } });
  await put({ token: canary('second'), region: 'there' }, 'fake?name=second');
  const keys = { cloud_access_key_id: canary('key-id'), cloud_secret_access_key: canary('secret-key') };
  await call('PUT', '/integrations/cloud_model_hosting', { token: keys, region: 'us-west-2' });
  await call('PUT', '/integrations/openai', { token: canary('openai') });
  await call('PUT', '/integrations/azure', {
    token: canary('azure'),
    endpoint: far.url,
    default_headers: { 'x-key': canary('azure-header') },
  });
}

/** The upstream service repeats what it was sent, in every way it can. */
async function refusedByTheProvider(): Promise<void> {
  for (const status of [200, 401, 403, 404, 429, 500]) {
    far.answer = (req, res) => {
      const repeated = `${req.headers.authorization} ${req.headers['x-pin']}`;
      res.writeHead(status, { 'x-repeated': repeated }).end(JSON.stringify({ error: repeated }));
    };
    await call('GET', '/integrations/fake/status');
    await call('GET', '/llm_integrations/fake/models');
    await call('GET', '/llm_integrations');
  }
}

async function wrong(): Promise<void> {
  await put({ token: [canary('token in a list')] });
  await put({ token: `${canary('token with a line break')}\n` });
  // An unknown field is ignored, so this one is stored.
  await put({ login: login('pin beside an unknown field'), tokens: canary('token under another name') });
  await put({ token: canary('token beside a bad address'), endpoint: 'https://127.1/' });
  await put({ login: { user: [], pin: canary('pin beside a bad user') } });
  await put({ headers: { 'x-key': [canary('header in a list')] } });
  await put({ region: canary('secret in a short field') });
  await call('PUT', '/integrations/azure', {
    token: '',
    endpoint: '',
    default_headers: { 'x-key': `${canary('a bad header')}\n` },
  });
  await call('PUT', '/integrations/fake', canary('secret as the whole body'));
  await put({ token: canary('token for no provider') }, 'nothing');
}

async function look(): Promise<void> {
  const { body: listed } = await call('GET', '/integrations');
  for (const { id, name } of listed) {
    for (const path of [`/${name}`, `/${id}`, `/${id}/users`, `/${id}/groups`]) await call('GET', `/integrations${path}`);
    await call('PUT', `/integrations/${id}/select`);
    await call('PATCH', `/integrations/${id}`, { is_disabled: false });
  }
  for (const path of ['/audit_log?limit=1000', '/openapi.json', '/integrations/available']) await call('GET', path);
  await call('DELETE', '/integrations/second');
}

/** In any of the forms that a text turns into by accident. */
const getForms = (secret: string): string[] =>
  [secret, ...(['base64', 'base64url', 'hex'] as const).map((form) => Buffer.from(secret).toString(form))].map((form) =>
    form.slice(0, Math.floor(form.length * 0.75)),
  );
const foundIn = (text: string): string[] =>
  [...secrets].filter(([, secret]) => getForms(secret).some((form) => text.includes(form))).map(([what]) => what);

describe('the secrets of integrations', () => {
  it('reached those they are for', () => {
    const tokens = far.asked.map(({ token, pin }) => `${token} ${pin}`);
    expect(tokens).toContain(`Bearer ${secrets.get('token')} ${secrets.get('nested-pin')}`);
    expect(secrets.size).toBeGreaterThan(15);
    expect(answered.filter((answer) => answer.startsWith('[200')).length).toBeGreaterThan(40);
  });

  it('are in no answer', () => {
    expect(foundIn(answered.join('\n'))).toEqual([]);
  });

  it('are in no line of the log', () => {
    expect(service.logged.length).toBeGreaterThan(40);
    expect(service.logged.join()).toContain('a model provider failed');
    expect(foundIn(service.logged.join('\n'))).toEqual([]);
  });

  it('are in no table of the database, where what is no secret stands', async () => {
    const rows = await allRows(service.session);
    expect(rows).toContain('known user');
    expect(rows).toContain('integration.put');
    expect(foundIn(rows)).toEqual([]);
  });

  it('do not open in another row, nor when they were changed', async () => {
    const sql = (statement: string) => service.session.sql(statement);
    far.answer = (_req, res) => res.end(JSON.stringify({ models: [] }));
    const status = async () => (await call('GET', '/integrations/fake/status')).body.status;
    const touched = `updated_at = integrations.updated_at + interval '1 second'`;
    await sql(`update integrations set ${touched} where name = 'fake'`);
    expect(await status()).toBe('active');
    const moved = 'key_id = o.key_id, data_key = o.data_key, secret_fields = o.secret_fields';
    const openai = `(select * from integrations where name = 'openai') o`;
    await sql(`update integrations set ${touched}, ${moved} from ${openai} where integrations.name = 'fake'`);
    expect(await status()).toBe('inactive');
    expect(service.logged.slice(-3).join()).toContain('encrypted secrets do not open');
  });

  it('are one set of them when they are put several times at once', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => put({}, 'fake?name=raced')));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
  });

  it('would be found if one were there', async () => {
    await service.session.sql(`update integrations set settings = jsonb_build_object('x', $1::text) where name = 'azure'`, [
      secrets.get('token'),
    ]);
    expect(foundIn(await allRows(service.session))).toEqual(['token']);
  });
});
