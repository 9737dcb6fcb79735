import { azure } from './index.ts';

/** The case that the kit tries the plugin with. */
export const azureKit = {
  plugin: azure,
  settings: { token: 'canary-azure-key', endpoint: 'https://judges.openai.azure.com' },
  folder: import.meta.dirname,
  model: 'judge-mini',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 8, output_tokens: 12, reasoning_tokens: 4 },
    finish_reason: 'stop',
    model: 'gpt-5-mini-2025-08-07',
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [
    {
      name: 'judge-mini',
      alias: 'gpt-5-mini',
      for_scorers: true,
      input_modalities: ['text', 'image'],
      files: { media_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] },
    },
  ],
} as const;
