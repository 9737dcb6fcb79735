import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeProvider, fakeProviderNamed, startUpstreamServer, type UpstreamServer } from '../../setup/fake-provider.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

let far: UpstreamServer;
let server: TestServer;
let ada: Person;
let eve: Person;
beforeEach(async () => {
  far = await startUpstreamServer();
  const modelProviders = [fakeProvider, fakeProviderNamed('other_fake')];
  server = await startTestServer({ modelProviders, allowedEndpoints: [new URL(far.url).host] });
  [ada, eve] = await Promise.all([person(server), person(server)]);
});
afterEach(async () => {
  await server.close();
  await far.close();
});

const path = '/v2/integrations';
const body = (facts: object = {}) => ({ endpoint: far.url, token: 'sk-first', ...facts });
const put = (who: Person, facts: object = {}, where = 'fake') => who.request('PUT', `${path}/${where}`, body(facts));
const share = (owner: Person, id: string, user: Person, role: string) =>
  owner.request('POST', `${path}/${id}/users`, [{ user_id: user.id, role }]);

describe('putting an integration', () => {
  it('makes one for the caller and returns nothing of its settings', async () => {
    const { status, body: made } = await put(ada);
    expect(status).toBe(200);
    expect(made).toEqual({
      id: expect.any(String),
      name: 'fake',
      provider: 'fake',
      created_at: expect.any(String),
      updated_at: made.created_at,
      created_by: ada.id,
      permissions: ['update', 'delete', 'share'].map((action) => ({ action, allowed: true, message: null })),
      is_selected: false,
      is_disabled: false,
    });
  });

  it('sets the one that exists anew, as a whole', async () => {
    const first = await put(ada, { region: 'there', login: { user: 'me', pin: '1234' } });
    const second = await put(ada, { token: 'sk-second' });
    expect(second.body).toMatchObject({ id: first.body.id, created_at: first.body.created_at });
    const { body: settings } = await ada.request('GET', `${path}/fake`);
    expect(settings).toEqual({
      id: first.body.id,
      name: 'fake',
      provider: 'fake',
      extra: null,
      endpoint: far.url,
      region: 'here',
    });
    await ada.request('GET', `${path}/fake/status`);
    expect(far.asked).toEqual([{ path: '/models', token: 'Bearer sk-second', pin: undefined }]);
  });

  it('keeps several of one provider apart by names, and names apart across providers', async () => {
    const named = await put(ada, { token: 'sk-named' }, 'fake?name=second');
    const plain = await put(ada);
    expect(named.body).toMatchObject({ name: 'second', provider: 'fake' });
    expect(plain.body.id).not.toBe(named.body.id);
    expect(await put(ada, {}, 'other_fake?name=second')).toMatchObject({ status: 409, body: { code: 'integration_exists' } });
    expect((await put(eve, {}, 'other_fake?name=second')).status).toBe(200);
  });

  it('makes one when it is asked for twice at once', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => put(ada)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(replies.map(({ body: { id } }) => id)).size).toBe(1);
  });

  it.each([['fake?name='], ['fake?name=available'], [`fake?name=${randomUUID()}`], ['fake?name=%00']])(
    'refuses %s',
    async (where) => {
      expect((await put(ada, {}, where)).status).toBe(422);
    },
  );

  it('repeats nothing of what it refuses, wherever a secret stands', async () => {
    const canary = 'canary-7f3a';
    const wrong = [
      { token: [canary] },
      { token: { value: canary } },
      { token: `${canary} with blanks` },
      { token: undefined, tokken: canary },
      { endpoint: canary },
      { region: `${canary} in a field that is too short for it` },
      { login: { user: 7, pin: canary } },
      { login: canary },
      { headers: { 'x-key': '', 'x-other': canary } },
      { headers: [canary] },
    ];
    for (const facts of wrong) {
      const reply = await put(ada, facts);
      expect(reply).toMatchObject({ status: 422, body: { code: 'request_invalid', detail: expect.any(Array) } });
      expect(JSON.stringify(reply.body)).not.toContain(canary);
    }
    for (const raw of [`"${canary}"`, `["${canary}"]`, 'null', '']) {
      const headers = { 'content-type': 'application/json', 'service-api-key': ada.api_key };
      const reply = await server.request('PUT', `${path}/fake`, undefined, { raw, headers });
      expect(reply.status).toBe(422);
      expect(JSON.stringify(reply.body)).not.toContain(canary);
    }
    expect((await ada.request('GET', path)).body).toEqual([]);
    expect(server.logged.join()).not.toContain(canary);
  });

  it.each([
    'http://127.0.0.2:80',
    'https://127.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://[::1]',
    'https://[::ffff:127.0.0.2]',
    'https://localhost',
    'https://169.254.169.254',
    'https://10.0.0.1',
    'http://example.org',
    'https://no-such-name.invalid',
  ])('refuses the address %s', async (endpoint) => {
    expect(await put(ada, { endpoint })).toMatchObject({
      status: 422,
      body: { code: 'url_refused', detail: [{ loc: ['body', 'endpoint'], type: 'url_refused' }] },
    });
    expect((await ada.request('GET', path)).body).toEqual([]);
  });

  it('is for those who may create, and for providers that are installed', async () => {
    const reader = await person(server, { role: 'read_only' });
    expect((await put(reader)).status).toBe(403);
    expect((await put(await person(server, { key: { max_role: 'viewer' } }))).status).toBe(403);
    expect((await put(ada, {}, 'unknown')).status).toBe(405);
    expect((await ada.request('GET', `${path}/available`)).body).toEqual({ integrations: ['fake', 'other_fake'] });
  });

  it('is taken at a path the provider had before, which the document calls deprecated', async () => {
    const old = await put(ada, {}, 'fake/old-name');
    expect(old).toMatchObject({ status: 200, body: { name: 'fake', provider: 'fake' } });
    expect((await put(ada)).body.id).toBe(old.body.id);
    expect((await put(ada, { token: 1 }, 'fake/old-name')).status).toBe(422);
    const { paths, components } = (await server.request('GET', '/v2/openapi.json')).body;
    expect(paths['/v2/integrations/fake/old-name'].put).toMatchObject({
      operationId: 'putFakeOldNameIntegration',
      deprecated: true,
    });
    const { PutFakeOldNameIntegrationRequest: former, PutFakeIntegrationRequest: present } = components.schemas;
    expect(former).toEqual(present);
  });

  it('has its own operation in the document, made of the schema of the plugin', async () => {
    const { paths, components } = (await server.request('GET', '/v2/openapi.json')).body;
    const { operationId, requestBody } = paths['/v2/integrations/other_fake'].put;
    expect(operationId).toBe('putOtherFakeIntegration');
    const [, name] = /schemas\/(.*)$/.exec(requestBody.content['application/json'].schema.$ref)!;
    expect(components.schemas[name!]).toMatchObject({
      required: ['endpoint', 'token'],
      properties: { token: { writeOnly: true }, region: { default: 'here' } },
    });
  });
});

