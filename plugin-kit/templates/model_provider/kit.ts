import { sampleProvider } from './index.ts';

/** The case that the kit tries the plugin with. */
export const sampleProviderKit = {
  plugin: sampleProvider,
  settings: { endpoint: 'https://api.sample-provider.example/v1', token: 'canary-of-sample-provider' },
  folder: import.meta.dirname,
  model: 'sample-1',
  expected: { text: 'Yes.', usage: { input_tokens: 12, output_tokens: 2 }, finish_reason: 'stop', model: 'sample-1' },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [{ name: 'sample-1', for_scorers: true }],
} as const;
