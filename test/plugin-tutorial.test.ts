import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPlugins } from '../config/plugins.ts';
import { startTestServer, type TestServer } from './http/harness.ts';
import { type Person, person } from './http/people.ts';
import { type Followed, followTutorial } from './plugin-tutorial.ts';

const parent = mkdtempSync(join(tmpdir(), 'touchstone-tutorial-'));
let followed: Followed;
beforeAll(async () => {
  const repository = join(parent, 'repository');
  mkdirSync(repository);
  followed = await followTutorial(repository);
}, 60_000);
afterAll(() => rmSync(parent, { recursive: true }));

describe('the tutorial of plugins', () => {
  it('makes plugins that hold what plugins have to hold', () => {
    const checks = followed.printed.filter((text) => !text.startsWith('made '));
    expect(checks.map((text) => text.split('\n')[0])).toEqual(['scorer kind longest_word', 'model provider acme']);
    for (const text of checks) expect(text).toMatch(/checks, all hold\n$/);
  });

  it('makes plugins that the service takes', async () => {
    const { scorerKinds, modelProviders } = await loadPlugins(followed.plugins);
    expect(scorerKinds.at(-1)).toMatchObject({ id: 'longest_word' });
    expect(modelProviders.at(-1)).toMatchObject({ id: 'acme' });
  });

  it('needs less than 60 lines for a provider', () => {
    const source = readFileSync(join(parent, 'acme/index.js'), 'utf8');
    expect(source.trimEnd().split('\n').length).toBeLessThan(60);
  });
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
      response.end(replyOf(request.url === '/ask' ? 'answer' : 'models'));
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

  const replyOf = (name: string): string =>
    JSON.stringify(JSON.parse(readFileSync(join(parent, `acme/replies/${basename(name)}.json`), 'utf8')).body);

  it('has its own operation, in the document too', async () => {
    const settings = { endpoint, token: 'sk-of-acme' };
    expect((await ada.request('PUT', '/v2/integrations/acme', settings)).body).toMatchObject({ provider: 'acme' });
    expect((await ada.request('PUT', '/v2/integrations/acme', { ...settings, more: 1 })).status).toBe(422);
    expect((await ada.request('GET', '/v2/integrations/available')).body.integrations).toContain('acme');
    const { paths, components } = (await server.request('GET', '/v2/openapi.json')).body;
    expect(paths['/v2/integrations/acme'].put.operationId).toBe('putAcmeIntegration');
    expect(components.schemas.PutAcmeIntegrationRequest.properties.token).toMatchObject({ writeOnly: true });
  });

  it('is selected, works and lends its models', async () => {
    const { body: shown } = await ada.request('GET', '/v2/integrations/acme');
    expect(shown).toMatchObject({ endpoint });
    expect(JSON.stringify(shown)).not.toContain('sk-of-acme');
    expect((await ada.request('PUT', `/v2/integrations/${shown.id}/select`)).body).toMatchObject({ is_selected: true });
    expect((await ada.request('GET', '/v2/integrations/acme/status')).body).toEqual({ status: 'active' });
    expect((await ada.request('GET', '/v2/llm_integrations/acme/scorer_models')).body).toEqual(['acme-1']);
    const model = await server.cradle.modelDirectory.model(ada.id, 'acme-1');
    const messages = [{ role: 'user', content: 'Good?' }] as const;
    const completion = await model.complete({ model: 'acme-1', messages, signal: AbortSignal.timeout(5_000) });
    expect(completion).toMatchObject({ text: 'Yes.', usage: { input_tokens: 12, output_tokens: 2 } });
    expect(seen.at(-1)).toMatchObject({ path: '/ask', key: 'Bearer sk-of-acme', body: expect.stringContaining('Good?') });
  });
});
