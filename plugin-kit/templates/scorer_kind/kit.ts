import { sampleKind } from './index.ts';

/** The case that the kit tries the plugin with. */
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
