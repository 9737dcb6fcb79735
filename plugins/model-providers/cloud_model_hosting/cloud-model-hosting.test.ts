import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answers, asks, type FakeProvider, getHost, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { modelProviderKit } from '../../../plugin-kit/model-provider/model-provider.kit.ts';
import { cloudModelHosting } from './index.ts';
import { cloudModelHostingKit } from './kit.ts';
import answer from './replies/answer.json' with { type: 'json' };
import token from './replies/token.json' with { type: 'json' };

modelProviderKit(cloudModelHostingKit);

describe('cloud model hosting', () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
    fake.answer = answers({ [answer.asks]: answer.body, [token.asks]: token.body });
  });
  afterEach(() => fake.close());

  const role = { role_arn: 'arn:aws:iam::123456789012:role/judges', external_id: 'external-1' };
  const own: Readonly<Record<string, string>> = { aws_access_key_id: 'AKIAOWN', aws_secret_access_key: 'own-secret' };
  const keys = { cloud_access_key_id: 'AKIAUSER', cloud_secret_access_key: 'user-secret' };
  const request = {
    model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    messages: [{ role: 'user', content: 'Good?' }],
    signal: new AbortController().signal,
  } as const;
  const assuming = (operatorSetting: (name: string) => string | undefined) =>
    cloudModelHosting.create(
      getHost(fake, { operatorSetting }),
      cloudModelHosting.settings.parse({ credential_type: 'assumed_role', token: role }),
    );

  it('signs with the keys of the settings', async () => {
    await cloudModelHosting.create(getHost(fake), cloudModelHosting.settings.parse({ token: keys })).complete(request);
    const { authorization } = fake.seen[0]!.headers;
    expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIAUSER\/\d{8}\/us-west-2\/bedrock\/aws4_request, /);
  });

  it('assumes the role once, with its external id, and signs with the session', async () => {
    const provider = assuming((name) => own[name]);
    await provider.complete(request);
    await provider.complete(request);
    expect(fake.seen.map(asks)).toEqual([token.asks, answer.asks, answer.asks]);
    const [first, second] = fake.seen;
    expect(first!.headers.authorization).toContain('Credential=AKIAOWN/');
    expect(Object.fromEntries(new URLSearchParams(first!.body))).toMatchObject({
      Action: 'AssumeRole',
      RoleArn: role.role_arn,
      ExternalId: 'external-1',
    });
    expect(second!.headers.authorization).toContain('Credential=ASIAISSUED/');
    expect(second!.headers['x-amz-security-token']).toBe('issued-session');
  });

  it('refuses to assume a role without an identity of the service', async () => {
    await expect(assuming(() => undefined).complete(request)).rejects.toMatchObject({ failure: 'unsupported' });
    expect(fake.seen).toEqual([]);
  });

  it('says that credentials were refused when the role may not be assumed', async () => {
    fake.answer = () => ({ status: 403, body: '<ErrorResponse/>' });
    await expect(assuming((name) => own[name]).complete(request)).rejects.toMatchObject({ failure: 'credentials_rejected' });
  });

  it('takes further strings in the token, and looks at those of the credential type alone', () => {
    const parse = (settings: object) => cloudModelHosting.settings.safeParse(settings);
    const further = { ...keys, cloud_session_token: null, profile: 'judges', note: null, role_arn: 'not of this type' };
    expect(parse({ token: further })).toMatchObject({ success: true, data: { token: further } });
    const both = { ...keys, ...role, session_name: 'Prüfung' };
    expect(parse({ credential_type: 'assumed_role', token: both }).success).toBe(true);
    expect(parse({ credential_type: 'assumed_role', token: further }).error?.issues).toMatchObject([{ path: ['token'] }]);
    expect(parse({ token: { ...keys, more: { nested: 1 } } }).error?.issues).toMatchObject([{ path: ['token'] }]);
  });

  it('refuses a token of the other type, and a region that would lead elsewhere', () => {
    const refused = cloudModelHosting.settings.safeParse({ credential_type: 'assumed_role', token: keys });
    expect(refused.error?.issues).toMatchObject([{ path: ['token'] }]);
    const elsewhere = cloudModelHosting.settings.safeParse({ region: 'evil.example/', token: keys });
    expect(elsewhere.error?.issues).toMatchObject([{ path: ['region'] }]);
  });
});
