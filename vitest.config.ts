import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** isolated-vm asks for this flag on Node 20 and newer. */
const execArgv = ['--no-node-snapshot'];

/**
 * Tests wait more than they work, so there is one worker more than there are processors. Unit tests and those on PostgreSQL,
 * which share one server, run side by side; the console and the system come after them, file by file.
 */
const maxWorkers = availableParallelism() + 1;

export default defineConfig({
  // Plugins from outside the repository import the SDK by its name; the service resolves it by a hook of its own.
  resolve: { alias: { 'touchstone/plugin-sdk': fileURLToPath(new URL('core/plugin-sdk/index.ts', import.meta.url)) } },
  test: {
    pool: 'forks',
    maxWorkers,
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
            '{core,adapters,plugins,config,cli,console,plugin-kit,testing,demo,bench}/**/*.test.ts',
            'test/*.test.ts',
            'test/http/**/*.test.ts',
            'test/access/**/*.test.ts',
            'test/client/**/*.test.ts',
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
          // One service for all of them, and integrations are the whole organisation's.
          fileParallelism: false,
          setupFiles: ['test/setup/browser-or-skip.ts'],
          // Browser, service and test race each other in more ways than a page's reader would; what fails twice is broken.
          retry: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          sequence: { groupOrder: 2 },
          include: ['test/system/**/*.test.ts'],
          testTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
