import { afterEach, describe, expect, it } from 'vitest';
import { defineModelProvider, type ModelProvider, PluginError, Token, z } from '../../../core/plugin-sdk/index.ts';
import { quietProvider } from '../../setup/fake-provider.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';

let server: TestServer;
afterEach(() => server.close());

const SECRET = 'sk-very-secret/key';

/** A provider as somebody might write it who has not read what it has to keep to. */
const broken = (
  create: (
    token: string,
    log: (message: string, fields?: Record<string, unknown>) => void,
  ) => Partial<Record<keyof ModelProvider, unknown>>,
) =>
  defineModelProvider({
    id: 'broken',
    sdk: 1,
    stability: 'experimental',
    label: 'Broken',
    summary: 'A provider of the tests.',
    settings: z.strictObject({ token: Token }),
    create: (host, { token }) => create(token, host.log) as unknown as ModelProvider,
  });

async function user(plugin: ReturnType<typeof broken>) {
  server = await startTestServer({ modelProviders: [plugin, quietProvider] });
  const ada = await person(server);
  for (const provider of ['broken', 'quiet'])
    expect((await ada.request('PUT', `/v2/integrations/${provider}`, { token: SECRET })).status).toBe(200);
  return ada;
}

describe('a provider that is broken', () => {
  it.each([
    ['has no methods', () => ({})],
    [
      'throws at once',
      () => ({
        models: () => {
          throw new TypeError('a fault');
        },
      }),
    ],
    ['offers what is no list', () => ({ models: async () => ({ data: [] }) })],
    ['offers names alone', () => ({ models: async () => ['one', 'two'] })],
    [
      'cannot be made',
      () => {
        throw new TypeError('a fault');
      },
    ],
  ])('fails alone when it %s: the others offer their models', async (_, create) => {
    const ada = await user(broken(create));
    const offered = await ada.request('GET', '/v2/llm_integrations');
    expect(offered.status).toBe(200);
    expect(offered.body.quiet.models).toEqual(['quiet-model']);
    expect(offered.body.broken.models).toEqual([]);
    const alone = await ada.request('GET', '/v2/llm_integrations/broken/models');
    expect(alone).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
    expect((await ada.request('GET', '/v2/integrations/broken/status')).body.status).toBe('inactive');
    const line = server.logged.find((one) => one.includes('"level":"error"') && one.includes('"provider":"broken"'));
    expect(JSON.parse(line!)).toMatchObject({ integration_id: expect.any(String), request_id: expect.any(String) });
  });

  it('shows no secret of its integration, however it spells it', async () => {
    const spellings = (token: string) => `${token} ${encodeURIComponent(token)} ${btoa(`user:${token}`)}`;
    const ada = await user(
      broken((token, log) => ({
        models: async () => {
          log(`asking with ${spellings(token)}`, { header: `Bearer ${token}`, deep: [{ token }] });
          throw new PluginError('unsupported', `refused ${spellings(token)}`, { cause: new Error(token) });
        },
        check: async () => {
          throw new TypeError(`cannot send ${spellings(token)}`);
        },
      })),
    );
    const replies = [
      await ada.request('GET', '/v2/llm_integrations/broken/models'),
      await ada.request('GET', '/v2/integrations/broken/status'),
      await ada.request('GET', '/v2/llm_integrations'),
    ];
    const all = [...replies.map(({ body }) => JSON.stringify(body)), ...server.logged].join('\n');
    expect(all).toContain('asking with [secret]');
    expect(all).toContain('cannot send [secret]');
    for (const form of [
      SECRET,
      'very-secret',
      encodeURIComponent(SECRET),
      btoa(SECRET).slice(4, 16),
      btoa(`user:${SECRET}`).slice(8, 20),
    ])
      expect(all).not.toContain(form);
  });
});
