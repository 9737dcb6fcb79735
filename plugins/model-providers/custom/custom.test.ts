import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { secretPaths } from '../../../core/plugin-sdk/index.ts';
import { answers, type FakeProvider, getHost, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { modelProviderKit } from '../../../plugin-kit/model-provider/model-provider.kit.ts';
import { custom } from './index.ts';
import { customKit } from './kit.ts';
import answer from './replies/answer.json' with { type: 'json' };

modelProviderKit(customKit);

describe('custom', () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
  });
  afterEach(() => fake.close());

  const asked = async (settings: object) => {
    fake.answer = answers({ [answer.asks]: answer.body });
    const base = { endpoint: 'https://models.example.org/v1/', models: ['a', 'b'] };
    await custom.create(getHost(fake), custom.settings.parse({ ...base, ...settings })).check(new AbortController().signal);
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

  it('takes a class of another runtime from clients that send one, and shows nothing of what it is made with', () => {
    const custom_llm_config = { file_name: 'mine.py', class_name: 'Mine', init_kwargs: { key: 'k-1', tries: 2 } };
    const sent = { endpoint: 'https://models.example.org', models: ['a'], authentication_type: 'none', custom_llm_config };
    expect(custom.settings.parse(sent)).toMatchObject({ custom_llm_config });
    expect(secretPaths(custom.settings)).toContainEqual(['custom_llm_config', 'init_kwargs']);
  });

  it.each([
    [{}, 'token'],
    [{ authentication_type: 'api_key' }, 'api_key_value'],
    [{ authentication_type: 'none', default_model: 'c' }, 'default_model'],
    [{ authentication_type: 'none', custom_llm_config: 'mine.py' }, 'custom_llm_config'],
    [{ authentication_type: 'none', endpoint: 'https://user:word@models.example.org' }, 'endpoint'],
    [{ authentication_type: 'none', endpoint: 'file:///etc/passwd' }, 'endpoint'],
  ])('refuses %j for its %s', (settings, field) => {
    const refused = custom.settings.safeParse({ endpoint: 'https://models.example.org', models: ['a'], ...settings });
    expect(refused.error?.issues).toMatchObject([{ path: [field] }]);
  });
});