describe('the status of an integration', () => {
  it('is that of a real call, in words that tell nothing of the upstream service', async () => {
    const { body: made } = await put(ada);
    expect((await ada.request('GET', `${path}/fake/status`)).body).toEqual({ status: 'active', circuit: 'closed' });
    expect((await ada.request('GET', `${path}/${made.id}/status`)).body).toEqual({ status: 'active', circuit: 'closed' });
    const answers = [401, 403, 429, 500, 302, 200].map((status) => {
      far.answer = (_req, res) => res.writeHead(status, { location: 'http://inside/' }).end('the key sk-first is of canary');
      return ada.request('GET', `${path}/fake/status`);
    });
    for (const { status, body: answered } of await Promise.all(answers)) {
      expect(status).toBe(200);
      expect(answered).toEqual({ status: 'inactive', error: expect.stringMatching(/^the provider /), circuit: 'closed' });
    }
    expect(far.asked.at(-1)).toMatchObject({ token: 'Bearer sk-first' });
    expect(server.logged.join()).not.toMatch(/sk-first|canary/);
  });

  it('is inactive without a call when it is disabled, until it is enabled again', async () => {
    const { body: made } = await put(ada);
    const patch = (is_disabled?: boolean | null) => ada.request('PATCH', `${path}/${made.id}`, { is_disabled });
    expect((await patch(true)).body).toMatchObject({ id: made.id, is_disabled: true });
    expect((await put(ada)).body).toMatchObject({ is_disabled: true });
    expect((await ada.request('GET', `${path}/fake/status`)).body).toMatchObject({ status: 'inactive' });
    expect((await ada.request('GET', '/v2/llm_integrations')).body).toEqual({});
    expect(far.asked).toEqual([]);
    for (const nothing of [null, undefined]) expect((await patch(nothing)).body).toMatchObject({ is_disabled: true });
    expect((await patch(false)).body).toMatchObject({ is_disabled: false });
    expect((await ada.request('GET', `${path}/fake/status`)).body).toEqual({ status: 'active', circuit: 'closed' });
  });
});

