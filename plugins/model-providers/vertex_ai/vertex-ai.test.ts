import { createVerify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../../core/plugin-sdk/index.ts';
import { answers, asks, type FakeProvider, getHost, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { modelProviderKit } from '../../../plugin-kit/model-provider/model-provider.kit.ts';
import { vertexAi } from './index.ts';
import { account, publicKey, vertexAiKit } from './kit.ts';
import answer from './replies/answer.json' with { type: 'json' };
import token from './replies/token.json' with { type: 'json' };

modelProviderKit(vertexAiKit);

describe('vertex ai', () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
  });
  afterEach(() => fake.close());

  const request = {
    model: 'gemini-2.5-flash',
    messages: [{ role: 'user', content: 'Good?' }],
    signal: new AbortController().signal,
  } as const;
  const create = (more: object = {}) =>
    vertexAi.create(getHost(fake), vertexAi.settings.parse({ token: JSON.stringify(account), ...more }));

  it('exchanges a claim signed with the key of the account for a token, once', async () => {
    fake.answer = answers({ [answer.asks]: answer.body, [token.asks]: token.body });
    const provider = create();
    await provider.complete(request);
    await provider.complete(request);
    expect(fake.seen.map(asks)).toEqual([token.asks, answer.asks, answer.asks]);
    const [head, claims, signature] = new URLSearchParams(fake.seen[0]!.body).get('assertion')!.split('.');
    expect(createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature!, 'base64url')).toBe(true);
    expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toEqual({
      iss: account.client_email,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: 'https://oauth2.googleapis.com/token',
      iat: 1767225600,
      exp: 1767229200,
    });
    expect(fake.seen[1]!.headers).toMatchObject({ authorization: 'Bearer issued-to-the-service-account' });
    expect(fake.seen[1]!.headers).not.toHaveProperty('x-goog-api-key');
  });

  it('asks a region by its own address', async () => {
    const base = 'https://europe-west4-aiplatform.googleapis.com/v1/projects/judges-1/locations/europe-west4/publishers/google';
    const asked = `POST ${base}/models/gemini-2.5-flash:generateContent`;
    fake.answer = answers({ [asked]: answer.body, [token.asks]: token.body });
    await create({ location: 'europe-west4' }).complete(request);
    expect(fake.seen.map(asks)).toEqual([token.asks, asked]);
  });

  it('reads a blocked prompt as filtered content', async () => {
    const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 } };
    fake.answer = answers({ [answer.asks]: blocked, [token.asks]: token.body });
    expect(await create().complete(request)).toMatchObject({ text: '', finish_reason: 'content_filter' });
  });

  it('says that a key which cannot be read is refused', async () => {
    const broken = { ...account, private_key: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n' };
    await expect(create({ token: JSON.stringify(broken) }).complete(request)).rejects.toMatchObject({
      failure: 'credentials_rejected',
    });
  });

  it('keeps what a bucket is called, and not who may read it', () => {
    const gcs_config = { service_account_credentials: 'secret-of-the-bucket', bucket_name: 'files', object_path_prefix: 'a/' };
    const settings = vertexAi.settings.parse({ token: JSON.stringify(account), gcs_config });
    expect(withoutSecrets(vertexAi.settings, settings)).toMatchObject({
      gcs_config: { bucket_name: 'files', object_path_prefix: 'a/' },
    });
    expect(JSON.stringify(withoutSecrets(vertexAi.settings, settings))).not.toContain('secret-of-the-bucket');
  });
});
