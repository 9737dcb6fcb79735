import type { Route } from '../../adapters/http/route.ts';
import { DEFAULT_SANDBOX_SETTINGS, ForkedSandbox } from '../../adapters/sandbox/forked-sandbox.ts';
import { toSandboxLanguage } from '../../config/code-languages.ts';
import type { Cradle } from '../../config/cradle.ts';
import { INSTALLED, type LoadedPlugins } from '../../config/plugins.ts';
import type { LoginLimits } from '../../core/access/login/login-limiter.ts';
import type { CodeLanguagePlugin } from '../../core/plugin-sdk/index.ts';
import type { CodeSandbox } from '../../core/scorers/scoring/code-sandbox.ts';
import { FIRST_ADMIN, type ServiceSettings, type StartedService, startService, value } from '../../testing/index.ts';
import { sharedByFile } from '../setup/shared-by-file.ts';
import { silent } from '../setup/silent.ts';

export type { Reply } from '../../testing/index.ts';
export const ADMIN = FIRST_ADMIN;

const sandboxFor = (codeLanguages: readonly CodeLanguagePlugin[]): ForkedSandbox =>
  new ForkedSandbox({
    settings: { ...DEFAULT_SANDBOX_SETTINGS, run_ms: 2_000 },
    languages: codeLanguages.map(toSandboxLanguage),
    log: silent,
  });

/** Starting processes takes longer than most tests, so those of a file share them; on a busy machine, programs are slow. */
const sandboxOfFile = sharedByFile(
  () => sandboxFor(INSTALLED.codeLanguages),
  (sandbox) => sandbox.close(),
);

export interface TestServer extends StartedService {
  readonly cradle: Cradle;
}

export interface TestSettings extends Omit<ServiceSettings, 'routes' | 'plugins' | 'background'>, Partial<LoadedPlugins> {
  readonly loginLimits?: LoginLimits;
  /** Routes mounted in place of the service's own. */
  readonly mounted?: (routes: readonly Route[]) => readonly Route[];
}

/** The whole service as `startService` gives it, where nothing happens by itself and tests may go further in. */
export async function startTestServer(settings: TestSettings = {}): Promise<TestServer> {
  const {
    modelProviders,
    scorerKinds,
    notificationChannels,
    codeLanguages,
    otelDialects,
    identityProviders,
    loginLimits,
    mounted,
    overrides,
    ...rest
  } = settings;
  const lists = { modelProviders, scorerKinds, notificationChannels, codeLanguages, otelDialects, identityProviders };
  const given = Object.entries(lists).filter(([, list]) => list !== undefined);
  // The file ends the one that is shared.
  const sandbox = codeLanguages ? sandboxFor(codeLanguages) : keptOpen(sandboxOfFile());
  const service = await startService({
    ...rest,
    plugins: Object.fromEntries(given) as Partial<LoadedPlugins>,
    background: false,
    ...(mounted && { routes: mounted }),
    overrides: {
      codeSandbox: value(sandbox),
      ...(loginLimits === undefined ? {} : { loginLimits: value(loginLimits) }),
      ...overrides,
    },
  });
  return { ...service, cradle: service.services };
}

const keptOpen = (sandbox: CodeSandbox): CodeSandbox => ({ run: (...call) => sandbox.run(...call), close: async () => {} });
