import { custom } from './index.ts';

/** The case that the kit tries the plugin with. */
export const customKit = {
  plugin: custom,
  settings: {
    endpoint: 'https://models.example.org/v1',
    models: ['in-house-1', 'in-house-2'],
    reads_files: ['image', 'audio', 'document'],
    oauth2_token_url: 'https://login.example.org/token',
    token: JSON.stringify({ client_id: 'canary-client-id', client_secret: 'canary-client-secret' }),
  },
  folder: import.meta.dirname,
  model: 'in-house-1',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 8, output_tokens: 12, reasoning_tokens: 4 },
    finish_reason: 'stop',
    model: 'in-house-1',
    cost: 0.00042,
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [
    {
      name: 'in-house-1',
      for_scorers: true,
      files: {
        media_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'audio/wav', 'audio/mpeg', 'application/pdf'],
      },
    },
    {
      name: 'in-house-2',
      for_scorers: true,
      files: {
        media_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'audio/wav', 'audio/mpeg', 'application/pdf'],
      },
    },
  ],
} as const;
