import { asValue } from 'awilix';
import type { PasswordHasher } from '../../core/access/login/identity.ts';
import { startTestServer, type TestSettings } from '../http/harness.ts';
import { person } from '../http/people.ts';
import { quietProvider } from '../setup/fake-provider.ts';
import { type MatrixCaller, makeCallers } from './callers.ts';
import type { FixtureServer } from './fixture-object.ts';

/** Passwords are not what is tested here, and proving them well takes long. */
const quickPasswords: PasswordHasher = {
  hash: async (password) => `quick ${password}`,
  verify: async (password, hash) => hash === `quick ${password}`,
};

/** Bad credentials come by the hundred here; that they are slowed down is tested elsewhere. */
const loginLimits = { account_free: 100_000, account_spread: 100_000, address_free: 100_000, window_ms: 1000, max_delay_ms: 1 };

/** A test server with all who may come along. */
export interface Fixture extends FixtureServer {
  readonly callers: readonly MatrixCaller[];
}

/** The service with everyone who matters to it. */
export async function openAccessFixture({ overrides, ...settings }: TestSettings = {}): Promise<Fixture> {
  const server = await startTestServer({
    loginLimits,
    modelProviders: [quietProvider],
    ...settings,
    overrides: { passwordHasher: asValue(quickPasswords), ...overrides },
  });
  const host = await person(server);
  return { server, host_id: host.id, callers: await makeCallers(server) };
}
