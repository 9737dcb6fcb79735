import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answers, asks, type FakeProvider, getHost, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { modelProviderKit } from '../../../plugin-kit/model-provider/model-provider.kit.ts';
import { anthropic } from './index.ts';
import { anthropicKit } from './kit.ts';
import answer from './replies/answer.json' with { type: 'json' };

modelProviderKit(anthropicKit);

describe('anthropic behind a proxy', () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
  });
  afterEach(() => fake.close());

  const settings = {
    token: JSON.stringify({ client_id: 'judge', client_secret: 'secret-of-the-judge' }),
    authentication_type: 'custom_oauth2',
    endpoint: 'https://proxy.example.org/anthropic/',
    oauth2_token_url: 'https://login.example.org/token',
    authentication_scope: 'judging',
    custom_header_mapping: { project_id: 'x-project', model: 'x-model', run_id: 'x-run' },
  };
  const request = {
    model: 'claude-sonnet-4-5',
    messages: [{ role: 'user', content: 'Good?' }],
    labels: { project_id: 'p1', user_id: 'u1' },
    signal: new AbortController().signal,
  } as const;
  const tokens = { access_token: 'issued', expires_in: 3600 };
  const create = (clock = () => new Date('2026-01-01T00:00:00Z')) =>
    anthropic.create(getHost(fake, { clock }), anthropic.settings.parse(settings));

  it('asks for a token once, and sends it with the headers that the settings ask for', async () => {
    fake.answer = answers({
      'POST https://login.example.org/token': tokens,
      'POST https://proxy.example.org/anthropic/v1/messages': answer.body,
    });
    const provider = create();
    await provider.complete(request);
    await provider.complete(request);
    expect(fake.seen.map(asks)).toEqual([
      'POST https://login.example.org/token',
      'POST https://proxy.example.org/anthropic/v1/messages',
      'POST https://proxy.example.org/anthropic/v1/messages',
    ]);
    expect(Object.fromEntries(new URLSearchParams(fake.seen[0]!.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'judge',
      client_secret: 'secret-of-the-judge',
      scope: 'judging',
    });
    const { headers } = fake.seen[1]!;
    expect(headers).toMatchObject({ authorization: 'Bearer issued', 'x-project': 'p1', 'x-model': 'claude-sonnet-4-5' });
    expect(headers).not.toHaveProperty('x-api-key');
    expect(headers).not.toHaveProperty('x-run');
  });

  it('asks for another token before the first expires', async () => {
    fake.answer = answers({
      'POST https://login.example.org/token': tokens,
      'POST https://proxy.example.org/anthropic/v1/messages': answer.body,
    });
    let now = '2026-01-01T00:00:00Z';
    const provider = create(() => new Date(now));
    await provider.complete(request);
    now = '2026-01-01T00:58:59Z';
    await provider.complete(request);
    now = '2026-01-01T00:59:01Z';
    await provider.complete(request);
    expect(fake.seen.filter((one) => one.url.endsWith('/token'))).toHaveLength(2);
  });

  it('says that credentials were refused when the token endpoint answers 400 or 401', async () => {
    for (const status of [400, 401]) {
      fake.answer = () => ({ status, body: '{"error":"invalid_client"}' });
      await expect(create().complete(request)).rejects.toMatchObject({ failure: 'credentials_rejected' });
    }
  });

  it('names what custom_oauth2 lacks', () => {
    const refused = anthropic.settings.safeParse({ token: 'sk-ant-1', authentication_type: 'custom_oauth2' });
    expect(refused.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
      ['token', 'has to be JSON text with client_id and client_secret'],
      ['endpoint', 'is required for custom_oauth2'],
      ['oauth2_token_url', 'is required for custom_oauth2'],
    ]);
  });

  it('reads a refusal as filtered content', async () => {
    const refused = { ...answer.body, content: [], stop_reason: 'refusal' };
    fake.answer = answers({ 'POST https://api.anthropic.com/v1/messages': refused });
    const provider = anthropic.create(getHost(fake), anthropic.settings.parse({ token: 'sk-ant-1' }));
    expect(await provider.complete(request)).toMatchObject({ text: '', finish_reason: 'content_filter' });
    expect(fake.seen[0]!.headers).toMatchObject({ 'x-api-key': 'sk-ant-1' });
  });
});
