import { managedModelPlatform } from './index.ts';

/** The case that the kit tries the plugin with. */
export const managedModelPlatformKit = {
  plugin: managedModelPlatform,
  settings: { token: { cloud_access_key_id: 'AKIACANARY', cloud_secret_access_key: 'canary-secret-key' } },
  folder: import.meta.dirname,
  model: 'judge-endpoint',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 0, output_tokens: 12, reasoning_tokens: 0 },
    finish_reason: 'stop',
    model: 'lmi',
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [{ name: 'judge-endpoint', for_scorers: true }],
  lacks: ['schema'],
} as const;
