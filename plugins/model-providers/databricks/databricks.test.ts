import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answers, asks, type FakeProvider, hostOf, startFakeProvider } from '../../../test/kits/fake-provider.ts';
import { modelProviderKit } from '../../../test/kits/model-provider.kit.ts';
import { databricks } from './index.ts';

modelProviderKit({
  plugin: databricks,
  settings: { token: 'dapi-canary', hostname: 'adb-1.azuredatabricks.net', llm: true },
  folder: import.meta.dirname,
  model: 'databricks-claude-sonnet-4-5',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 0, output_tokens: 12, reasoning_tokens: 0 },
    finish_reason: 'stop',
    model: 'databricks-claude-sonnet-4-5',
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [
    { name: 'databricks-claude-sonnet-4-5', for_scorers: true },
    { name: 'databricks-gte-large-en', for_scorers: false },
  ],
});

describe('databricks', () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
  });
  afterEach(() => fake.close());

  it('asks no model when the integration is not for models', async () => {
    const settings = databricks.settings.parse({ token: 'dapi-1', hostname: 'https://adb-1.azuredatabricks.net/' });
    const provider = databricks.create(hostOf(fake), settings);
    const request = { model: 'm', messages: [{ role: 'user', content: 'Good?' }], signal: new AbortController().signal } as const;
    await expect(provider.complete(request)).rejects.toMatchObject({ failure: 'unsupported' });
    expect(await provider.models(new AbortController().signal)).toEqual([]);
    expect(fake.seen).toEqual([]);
    fake.answer = answers({ 'GET https://adb-1.azuredatabricks.net/api/2.0/serving-endpoints': {} });
    await provider.check(new AbortController().signal);
    expect(fake.seen.map(asks)).toEqual(['GET https://adb-1.azuredatabricks.net/api/2.0/serving-endpoints']);
  });
});
