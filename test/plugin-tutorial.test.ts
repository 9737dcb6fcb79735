import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPlugins } from '../config/plugins.ts';
import { memoryAdapters } from '../config/wiring/memory.ts';
import type { OtlpEncoding } from '../core/otel/otlp-codec.ts';
import { toRequest } from './fixtures/otel/otlp-bodies.ts';
import type { ShortSpan } from './fixtures/otel/short-form.ts';
import { startTestServer, type TestServer } from './http/harness.ts';
import { newProject, send } from './http/otel/otlp-client.ts';
import { type Person, person } from './http/people.ts';
import { scorerFixture } from './http/scorers/scorer-fixture.ts';
import { type Followed, followTutorial } from './plugin-tutorial.ts';
import { eventually } from './setup/timing.ts';

const parent = mkdtempSync(join(tmpdir(), 'touchstone-tutorial-'));
let followed: Followed;
beforeAll(async () => {
  const repository = join(parent, 'repository');
  mkdirSync(repository);
  followed = await followTutorial(repository);
});
afterAll(() => rmSync(parent, { recursive: true }));

describe('the tutorial of plugins', () => {
  it('makes plugins that hold what plugins have to hold', () => {
    const checks = followed.printed.filter((text) => !text.startsWith('made '));
    expect(checks.map((text) => text.split('\n')[0])).toEqual([
      'scorer kind longest_word',
      'model provider acme',
      'notification channel pager',
      'OpenTelemetry dialect trail',
      'code language rules',
      'identity provider badge',
    ]);
    for (const text of checks) expect(text).toMatch(/checks, all hold\n$/);
  });

  it('makes plugins that the service takes', async () => {
    const { scorerKinds, modelProviders, notificationChannels, otelDialects, codeLanguages, identityProviders } =
      await loadPlugins(followed.plugins);
    expect(scorerKinds.at(-1)).toMatchObject({ id: 'longest_word' });
    expect(modelProviders.at(-1)).toMatchObject({ id: 'acme' });
    expect(notificationChannels.at(-1)).toMatchObject({ id: 'pager' });
    expect(otelDialects.at(-1)).toMatchObject({ id: 'trail' });
    expect(codeLanguages.at(-1)).toMatchObject({ id: 'rules' });
    expect(identityProviders.at(-1)).toMatchObject({ id: 'badge' });
  });

  it('needs less than 60 lines for a provider', () => {
    const source = readFileSync(join(parent, 'acme/index.js'), 'utf8');
    expect(source.trimEnd().split('\n').length).toBeLessThan(60);
  });
});

describe('the scorer kind of the tutorial in the service', () => {
  let server: TestServer;
  let ada: Person;
  beforeAll(async () => {
    const { scorerKinds } = await loadPlugins(followed.plugins);
    server = await startTestServer({ scorerKinds });
    await server.cradle.presetSeeding.seed(server.cradle.scorerKinds.presets);
    ada = await person(server);
  });
  afterAll(() => server.close());

  it('is tried, gets a version by its own operation, and scores a trace', async () => {
    const { scorer_kinds } = (await ada.request('GET', '/v2/scorer_kinds')).body;
    const wanted = { id: 'longest_word', definition_schema: { properties: { min_length: { type: 'integer' } } } };
    expect(scorer_kinds).toContainEqual(expect.objectContaining({ id: 'longest_word', label: 'Longest word' }));
    expect(scorer_kinds.find(({ id }: { id: string }) => id === 'longest_word')).toMatchObject(wanted);
    const tried = { definition: { min_length: 3 }, scoreable_node_types: ['trace'], test_output: 'a longest word' };
    const { task_id } = (await ada.request('POST', '/v2/scorers/longest_word/validate', tried)).body;
    await eventually(async () => {
      const { body } = await ada.request('GET', `/v2/scorers/longest_word/validate/${task_id}`);
      expect(body).toMatchObject({ status: 'completed', result: { result: { test_scores: [{ score: 7 }] } } });
    });
    const facts = { name: 'longest', scorer_type: 'longest_word', scoreable_node_types: ['trace'], output_type: 'count' };
    const { id } = (await ada.request('POST', '/v2/scorers', facts)).body;
    expect((await ada.request('POST', `/v2/scorers/${id}/version/longest_word`, { min_length: 0 })).status).toBe(422);
    const version = await ada.request('POST', `/v2/scorers/${id}/version/longest_word`, { min_length: 3 });
    expect(version).toMatchObject({ status: 200, body: { definition: { min_length: 3, counts: 'words of 3 letters or more' } } });
    const listed = await ada.request('POST', '/v2/scorers/list', {
      filters: [{ name: 'name', operator: 'eq', value: 'longest_long_word' }],
    });
    expect(listed.body.scorers).toMatchObject([
      { scorer_type: 'preset', label: 'Longest long word', latest_version: { definition: { min_length: 10 } } },
    ]);
    const { body: project } = await ada.request('POST', '/v2/projects', { name: 'Atlas' });
    const { body: stream } = await ada.request('POST', `/v2/projects/${project.id}/log_streams`, { name: 'default' });
    const settings = `/v2/projects/${project.id}/log_streams/${stream.id}/metric_settings`;
    expect((await ada.request('PATCH', settings, { scorers: [{ id }] })).status).toBe(200);
    const traces = [{ id: randomUUID(), input: 'Which?', output: 'a longest word' }];
    await ada.request('POST', `/v2/projects/${project.id}/traces`, { log_stream_id: stream.id, traces });
    await eventually(async () => {
      const { metric_info } = (await ada.request('GET', `/v2/projects/${project.id}/traces/${traces[0]!.id}`)).body;
      expect(metric_info.longest).toMatchObject({ status_type: 'success', value: 7 });
    });
  });
});

