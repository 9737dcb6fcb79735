import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answers, asks, type FakeProvider, hostOf, startFakeProvider } from '../../../test/kits/fake-provider.ts';
import { modelProviderKit } from '../../../test/kits/model-provider.kit.ts';
import { nvidia } from './index.ts';

modelProviderKit({
  plugin: nvidia,
  settings: { token: 'nvapi-canary', hostname: 'integrate.api.nvidia.com' },
  folder: import.meta.dirname,
  model: 'meta/llama-3.3-70b-instruct',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 0, output_tokens: 12, reasoning_tokens: 0 },
    finish_reason: 'stop',
    model: 'meta/llama-3.3-70b-instruct',
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [
    { name: 'meta/llama-3.3-70b-instruct', for_scorers: true },
    { name: 'nvidia/nv-embedqa-e5-v5', for_scorers: false },
  ],
});

describe('nvidia', () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
  });
  afterEach(() => fake.close());

  it.each([
    ['integrate.api.nvidia.com', 'https://integrate.api.nvidia.com/v1/models'],
    ['http://nim.example.org:8000/', 'http://nim.example.org:8000/v1/models'],
  ])('finds %s', async (hostname, address) => {
    fake.answer = answers({ [`GET ${address}`]: { data: [] } });
    await nvidia.create(hostOf(fake), nvidia.settings.parse({ token: 'nvapi-1', hostname })).check(new AbortController().signal);
    expect(fake.seen.map(asks)).toEqual([`GET ${address}`]);
  });

  it.each(['nim.example.org/path', 'user@nim.example.org', 'ftp://nim.example.org'])('refuses %s for a host', (hostname) => {
    expect(nvidia.settings.safeParse({ token: 'nvapi-1', hostname }).error?.issues).toMatchObject([{ path: ['hostname'] }]);
  });
});
