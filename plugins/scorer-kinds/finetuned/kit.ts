import { finetuned } from './index.ts';

const answer = { role: 'assistant', content: 'Yes.' };
const record = JSON.stringify({ type: 'llm', id: 'l', trace_id: 't', input: 'Hot?', output: answer });

/** The case that the kit tries the plugin with. */
export const finetunedKit = {
  plugin: finetuned,
  definition: { lora_task_id: 3, prompt: 'Toxic? {{output}}' },
  reply: '0.25',
  records: [record, '{"type":"llm"}'],
  expected: [
    {
      status: 'success',
      value: 0.25,
      effort: { model: 'fake-1', input_tokens: 100, output_tokens: 10, cost: 0.01, cached: false, truncated: false },
    },
    { status: 'failed', message: 'the record has nothing for {{output}}' },
  ],
} as const;