describe('the code language of the tutorial in the service', () => {
  const adapters = memoryAdapters();
  let server: TestServer;
  const fixture = scorerFixture(() => server);
  beforeAll(async () => {
    const { codeLanguages } = await loadPlugins(followed.plugins);
    server = await startTestServer({ codeLanguages, adapters });
  });
  afterAll(() => server.close());

  const code = (id: string, source: string, filename: string, fields: Record<string, string> = {}) =>
    fixture.send(`/v2/scorers/${id}/version/code`, source, fields, filename);
  const RULES = 'please +3\nsorry -1\n';

  it('is listed, tried, refuses what is wrong by its line, and scores a trace that is exported', async () => {
    const { code_languages } = (await server.request('GET', '/v2/code_languages')).body;
    expect(code_languages.map(({ id }: { id: string }) => id)).toEqual(['javascript', 'python', 'rules', 'typescript']);
    const shown = { label: 'Rules', extensions: ['.rules'], file_name: 'scorer.rules', takes_unknown_files: false };
    expect(code_languages[2]).toMatchObject(shown);
    const tried = await fixture.send('/v2/scorers/code/validate', RULES, { test_output: 'yes please' }, 'polite.rules');
    await eventually(async () => {
      const { body } = await server.request('GET', `/v2/scorers/code/validate/${tried.body.task_id}`);
      expect(body).toMatchObject({ status: 'completed', result: { result: { result_type: 'valid' } } });
    });
    const { id, name } = await fixture.create({ scoreable_node_types: ['trace'], output_type: 'count' });
    const refused = await code(id, 'please +1\nno rule\n', 'polite.rules');
    expect(refused).toMatchObject({ status: 422, body: { code: 'code_refused' } });
    expect(refused.body.detail[0].msg).toMatch(/this is no rule.*\(scorer\.rules:2\)$/);
    expect(await code(id, RULES, 'polite.rules', { language: 'cobol' })).toMatchObject({
      status: 422,
      body: { detail: [{ msg: 'the code language "cobol" is not installed; there are javascript, python, rules, typescript' }] },
    });
    const version = await code(id, RULES, 'polite.txt', { language: 'rules' });
    expect(version, JSON.stringify(version.body)).toMatchObject({ status: 200, body: { code_language: 'rules' } });
    expect((await fixture.get(id)).latest_version).toMatchObject({ code_language: 'rules' });
    expect((await server.request('GET', `/v2/scorers/${id}/version/code`)).body).toBe(RULES);
    const run = await fixture.run();
    await run.enable({ id });
    const polite = await run.log('How?', { output: 'Sorry, please wait.' });
    await eventually(async () => {
      expect(await run.metric(polite, name)).toMatchObject({ status_type: 'success', value: 2 });
    });
    const asked = { log_stream_id: run.run_id, root_type: 'trace', export_format: 'csv', filters: [] };
    const exported = await server.request('POST', `/v2/projects/${run.project_id}/export_records`, asked);
    expect(exported.body).toContain(name);
  });

  /** Comes last: the second service ends the queues that it shares with the first. */
  it('leaves its versions readable when it is gone, and fails what they should score', async () => {
    const { id, name } = await fixture.create({ scoreable_node_types: ['trace'], output_type: 'count' });
    expect((await code(id, RULES, 'polite.rules')).status).toBe(200);
    const run = await fixture.run();
    await run.enable({ id });
    const bare = await startTestServer({ adapters });
    try {
      const again = scorerFixture(() => bare);
      expect((await bare.request('GET', `/v2/scorers/${id}`)).body.latest_version).toMatchObject({ code_language: 'rules' });
      expect((await bare.request('GET', `/v2/scorers/${id}/version/code`)).body).toBe(RULES);
      const traces = [{ id: randomUUID(), input: 'How?', output: 'please' }];
      await bare.request('POST', `/v2/projects/${run.project_id}/traces`, { log_stream_id: run.run_id, traces });
      await eventually(async () => {
        const { body } = await bare.request('GET', `/v2/projects/${run.project_id}/traces/${traces[0]!.id}`);
        const message = 'the code language "rules" is not installed';
        expect(body.metric_info[name]).toMatchObject({ status_type: 'error', message: expect.stringContaining(message) });
      });
      const sent = await again.send(`/v2/scorers/${id}/version/code`, RULES, { language: 'rules' }, 'polite.rules');
      expect(sent).toMatchObject({ status: 422, body: { code: 'code_refused' } });
      expect((await bare.request('POST', `/v2/scorers/${id}/versions/1/restore`, {})).status).toBe(200);
      expect((await bare.request('DELETE', `/v2/scorers/${id}`)).status).toBe(200);
    } finally {
      await bare.close();
    }
  });
});

