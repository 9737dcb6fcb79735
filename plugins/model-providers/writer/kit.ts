import { writer } from './index.ts';

/** The case that the kit tries the plugin with. */
export const writerKit = {
  plugin: writer,
  settings: { token: 'canary-writer', organization_id: '731' },
  folder: import.meta.dirname,
  model: 'palmyra-x5',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 0, output_tokens: 12, reasoning_tokens: 0 },
    finish_reason: 'stop',
    model: 'palmyra-x5',
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  unpriced: ['palmyra-med'],
  offered: [
    { name: 'palmyra-med', for_scorers: true },
    { name: 'palmyra-x5', for_scorers: true },
  ],
} as const;
