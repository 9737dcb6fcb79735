import { mistral } from './index.ts';

/** The case that the kit tries the plugin with. */
export const mistralKit = {
  plugin: mistral,
  settings: { token: 'canary-mistral' },
  folder: import.meta.dirname,
  model: 'mistral-small-latest',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, output_tokens: 12 },
    finish_reason: 'stop',
    model: 'mistral-small-2506',
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  unpriced: ['mistral-small-latest'],
  offered: [
    { name: 'mistral-embed', for_scorers: false, input_modalities: ['text'] },
    {
      name: 'mistral-small-latest',
      for_scorers: true,
      input_modalities: ['text', 'image'],
      files: { media_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] },
    },
  ],
} as const;