describe('the notification channel of the tutorial in the service', () => {
  let upstream: Server;
  let server: TestServer;
  const calls: { readonly key: string | undefined; readonly body: unknown }[] = [];
  beforeAll(async () => {
    upstream = createServer(async (request, response) => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
      calls.push({ key: request.headers.authorization, body });
      response.writeHead(202).end();
    });
    await new Promise<void>((listening) => upstream.listen(0, '127.0.0.1', listening));
    const { notificationChannels } = await loadPlugins(followed.plugins);
    const { port } = upstream.address() as AddressInfo;
    server = await startTestServer({ notificationChannels, allowedEndpoints: [`127.0.0.1:${port}`] });
  });
  afterAll(async () => {
    await server.close();
    upstream.closeAllConnections();
    upstream.close();
  });

  it('is named by an alert, called when that is tried, and shows no secret', async () => {
    const { body: project } = await server.request('POST', '/v2/projects', { name: 'Atlas' });
    const { body: stream } = await server.request('POST', `/v2/projects/${project.id}/log_streams`, { name: 'default' });
    const trends = `/v2/projects/${project.id}/log_streams/${stream.id}/trends`;
    const widget = { name: 'Traces', metric: 'records', aggregation: 'Count', section_id: 'mine', dataset: [] };
    const { body: watched } = await server.request('POST', `${trends}/widgets`, widget);
    const endpoint = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/calls`;
    const told = { channel: 'pager', channel_settings: { endpoint, token: 'sk-of-pager' } };
    const facts = { name: 'busy', widget_id: watched.id, operator: 'above', threshold: 10 };
    expect((await server.request('POST', `${trends}/alerts`, { ...facts, channel: 'pager' })).status).toBe(422);
    const { alert } = (await server.request('POST', `${trends}/alerts`, { ...facts, ...told })).body;
    const tried = await server.request('POST', `${trends}/alerts/${alert.id}/test`);
    expect(tried.body).toMatchObject({ status: 'delivered', response_status: 202 });
    const title = 'Alert "busy" is tried: this is a test';
    expect(calls).toMatchObject([{ key: 'Bearer sk-of-pager', body: { key: tried.body.id, urgent: false, title } }]);
    const shown = await server.request('GET', `${trends}/alerts/${alert.id}`);
    expect(shown.body).toMatchObject({ channel: 'pager', channel_settings: { endpoint } });
    expect(JSON.stringify([shown.body, server.logged])).not.toContain('sk-of-pager');
  });
});

describe('the identity provider of the tutorial in the service', () => {
  let upstream: Server;
  let endpoint: string;
  let server: TestServer;
  const keys: (string | undefined)[] = [];
  beforeAll(async () => {
    upstream = createServer(async (request, response) => {
      keys.push(request.headers.authorization);
      const { badge } = JSON.parse(Buffer.concat(await request.toArray()).toString());
      const [number, mail, issued_at = endpoint] = badge.split(' ');
      const holder = { number, mail, is_mail_proven: true };
      response.end(JSON.stringify({ holder, clients: ['touchstone'], issued_at, from: 0, until: Date.now() + 60_000 }));
    });
    await new Promise<void>((listening) => upstream.listen(0, '127.0.0.1', listening));
    endpoint = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const { identityProviders } = await loadPlugins(followed.plugins);
    const settings = { endpoint, client_id: 'touchstone', token: 'sk-of-badges' };
    const socialProviders = { badge: { sign_up_domains: ['example.org'], single_use: false, settings } };
    server = await startTestServer({ identityProviders, socialProviders });
  });
  afterAll(async () => {
    await server.close();
    upstream.closeAllConnections();
    upstream.close();
  });

  const logIn = (provider: string, id_token: string) =>
    server.request('POST', '/v2/login/social', { provider, id_token }, { headers: { 'service-api-key': '' } });

  it('is listed, logs people in who get an account by it, and refuses others', async () => {
    const { identity_providers } = (await server.request('GET', '/v2/identity_providers')).body;
    expect(identity_providers.map(({ id }: { id: string }) => id)).toEqual(['badge', 'openid_connect']);
    const schema = { properties: { token: { writeOnly: true } } };
    expect(identity_providers[0]).toMatchObject({ label: 'Badge', names: ['badge'], settings_schema: schema });
    const first = await logIn('badge', '7 ann@example.org');
    expect(first).toMatchObject({ status: 200, body: { token_type: 'bearer' } });
    const headers = { authorization: `Bearer ${first.body.access_token}`, 'service-api-key': '' };
    const me = (await server.request('GET', '/v2/current_user', undefined, { headers })).body;
    expect(me).toMatchObject({ email: 'ann@example.org', auth_method: 'custom' });
    const again = await logIn('badge', '7 ann.new@example.org');
    const renamed = { authorization: `Bearer ${again.body.access_token}`, 'service-api-key': '' };
    expect((await server.request('GET', '/v2/current_user', undefined, { headers: renamed })).body.id).toBe(me.id);
    expect((await logIn('badge', '8 bob@elsewhere.example')).status).toBe(401);
    expect((await logIn('badge', '9 cyd@example.org https://other.example')).status).toBe(401);
    expect(keys.every((key) => key === 'Bearer sk-of-badges')).toBe(true);
  });

  it('has its name in the document beside those of the installed one, and no other is taken', async () => {
    const { components } = (await server.request('GET', '/v2/openapi.json')).body;
    const names = components.schemas.LoginWithSocialRequest.properties.provider.enum;
    expect(names).toEqual(['badge', 'google', 'github', 'okta', 'azure-ad', 'custom', 'saml']);
    expect((await logIn('okta', 'x')).body).toMatchObject({ code: 'provider_not_configured' });
    expect((await logIn('unheard_of', 'x')).status).toBe(422);
  });

  it('is refused at the start when its settings do not fit, without a word of them', async () => {
    const { identityProviders } = await loadPlugins(followed.plugins);
    const settings = { endpoint, token: 'sk of badges' };
    const socialProviders = { badge: { sign_up_domains: null, single_use: false, settings } };
    const failure = await startTestServer({ identityProviders, socialProviders }).catch((error: Error) => error.message);
    expect(failure).toMatch(/SOCIAL_PROVIDERS: badge\.client_id: .*; badge\.token: /);
    expect(failure).not.toContain('sk of badges');
  });
});

describe('the OpenTelemetry dialect of the tutorial in the service', () => {
  let server: TestServer;
  beforeAll(async () => {
    const { otelDialects } = await loadPlugins(followed.plugins);
    server = await startTestServer({ otelDialects });
  });
  afterAll(() => server.close());

  const TRAIL: readonly ShortSpan[] = [
    { spanId: 'a'.repeat(16), name: 'visit', attributes: { 'trail.visit': 'v-1' } },
    {
      spanId: 'b'.repeat(16),
      parentSpanId: 'a'.repeat(16),
      name: 'ask',
      attributes: {
        ...{ 'trail.step': 'ask', 'trail.model': 'm-1', 'trail.heard': 'Behind the mill.', 'trail.usd': 0.25 },
        ...{ 'trail.said': '[{"role":"user","content":"Where is the spring?"}]', 'trail.tokens.in': 12, 'trail.tokens.out': 4 },
        ...{ 'trail.note.city': 'Rome', 'trail.credentials.key': 'sk-of-trail', 'gen_ai.request.model': 'another' },
      },
    },
    {
      spanId: 'c'.repeat(16),
      parentSpanId: 'a'.repeat(16),
      name: 'find',
      attributes: { 'trail.step': 'find', 'trail.query': 'springs', 'trail.hits.0.text': 'The mill', 'trail.hits.0.score': 0.5 },
    },
  ];
  const metrics = { num_input_tokens: 12, num_output_tokens: 4, num_total_tokens: 16, cost: 0.25 };
  const ask = {
    type: 'llm',
    model: 'm-1',
    input: [{ role: 'user', content: 'Where is the spring?' }],
    output: { role: 'assistant', content: 'Behind the mill.' },
    user_metadata: { city: 'Rome', 'trail.step': 'ask', 'gen_ai.request.model': 'another' },
    metrics,
  };
  const find = { type: 'retriever', input: 'springs', output: [{ content: 'The mill', metadata: { score: 0.5 } }] };

  it.each<OtlpEncoding>(['json', 'protobuf'])(
    'has its spans shown, filtered, searched and exported like others, from %s',
    async (encoding) => {
      const project = await newProject(server, `Trail ${encoding}`);
      const sent = await send(server, toRequest({ scope: 'trail', spans: TRAIL }), {
        encoding,
        headers: { project: project.name },
      });
      expect(sent.status).toBe(200);
      const at = `/v2/projects/${project.id}`;
      const [{ id: log_stream_id }] = (await server.request('GET', `${at}/log_streams`)).body;
      const spans = async (...filters: object[]) =>
        (await server.request('POST', `${at}/spans/search`, { log_stream_id, filters })).body.records;
      const text = (column_id: string, operator: string, value: string) => ({ type: 'text', column_id, operator, value });

      const all = await spans();
      expect(all.find(({ name }: { name: string }) => name === 'ask')).toMatchObject(ask);
      expect(all.find(({ name }: { name: string }) => name === 'find')).toMatchObject(find);
      expect(JSON.stringify(all)).not.toContain('sk-of-trail');
      expect(await spans(text('model', 'eq', 'm-1'))).toMatchObject([ask]);
      expect(await spans(text('input', 'contains', 'spring?'))).toMatchObject([ask]);
      expect(await spans(text('output', 'contains', 'The mill'))).toMatchObject([find]);
      const [trace] = (await server.request('POST', `${at}/traces/search`, { log_stream_id })).body.records;
      expect(trace).toMatchObject({ name: 'visit', input: 'Where is the spring?', output: 'Behind the mill.', metrics });
      const session = (await server.request('GET', `${at}/sessions/${trace.session_id}`)).body;
      expect(session).toMatchObject({ external_id: 'v-1' });

      const { body } = await server.request('POST', `${at}/export_records`, { log_stream_id, root_type: 'span' });
      const lines = (body as string).trim().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual(expect.arrayContaining([expect.objectContaining(find)]));
      expect(lines).toHaveLength(3);
    },
  );
});

describe('the provider of the tutorial in the service', () => {
  let far: Server;
  let endpoint: string;
  let server: TestServer;
  let ada: Person;
  const seen: { path: string | undefined; key: string | undefined; body: string }[] = [];

  beforeAll(async () => {
    far = createServer(async (request, response) => {
      const chunks = await request.toArray();
      seen.push({ path: request.url, key: request.headers.authorization, body: Buffer.concat(chunks).toString() });
      response.end(toReply(request.url === '/ask' ? 'structured' : 'models'));
    });
    await new Promise<void>((listening) => far.listen(0, '127.0.0.1', listening));
    endpoint = `http://127.0.0.1:${(far.address() as AddressInfo).port}`;
    const { modelProviders } = await loadPlugins(followed.plugins);
    server = await startTestServer({ modelProviders, allowedEndpoints: [new URL(endpoint).host] });
    ada = await person(server);
  });
  afterAll(async () => {
    await server.close();
    far.closeAllConnections();
    far.close();
  });

  const toReply = (name: string): string =>
    JSON.stringify(JSON.parse(readFileSync(join(parent, `acme/replies/${name}.json`), 'utf8')).body);

  it('has its own operation, in the document too', async () => {
    const settings = { endpoint, token: 'sk-of-acme' };
    expect((await ada.request('PUT', '/v2/integrations/acme', settings)).body).toMatchObject({ provider: 'acme' });
    expect((await ada.request('PUT', '/v2/integrations/acme', { ...settings, more: 1 })).status).toBe(200);
    expect((await ada.request('PUT', '/v2/integrations/acme', { endpoint })).status).toBe(422);
    expect((await ada.request('GET', '/v2/integrations/available')).body.integrations).toContain('acme');
    const { paths, components } = (await server.request('GET', '/v2/openapi.json')).body;
    expect(paths['/v2/integrations/acme'].put.operationId).toBe('putAcmeIntegration');
    expect(components.schemas.PutAcmeIntegrationRequest.properties.token).toMatchObject({ writeOnly: true });
  });

  it('is selected, works and offers its models', async () => {
    const { body: shown } = await ada.request('GET', '/v2/integrations/acme');
    expect(shown).toMatchObject({ endpoint });
    expect(JSON.stringify(shown)).not.toContain('sk-of-acme');
    expect((await ada.request('PUT', `/v2/integrations/${shown.id}/select`)).body).toMatchObject({ is_selected: true });
    expect((await ada.request('GET', '/v2/integrations/acme/status')).body).toEqual({ status: 'active', circuit: 'closed' });
    expect((await ada.request('GET', '/v2/llm_integrations/acme/scorer_models')).body).toEqual(['acme-1']);
  });

  it('returns a judge', async () => {
    const scorer_id = await judge();
    const { body: project } = await ada.request('POST', '/v2/projects', { name: 'Atlas' });
    const { body: stream } = await ada.request('POST', `/v2/projects/${project.id}/log_streams`, { name: 'default' });
    const settings = `/v2/projects/${project.id}/log_streams/${stream.id}/metric_settings`;
    expect((await ada.request('PATCH', settings, { scorers: [{ id: scorer_id }] })).status).toBe(200);
    const traces = [{ id: randomUUID(), input: 'Where is it?', output: 'In the box.' }];
    await ada.request('POST', `/v2/projects/${project.id}/traces`, { log_stream_id: stream.id, traces });
    const trace = `/v2/projects/${project.id}/traces/${traces[0]!.id}`;
    const verdict = { status_type: 'success', value: true, explanation: 'It answers the question.' };
    await eventually(async () => {
      const { metric_info } = (await ada.request('GET', trace)).body;
      expect(Object.values(metric_info)).toMatchObject([verdict]);
    });
    expect(seen.at(-1)).toMatchObject({ path: '/ask', key: 'Bearer sk-of-acme', body: expect.stringContaining('In the box.') });
  });

  /** A judge that asks the model of Acme. */
  async function judge(): Promise<string> {
    const facts = { name: 'answers', scorer_type: 'llm', scoreable_node_types: ['trace'], output_type: 'boolean' };
    const { id } = (await ada.request('POST', '/v2/scorers', facts)).body;
    const definition = { user_prompt: 'Does it answer?', model_name: 'acme-1', num_judges: 1, cot_enabled: true };
    await ada.request('POST', `/v2/scorers/${id}/version/llm`, definition);
    return id;
  }
});
