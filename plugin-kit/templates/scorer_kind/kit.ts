import { sampleKind } from './index.ts';

/** What the kit needs to know to try the plugin. */
export const sampleKindKit = {
  plugin: sampleKind,
  definition: { max_words: 3 },
  records: ['{"output":"short enough"}', '{"output":"a bit too long"}', '{"output":null}'],
  expected: [
    { status: 'success', value: true },
    { status: 'success', value: false },
    { status: 'failed', message: 'the output is not a string' },
  ],
} as const;
