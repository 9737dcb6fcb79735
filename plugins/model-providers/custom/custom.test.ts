import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answers, type FakeProvider, hostOf, startFakeProvider } from '../../../test/kits/fake-provider.ts';
import { modelProviderKit } from '../../../test/kits/model-provider.kit.ts';
import { custom } from './index.ts';
import answer from './replies/answer.json' with { type: 'json' };

modelProviderKit({
  plugin: custom,
  settings: {
    endpoint: 'https://models.example.org/v1',
    models: ['in-house-1', 'in-house-2'],
    oauth2_token_url: 'https://login.example.org/token',
    token: JSON.stringify({ client_id: 'canary-client-id', client_secret: 'canary-client-secret' }),
  },
  folder: import.meta.dirname,
  model: 'in-house-1',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 8, output_tokens: 12, reasoning_tokens: 4 },
    finish_reason: 'stop',
    model: 'in-house-1',
    cost: 0.00042,
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [
    { name: 'in-house-1', for_scorers: true },
    { name: 'in-house-2', for_scorers: true },
  ],
});

describe('custom', () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
  });
  afterEach(() => fake.close());

  const asked = async (settings: object) => {
    fake.answer = answers({ [answer.asks]: answer.body });
    const base = { endpoint: 'https://models.example.org/v1/', models: ['a', 'b'] };
    await custom.create(hostOf(fake), custom.settings.parse({ ...base, ...settings })).check(new AbortController().signal);
    return fake.seen[0]!;
  };

  it('sends no credentials when there are none, and checks with one token of the default model', async () => {
    const seen = await asked({ authentication_type: 'none', default_model: 'b' });
    expect(seen.headers).not.toHaveProperty('authorization');
    expect(JSON.parse(seen.body)).toMatchObject({ model: 'b', max_tokens: 1 });
  });

  it('sends a key in the header that the settings name', async () => {
    const seen = await asked({ authentication_type: 'api_key', api_key_header: 'X-Key', api_key_value: 'k-1' });
    expect(seen.headers).toMatchObject({ 'x-key': 'k-1' });
    expect(seen.headers).not.toHaveProperty('authorization');
  });

  it('sends a key as a bearer token otherwise', async () => {
    expect((await asked({ authentication_type: 'api_key', api_key_value: 'k-1' })).headers).toMatchObject({
      authorization: 'Bearer k-1',
    });
  });

  it.each([
    [{}, 'token'],
    [{ authentication_type: 'api_key' }, 'api_key_value'],
    [{ authentication_type: 'none', default_model: 'c' }, 'default_model'],
    [{ authentication_type: 'none', custom_llm_config: { file_name: 'mine.py' } }, 'custom_llm_config'],
    [{ authentication_type: 'none', endpoint: 'https://user:word@models.example.org' }, 'endpoint'],
    [{ authentication_type: 'none', endpoint: 'file:///etc/passwd' }, 'endpoint'],
  ])('refuses %j for its %s', (settings, field) => {
    const refused = custom.settings.safeParse({ endpoint: 'https://models.example.org', models: ['a'], ...settings });
    expect(refused.error?.issues).toMatchObject([{ path: [field] }]);
  });
});
