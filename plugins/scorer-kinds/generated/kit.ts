import { generated } from './index.ts';

const record = (output: string | null): string => JSON.stringify({ type: 'trace', id: 't', input: 'Where is it?', output });

/** The case that the kit tries the plugin with. */
export const generatedKit = {
  plugin: generated,
  definition: { user_prompt: 'Does it answer?', cot_enabled: true, num_judges: 1 },
  trialBody: {
    user_prompt: 'Does it answer?',
    scorer_configuration: { model_alias: 'judge-1', num_judges: 1, scoreable_node_types: ['trace'] },
    query: 'Where is it?',
  },
  written: '{"metric_system_prompt": "You judge.", "metric_description": "Politeness.", "template": "Polite? {{output}}"}',
  reply: '{"explanation": "It says where.", "rating": true}',
  records: [record('In the box.'), { record: record(null) }],
  expected: [
    {
      status: 'success',
      value: true,
      explanation: 'It says where.',
      effort: {
        model: 'fake-1',
        num_judges: 1,
        votes: [{ value: true, explanation: 'It says where.' }],
        agreement: 1,
        input_tokens: 100,
        output_tokens: 10,
        cost: 0.01,
        cached: false,
        truncated: false,
        latency_ms: 0,
      },
    },
    { status: 'failed', message: 'the record has nothing for {{output}}' },
  ],
} as const;