describe('a shared integration', () => {
  it('belongs to another user until it is shared, and can then be used with any role', async () => {
    const { body: made } = await put(ada);
    expect((await eve.request('GET', path)).body).toEqual([]);
    for (const name of ['fake', made.id]) {
      for (const [method, rest] of [
        ['GET', ''],
        ['GET', '/status'],
        ['DELETE', ''],
      ] as const)
        expect((await eve.request(method, `${path}/${name}${rest}`)).body).toMatchObject({ code: 'integration_not_found' });
    }
    await share(ada, made.id, eve, 'viewer');
    expect((await eve.request('GET', path)).body).toMatchObject([{ id: made.id, created_by: ada.id }]);
    expect((await eve.request('GET', `${path}/fake`)).body).toMatchObject({ id: made.id, endpoint: far.url });
    expect((await eve.request('GET', '/v2/llm_integrations/fake/models')).body).toEqual(['judge-large', 'embedder']);
    expect((await eve.request('DELETE', `${path}/fake`)).status).toBe(403);
    expect((await eve.request('PATCH', `${path}/${made.id}`, { is_disabled: true })).status).toBe(403);
  });

  it('gives way to one of the same name that is their own', async () => {
    const { body: shared } = await put(ada);
    await share(ada, shared.id, eve, 'owner');
    const { body: own } = await put(eve, { region: 'own' });
    expect(own.id).not.toBe(shared.id);
    expect((await eve.request('GET', `${path}/fake`)).body).toMatchObject({ id: own.id, region: 'own' });
    await eve.request('DELETE', `${path}/fake`);
    expect((await ada.request('GET', `${path}/fake`)).status).toBe(200);
  });

  it("is the administrator's to look after, not to use", async () => {
    const { body: made } = await put(ada);
    expect((await server.request('GET', path)).body).toMatchObject([{ id: made.id }]);
    expect((await server.request('GET', `${path}/${made.id}`)).status).toBe(200);
    expect((await server.request('DELETE', `${path}/fake`)).status).toBe(404);
    expect((await server.request('GET', '/v2/llm_integrations')).body).toEqual({});
  });

  it('is selected by each for themselves, one of a provider', async () => {
    const { body: shared } = await put(ada, { token: 'sk-shared' });
    await share(ada, shared.id, eve, 'viewer');
    const { body: own } = await put(eve, { token: 'sk-own' });
    const other = await put(eve, {}, 'other_fake');
    const select = (id: string) => eve.request('PUT', `${path}/${id}/select`);
    const selected = async (who: Person) =>
      (await who.request('GET', path)).body
        .filter((one: { is_selected: boolean }) => one.is_selected)
        .map(({ id }: { id: string }) => id);
    expect((await select(own.id)).body).toMatchObject({ id: own.id, is_selected: true });
    expect((await select(other.body.id)).body).toMatchObject({ is_selected: true });
    expect((await select(shared.id)).body).toMatchObject({ id: shared.id, is_selected: true });
    expect((await selected(eve)).sort()).toEqual([shared.id, other.body.id].sort());
    expect(await selected(ada)).toEqual([]);
    await eve.request('GET', '/v2/llm_integrations/fake/models');
    expect(far.asked.at(-1)).toMatchObject({ token: 'Bearer sk-shared' });
  });

  it('is not selected by a key that does not speak for the whole of its user', async () => {
    const { body: made } = await put(ada);
    const limited = await person(server, { key: { max_role: 'viewer' } });
    await share(ada, made.id, limited, 'viewer');
    expect((await limited.request('PUT', `${path}/${made.id}/select`)).status).toBe(403);
  });

  it('is gone for all when it is deleted', async () => {
    const { body: made } = await put(ada);
    await share(ada, made.id, eve, 'viewer');
    await eve.request('PUT', `${path}/${made.id}/select`);
    expect(await ada.request('DELETE', `${path}/fake`)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    for (const who of [ada, eve]) expect((await who.request('GET', path)).body).toEqual([]);
    expect((await eve.request('GET', `${path}/${made.id}/users`)).status).toBe(404);
    expect((await put(ada)).body.id).not.toBe(made.id);
  });
});

describe('models', () => {
  it('are listed by provider, those that may judge apart', async () => {
    await put(ada);
    await put(ada, {}, 'other_fake');
    const { body: listed } = await ada.request('GET', '/v2/llm_integrations');
    expect(Object.keys(listed)).toEqual(['fake', 'other_fake']);
    expect(listed.fake).toEqual({
      integration_name: 'fake',
      models: ['judge-large', 'embedder'],
      scorer_models: ['judge-large'],
      supports_num_judges: true,
      recommended_models: {},
      model_properties: [
        { alias: 'Judge', name: 'judge-large', input_modalities: ['text'], multimodal_capabilities: [] },
        { alias: 'embedder', name: 'embedder', input_modalities: ['text'], multimodal_capabilities: [] },
      ],
    });
    expect((await ada.request('GET', '/v2/llm_integrations/fake/scorer_models')).body).toEqual(['judge-large']);
  });

  it('are listed by what they read beside texts', async () => {
    await put(ada);
    const models = [
      { name: 'reader', judges: true },
      { name: 'seer', judges: true, reads: ['text', 'image'] },
      { name: 'all', judges: false, reads: ['text', 'image', 'audio', 'video'] },
    ];
    far.answer = (_req, res) => res.end(JSON.stringify({ models }));
    const listed = async (...capabilities: string[]) => {
      const query = capabilities.map((one) => `multimodal_capabilities=${one}`).join('&');
      return ada.request('GET', `/v2/llm_integrations?${query}`);
    };
    expect((await listed()).body.fake.models).toEqual(['reader', 'seer', 'all']);
    expect((await listed('vision')).body.fake).toMatchObject({ models: ['seer', 'all'], scorer_models: ['seer'] });
    expect((await listed('vision', 'audio')).body.fake.model_properties).toEqual([
      {
        alias: 'all',
        name: 'all',
        input_modalities: ['text', 'image', 'audio', 'video'],
        multimodal_capabilities: ['vision', 'audio'],
      },
    ]);
    expect((await listed('smell')).status).toBe(422);
  });

  it('are asked for once in a while, and anew after a change', async () => {
    await put(ada);
    for (const _ of [1, 2, 3]) await ada.request('GET', '/v2/llm_integrations/fake/models');
    expect(far.asked).toHaveLength(1);
    await put(ada, { token: 'sk-second' });
    await ada.request('GET', '/v2/llm_integrations/fake/models');
    expect(far.asked.map(({ token }) => token)).toEqual(['Bearer sk-first', 'Bearer sk-second']);
  });

  it('that cannot be had do not hold up the others, and are asked for again', async () => {
    await put(ada);
    far.answer = (_req, res) => res.writeHead(500).end();
    expect((await ada.request('GET', '/v2/llm_integrations')).body).toMatchObject({ fake: { models: [] } });
    const failed = await ada.request('GET', '/v2/llm_integrations/fake/models');
    expect(failed).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
    expect(failed.headers.get('retry-after')).toBe('5');
    far.answer = (_req, res) => res.writeHead(401).end();
    expect(await ada.request('GET', '/v2/llm_integrations/fake/models')).toMatchObject({
      status: 400,
      body: { code: 'provider_refused' },
    });
    expect((await ada.request('GET', '/v2/llm_integrations/nothing/models')).status).toBe(404);
  });

  it('of a run are those of whoever created it', async () => {
    await put(ada);
    const project = await ada.request('POST', '/v2/projects', { name: 'Atlas' });
    const stream = await ada.request('POST', `/v2/projects/${project.body.id}/log_streams`, { name: 'one' });
    await ada.request('POST', `/v2/projects/${project.body.id}/users`, [{ user_id: eve.id, role: 'viewer' }]);
    const of = (run_id: string) => eve.request('GET', `/v2/llm_integrations/projects/${project.body.id}/runs/${run_id}`);
    expect((await of(stream.body.id)).body).toMatchObject({ fake: { scorer_models: ['judge-large'] } });
    expect(await of(randomUUID())).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
    expect((await eve.request('GET', '/v2/llm_integrations')).body).toEqual({});
  });

  it('are found by name and by alias, and called by their names at the provider', async () => {
    await put(ada);
    const { modelDirectory } = server.cradle;
    const ask = async (who: Person, alias: string) => {
      const { provider, model } = await modelDirectory.offer(who.id, alias);
      return provider.complete({ model, messages: [{ role: 'user', content: 'hello' }], signal: AbortSignal.timeout(5_000) });
    };
    for (const alias of ['judge-large', 'Judge'])
      expect(await ask(ada, alias)).toMatchObject({ text: 'asked {"model":"judge-large"}' });
    for (const [who, alias] of [
      [ada, 'embedder'],
      [ada, 'nothing'],
      [eve, 'Judge'],
    ] as const)
      await expect(ask(who, alias)).rejects.toMatchObject({ failure: 'unsupported' });
    await put(ada);
    far.answer = (_req, res) => res.writeHead(503).end();
    await expect(ask(ada, 'Judge')).rejects.toMatchObject({ failure: 'unavailable', retryable: true });
  });
});

describe('the audit log', () => {
  it('has every change, with no secret', async () => {
    const { body: made } = await put(ada);
    await put(ada, { token: 'sk-second' });
    await ada.request('PUT', `${path}/${made.id}/select`);
    await ada.request('PATCH', `${path}/${made.id}`, { is_disabled: true });
    await ada.request('DELETE', `${path}/fake`);
    const { entries } = (await server.request('GET', `/v2/audit_log?object_id=${made.id}`)).body;
    const found = entries.map(({ action, details }: { action: string; details: object }) => [action, details]).reverse();
    expect(found).toEqual([
      ['integration.put', { provider: 'fake', name: 'fake', is_new: true }],
      ['integration.put', { provider: 'fake', name: 'fake', is_new: false }],
      ['integration.select', { provider: 'fake' }],
      ['integration.update', { is_disabled: true }],
      ['integration.delete', { provider: 'fake', name: 'fake' }],
    ]);
  });
});
