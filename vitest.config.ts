import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { COMPILE_CACHE } from './test/setup/compile-cache.ts';
import { CONSOLE_WORKERS } from './test/setup/console-workers.ts';
import { LongFirst } from './test/setup/long-first.ts';

/** isolated-vm asks for this flag on Node 20 and newer. */
const execArgv = ['--no-node-snapshot'];

/**
 * Services, tools and the workers of the run itself compile the same thousand modules: whoever is first leaves the others the
 * result. Code out of a cache is told apart less well, so none is used where coverage is counted.
 */
if (!process.argv.some((arg) => arg.startsWith('--coverage'))) process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;

/**
 * Tests wait more than they work, so there is one worker more than there are processors. Unit tests, those on PostgreSQL,
 * which share one server, and those that start services of their own run side by side; then those of the console; and last,
 * file by file, those that drive a service to its limits.
 */
const maxWorkers = availableParallelism() + 1;

const STALL_REPORTER = fileURLToPath(new URL('test/setup/stall-reporter.ts', import.meta.url));

const SYSTEM = 'test/system/**/*.test.ts';
/** They need the machine for themselves. */
const LOADING = ['black-hole', 'fairness', 'graceful-stop', 'large-bodies', 'overload'].map(
  (name) => `test/system/${name}.test.ts`,
);

export default defineConfig({
  // Plugins from outside the repository import the SDK by its name; the service resolves it by a hook of its own.
  resolve: { alias: { 'touchstone/plugin-sdk': fileURLToPath(new URL('core/plugin-sdk/index.ts', import.meta.url)) } },
  test: {
    pool: 'forks',
    reporters: ['default', STALL_REPORTER],
    maxWorkers,
    sequence: { sequencer: LongFirst },
    setupFiles: ['test/setup/end-shared.ts'],
    execArgv,
    // They end a hang, and no more: a busy machine is no failure. What has to be quick is timed by `npm run prove`.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 180_000, interval: 20 } },
    coverage: {
      include: ['core/**', 'adapters/**', 'plugins/**', 'config/**', 'cli/**', 'console/**', 'plugin-kit/**', 'testing/**'],
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          // Loading what they test takes longer than most files do. None of them replaces modules.
          isolate: false,
          include: [
            '{core,adapters,plugins,config,cli,clients,console,plugin-kit,testing,demo,bench}/**/*.test.ts',
            'test/*.test.ts',
            'test/http/**/*.test.ts',
            'test/access/**/*.test.ts',
            'test/client/**/*.test.ts',
            'test/guide/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          sequence: { groupOrder: 0 },
          isolate: false,
          include: ['test/postgres/**/*.test.ts'],
          globalSetup: ['test/setup/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          sequence: { groupOrder: 1 },
          isolate: false,
          include: ['test/console/**/*.test.ts'],
          globalSetup: ['test/setup/console.ts'],
          // A service for each worker, see `test/setup/console.ts`: integrations are the whole organisation's.
          maxWorkers: CONSOLE_WORKERS,
          setupFiles: ['test/setup/browser-or-skip.ts'],
          // Browser, service and test race each other in more ways than a page's reader would; what fails twice is broken.
          retry: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          sequence: { groupOrder: 0 },
          include: [SYSTEM],
          exclude: LOADING,
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'system-loaded',
          sequence: { groupOrder: 2 },
          include: LOADING,
          testTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
