import { cloudModelHosting } from './index.ts';

/** The case that the kit tries the plugin with. */
export const cloudModelHostingKit = {
  plugin: cloudModelHosting,
  settings: {
    token: { cloud_access_key_id: 'AKIACANARY', cloud_secret_access_key: 'canary-secret-key' },
    inference_profiles: { 'anthropic.claude-sonnet-4-5-20250929-v1:0': 'us.anthropic.claude-sonnet-4-5-20250929-v1:0' },
  },
  folder: import.meta.dirname,
  model: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 0, cache_write_tokens: 0, output_tokens: 12 },
    finish_reason: 'stop',
    model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [
    {
      name: 'amazon.nova-lite-v1:0',
      alias: 'Nova Lite',
      for_scorers: true,
      input_modalities: ['text', 'image', 'video'],
      files: { media_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] },
    },
    {
      name: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
      for_scorers: true,
      input_modalities: ['text', 'image'],
      files: { media_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] },
    },
  ],
  lacks: ['seed', 'model'],
} as const;
