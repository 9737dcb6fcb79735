import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answers, asks, type FakeProvider, getHost, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { modelProviderKit } from '../../../plugin-kit/model-provider/model-provider.kit.ts';
import { databricks } from './index.ts';
import { databricksKit } from './kit.ts';

modelProviderKit(databricksKit);

describe('databricks', () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
  });
  afterEach(() => fake.close());

  it('asks no model when the integration is not for models', async () => {
    const settings = databricks.settings.parse({ token: 'dapi-1', hostname: 'https://adb-1.azuredatabricks.net/' });
    const provider = databricks.create(getHost(fake), settings);
    const request = { model: 'm', messages: [{ role: 'user', content: 'Good?' }], signal: new AbortController().signal } as const;
    await expect(provider.complete(request)).rejects.toMatchObject({ failure: 'unsupported' });
    expect(await provider.models(new AbortController().signal)).toEqual([]);
    expect(fake.seen).toEqual([]);
    fake.answer = answers({ 'GET https://adb-1.azuredatabricks.net/api/2.0/serving-endpoints': {} });
    await provider.check(new AbortController().signal);
    expect(fake.seen.map(asks)).toEqual(['GET https://adb-1.azuredatabricks.net/api/2.0/serving-endpoints']);
  });
});
