import { gateway } from './index.ts';

/** The case that the kit tries the plugin with. */
export const gatewayKit = {
  plugin: gateway,
  settings: {
    token: 'canary-gateway',
    endpoint: 'https://gateway.example.org/v1',
    use_case: 'evaluation',
    reads_files: ['image', 'audio', 'document'],
  },
  folder: import.meta.dirname,
  model: 'judge-small',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 8, output_tokens: 12, reasoning_tokens: 4 },
    finish_reason: 'stop',
    model: 'gpt-5-mini-2025-08-07',
    cost: 0.00042,
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [
    {
      name: 'judge-large',
      for_scorers: true,
      files: {
        media_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'audio/wav', 'audio/mpeg', 'application/pdf'],
      },
    },
    {
      name: 'judge-small',
      for_scorers: true,
      files: {
        media_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'audio/wav', 'audio/mpeg', 'application/pdf'],
      },
    },
  ],
} as const;
