import { openai } from './index.ts';

/** The case that the kit tries the plugin with. */
export const openaiKit = {
  plugin: openai,
  settings: { token: 'sk-canary-openai', organization_id: 'org-1' },
  folder: import.meta.dirname,
  model: 'gpt-5-mini',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 8, output_tokens: 12, reasoning_tokens: 4 },
    finish_reason: 'stop',
    model: 'gpt-5-mini-2025-08-07',
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [
    { name: 'gpt-4o-audio-preview', for_scorers: false, input_modalities: ['text', 'audio'] },
    {
      name: 'gpt-5-mini',
      for_scorers: true,
      input_modalities: ['text', 'image'],
      files: { media_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] },
    },
    {
      name: 'o3',
      for_scorers: true,
      input_modalities: ['text', 'image'],
      files: { media_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] },
    },
    { name: 'text-embedding-3-small', for_scorers: false, input_modalities: ['text'] },
  ],
  // Of the reasoning models, of which this is one; the responses interface has neither stop nor seed.
  lacks: ['temperature', 'top_p', 'stop', 'seed'],
} as const;
