import { anthropic } from './index.ts';

/** The case that the kit tries the plugin with. */
export const anthropicKit = {
  plugin: anthropic,
  settings: { token: 'sk-ant-canary-anthropic' },
  folder: import.meta.dirname,
  model: 'claude-sonnet-4-5-20250929',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 8, cache_write_tokens: 0, output_tokens: 12 },
    finish_reason: 'stop',
    model: 'claude-sonnet-4-5-20250929',
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [
    {
      name: 'claude-sonnet-4-5-20250929',
      alias: 'Claude Sonnet 4.5',
      for_scorers: true,
      input_modalities: ['text', 'image'],
      files: { media_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] },
    },
  ],
  lacks: ['seed'],
} as const;
