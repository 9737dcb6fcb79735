import { registered } from './index.ts';

/** The case that the kit tries the plugin with. */
export const registeredKit = {
  plugin: registered,
  definition: { language: 'javascript', source: 'function scorer() { return 1; }' },
  upload: { filename: 'scorer.js' },
  codeOutcomes: [
    { kind: 'returned', value: 0.5 },
    { kind: 'threw', message: 'scorer.js:1: no' },
    { kind: 'timed_out', message: 'longer than 500 ms' },
    { kind: 'out_of_memory', message: 'more than 64 MB' },
    { kind: 'refused', message: 'does not compile' },
  ],
  records: ['{}', '{}', '{}', '{}', '{}'],
  expected: [
    { status: 'success', value: 0.5 },
    { status: 'failed', message: 'scorer.js:1: no' },
    { status: 'failed', message: 'longer than 500 ms' },
    { status: 'failed', message: 'more than 64 MB' },
    { status: 'failed', message: 'does not compile' },
  ],
} as const;
