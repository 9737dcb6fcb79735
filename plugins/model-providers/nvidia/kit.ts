import { nvidia } from './index.ts';

/** The case that the kit tries the plugin with. */
export const nvidiaKit = {
  plugin: nvidia,
  settings: { token: 'nvapi-canary', hostname: 'integrate.api.nvidia.com' },
  folder: import.meta.dirname,
  model: 'meta/llama-3.3-70b-instruct',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 0, output_tokens: 12, reasoning_tokens: 0 },
    finish_reason: 'stop',
    model: 'meta/llama-3.3-70b-instruct',
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [
    { name: 'meta/llama-3.3-70b-instruct', for_scorers: true },
    { name: 'nvidia/nv-embedqa-e5-v5', for_scorers: false },
  ],
} as const;
