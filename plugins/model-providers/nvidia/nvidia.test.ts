import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answers, asks, type FakeProvider, getHost, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { modelProviderKit } from '../../../plugin-kit/model-provider/model-provider.kit.ts';
import { nvidia } from './index.ts';
import { nvidiaKit } from './kit.ts';

modelProviderKit(nvidiaKit);

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
    await nvidia.create(getHost(fake), nvidia.settings.parse({ token: 'nvapi-1', hostname })).check(new AbortController().signal);
    expect(fake.seen.map(asks)).toEqual([`GET ${address}`]);
  });

  it.each(['nim.example.org/path', 'user@nim.example.org', 'ftp://nim.example.org'])('refuses %s for a host', (hostname) => {
    expect(nvidia.settings.safeParse({ token: 'nvapi-1', hostname }).error?.issues).toMatchObject([{ path: ['hostname'] }]);
  });
});
