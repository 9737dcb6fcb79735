import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asks, type FakeProvider, getHost, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { modelProviderKit } from '../../../plugin-kit/model-provider/model-provider.kit.ts';
import { azure } from './index.ts';
import { azureKit } from './kit.ts';
import answer from './replies/answer.json' with { type: 'json' };

modelProviderKit(azureKit);

describe('azure', () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
  });
  afterEach(() => fake.close());

  const request = {
    model: 'gpt-5-mini',
    messages: [{ role: 'user', content: 'Good?' }],
    signal: new AbortController().signal,
  } as const;
  const asked = async (settings: object) => {
    fake.answer = (seen) => {
      const body = seen.url.endsWith('/token') ? { access_token: 'issued', expires_in: '3599' } : answer.body;
      return { body: JSON.stringify(body) };
    };
    await azure.create(getHost(fake), azure.settings.parse(settings)).complete(request);
    return fake.seen;
  };
  const endpoint = 'https://judges.openai.azure.com/';

  it('asks the deployment of the model, with the key and the headers of the settings', async () => {
    const [seen] = await asked({
      token: 'k-1',
      endpoint,
      deployments: { 'gpt-5-mini': 'mini one' },
      default_headers: { 'x-team': 'evals' },
    });
    expect(seen!.url).toBe(
      'https://judges.openai.azure.com/openai/deployments/mini%20one/chat/completions?api-version=2025-03-01-preview',
    );
    expect(seen!.headers).toMatchObject({ 'api-key': 'k-1', 'x-team': 'evals' });
    expect(seen!.headers).not.toHaveProperty('authorization');
  });

  it('asks one deployment for every model, and a proxy by its own paths', async () => {
    const [seen] = await asked({
      token: 'k-1',
      endpoint: 'https://proxy.example.org/llm',
      proxy: true,
      azure_deployment: 'only',
    });
    expect(asks(seen!)).toBe('POST https://proxy.example.org/llm/deployments/only/chat/completions');
  });

  it.each([
    [
      'client_secret',
      { tenant_id: 't-1', client_id: 'c', client_secret: 's' },
      { grant_type: 'client_credentials', client_secret: 's' },
    ],
    [
      'username_password',
      { tenant_id: 't-1', client_id: 'c', username: 'u', password: 'p' },
      { grant_type: 'password', username: 'u' },
    ],
  ])('gets a token of Entra by %s', async (authentication_type, token, form) => {
    const [first, second] = await asked({ token: JSON.stringify(token), authentication_type, endpoint });
    expect(asks(first!)).toBe('POST https://login.microsoftonline.com/t-1/oauth2/v2.0/token');
    expect(Object.fromEntries(new URLSearchParams(first!.body))).toMatchObject({
      client_id: 'c',
      scope: 'https://cognitiveservices.azure.com/.default',
      ...form,
    });
    expect(second!.headers).toMatchObject({ authorization: 'Bearer issued' });
    expect(second!.headers).not.toHaveProperty('api-key');
  });

  it('offers the deployments of the settings without asking', async () => {
    const settings = azure.settings.parse({ token: 'k-1', endpoint, available_deployments: [{ model: 'gpt-5', id: 'five' }] });
    const offered = await azure.create(getHost(fake), settings).models(new AbortController().signal);
    expect(offered).toMatchObject([{ name: 'gpt-5', for_scorers: true, input_modalities: ['text', 'image'] }]);
    expect(fake.seen).toEqual([]);
  });

  it('refuses a token that lacks what its type needs', () => {
    const refused = azure.settings.safeParse({ token: '{"client_id":"c"}', authentication_type: 'client_secret', endpoint });
    expect(refused.error?.issues).toMatchObject([
      { path: ['token'], message: 'has to be JSON text with client_id, client_secret, tenant_id' },
    ]);
  });
});
