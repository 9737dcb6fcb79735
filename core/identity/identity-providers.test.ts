import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PluginRegistry } from '../kernel/plugin-registry.ts';
import {
  defineIdentityProvider,
  type Identity,
  type IdentityProvider,
  PluginError,
  type SignIn,
  secret,
  z,
} from '../plugin-sdk/index.ts';
import { IdentityProviders } from './identity-providers.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const ANN: Identity = {
  issuer: 'badges',
  subject: '7',
  email: null,
  email_verified: false,
  first_name: null,
  last_name: null,
  expires_at: '2026-01-01T00:10:00Z',
};
const logged: string[] = [];
const keep = (message: string, fields?: object) => void logged.push(JSON.stringify({ message, ...fields }));
const log = { info: keep, warn: keep, error: keep };
beforeEach(() => {
  logged.length = 0;
});

const plugin = (id: string, made: Partial<IdentityProvider>, names?: readonly [string, ...string[]]) =>
  defineIdentityProvider({
    ...{ id, sdk: 1, stability: 'stable', label: id, summary: 'For tests.', ...(names && { names }) },
    settings: z.strictObject({ issuer: z.string(), key: secret(z.string()).optional() }),
    issuers: ({ issuer }) => [issuer],
    create: () => ({ identify: async () => ANN, ...made }),
  });

const configured = (settings: Readonly<Record<string, unknown>> = { issuer: 'badges', key: 'sk-of-badges' }) => ({
  sign_up_domains: null,
  single_use: false,
  settings,
});

function open(made: Partial<IdentityProvider>, socialProviders = { badge: configured() }): IdentityProviders {
  const host = { fetch: globalThis.fetch, clock: () => NOW, log: () => {} };
  const identityProviderPlugins = new PluginRegistry([plugin('badge', made)]);
  return new IdentityProviders({ identityProviderPlugins, socialProviders, identityHost: host, clock: () => NOW, log });
}
const giving = (given: unknown) => open({ identify: async () => given as Identity });

describe('an identity provider behind its boundary', () => {
  it('says who somebody is', async () => {
    expect(await open({}).verify('badge', 'x')).toEqual(ANN);
    expect(await open({}).verify('another', 'x')).toBeUndefined();
    expect(await giving(null).verify('badge', 'x')).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['of another issuer', { ...ANN, issuer: 'others' }],
    ['that has expired', { ...ANN, expires_at: '2026-01-01T00:00:00Z' }],
    ['without a subject', { ...ANN, subject: '' }],
    ['with a subject that cannot be stored', { ...ANN, subject: 'a\u0000' }],
    ['with a subject that is longer than the column', { ...ANN, subject: 'x'.repeat(256) }],
    ['whose address is verified by a string', { ...ANN, email_verified: 'true' }],
    ['that is a string', 'ann'],
  ])('logs nobody in by an identity %s, and says so', async (_what, given) => {
    expect(await giving(given).verify('badge', 'x')).toBeUndefined();
    expect(logged[0]).toContain('a plugin gave what it should not');
  });

  it('drops fields that nobody asked for', async () => {
    expect(await giving({ ...ANN, role: 'admin' }).verify('badge', 'x')).toEqual(ANN);
  });

  it.each<[string, () => unknown]>([
    ['a defect', () => new TypeError('sk-of-badges of the-credential')],
    ['a refusal', () => new PluginError('credentials_rejected', 'no')],
    ['a reply of another shape', () => new PluginError('bad_reply', 'no')],
  ])('logs nobody in by %s, and shows neither secret nor credential', async (_what, make) => {
    const providers = open({ identify: () => Promise.reject(make()) });
    expect(await providers.verify('badge', 'the-credential')).toBeUndefined();
    expect(logged.join()).not.toMatch(/sk-of-badges|the-credential/);
  });

  it('says for how long it cannot tell, within bounds', async () => {
    const away = (retry_after_seconds?: number) =>
      open({
        identify: () =>
          Promise.reject(
            new PluginError('unavailable', 'no', { ...(retry_after_seconds !== undefined && { retry_after_seconds }) }),
          ),
      }).verify('badge', 'x');
    const unavailable = { kind: 'unavailable', code: 'identity_provider_unavailable' };
    await expect(away()).rejects.toMatchObject({ ...unavailable, retryAfterSeconds: 5 });
    await expect(away(0)).rejects.toMatchObject({ ...unavailable, retryAfterSeconds: 1 });
    await expect(away(1e9)).rejects.toMatchObject({ ...unavailable, retryAfterSeconds: 600 });
  });

  it('does not wait for a provider that never ends', async () => {
    vi.useFakeTimers();
    const outcome = expect(open({ identify: () => new Promise(() => {}) }).verify('badge', 'x')).rejects.toMatchObject({
      code: 'identity_provider_unavailable',
    });
    await vi.advanceTimersByTimeAsync(10_000);
    await outcome;
    vi.useRealTimers();
  });

  it('is asked by 200 at a time, and turns away more until one of them is done', async () => {
    const waiting: (() => void)[] = [];
    const providers = open({ identify: () => new Promise((resolve) => waiting.push(() => resolve(ANN))) });
    const all = Array.from({ length: 200 }, () => providers.verify('badge', 'x'));
    await vi.waitFor(() => expect(waiting).toHaveLength(200));
    await expect(providers.verify('badge', 'x')).rejects.toMatchObject({ kind: 'unavailable' });
    waiting[0]?.();
    await all[0];
    const next = providers.verify('badge', 'x');
    for (const end of waiting) end();
    await vi.waitFor(() => expect(waiting).toHaveLength(201));
    waiting[200]?.();
    expect(await next).toEqual(ANN);
    await Promise.all(all);
  });

  it.each<[string, unknown]>([
    ['a script', { client_id: 'x', authorization_endpoint: 'javascript:alert(1)' }],
    ['no client', { authorization_endpoint: 'https://id.example' }],
  ])('leads no browser to %s', async (_what, given) => {
    expect(await open({ signIn: async () => given as SignIn }).list()).toEqual([]);
  });
});

describe('the settings of identity providers', () => {
  const registry = (...plugins: ReturnType<typeof plugin>[]) => new PluginRegistry(plugins);
  const openAll = (plugins: ReturnType<typeof registry>, socialProviders: Record<string, ReturnType<typeof configured>>) =>
    new IdentityProviders({
      ...{ identityProviderPlugins: plugins, socialProviders, clock: () => NOW, log },
      identityHost: { fetch: globalThis.fetch, clock: () => NOW, log: () => {} },
    });

  it('are refused with all that is wrong, and without a secret', () => {
    const wrong = { badge: configured({ issuer: 7, key: 'sk-of-badges' }), other: configured() };
    expect(() => openAll(registry(plugin('badge', {})), wrong)).toThrow(
      /^SOCIAL_PROVIDERS: badge\.issuer: .*; other: no plugin for it is installed; there are badge$/,
    );
  });

  it('are refused where two plugins serve one name, or two names share an issuer', () => {
    const twins = registry(plugin('one', {}, ['badge']), plugin('two', {}, ['badge', 'other']));
    expect(() => openAll(twins, {})).toThrow('badge: two plugins serve it');
    const names = registry(plugin('one', {}, ['badge', 'other']));
    expect(() => openAll(names, { badge: configured(), other: configured() })).toThrow('badges is the issuer of two providers');
  });
});
