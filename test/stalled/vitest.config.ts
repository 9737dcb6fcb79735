import { defineConfig } from 'vitest/config';
import StallReporter from '../setup/stall-reporter.ts';

/** Files that hang where no limit of a test reaches, see `stall-reporter.test.ts`. */
export default defineConfig({
  test: {
    pool: 'forks',
    root: import.meta.dirname,
    include: ['*.stalled.ts'],
    testTimeout: 100,
    reporters: ['default', new StallReporter({ stallMs: 5_000 })],
  },
});
