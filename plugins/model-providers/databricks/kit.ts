import { databricks } from './index.ts';

/** The case that the kit tries the plugin with. */
export const databricksKit = {
  plugin: databricks,
  settings: { token: 'dapi-canary', hostname: 'adb-1.azuredatabricks.net', llm: true },
  folder: import.meta.dirname,
  model: 'databricks-claude-sonnet-4-5',
  expected: {
    text: 'Yes, it is good.',
    usage: { input_tokens: 31, cached_tokens: 0, output_tokens: 12, reasoning_tokens: 0 },
    finish_reason: 'stop',
    model: 'databricks-claude-sonnet-4-5',
  },
  expectedValue: { explanation: 'It answers the question.', rating: true },
  offered: [
    { name: 'databricks-claude-sonnet-4-5', for_scorers: true },
    { name: 'databricks-gte-large-en', for_scorers: false },
  ],
} as const;
