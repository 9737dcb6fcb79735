import { sampleDialect } from './index.ts';

/** The case that the kit tries the plugin with. */
export const sampleDialectKit = {
  plugin: sampleDialect,
  folder: import.meta.dirname,
  spans: [
    {
      name: 'ask',
      attributes: {
        'sample_dialect.kind': 'model_call',
        'sample_dialect.model': 'm-1',
        'sample_dialect.prompt': '[{"role":"system","content":"Be brief."},{"role":"user","content":"Why?"}]',
        'sample_dialect.reply': 'Because.',
        'sample_dialect.tokens.in': 12,
        'sample_dialect.tokens.out': 2,
        'sample_dialect.session': 's-1',
        'sample_dialect.tag.city': 'Rome',
      },
      expected: {
        type: 'llm',
        model: 'm-1',
        input_messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Why?' },
        ],
        output_messages: [{ role: 'assistant', content: 'Because.' }],
        num_input_tokens: 12,
        num_output_tokens: 2,
        session: 's-1',
      },
    },
    {
      name: 'search',
      attributes: { 'sample_dialect.kind': 'search', 'sample_dialect.input': 'refunds', 'sample_dialect.output': '30 days' },
      expected: { type: 'retriever', input_text: 'refunds', output_text: '30 days' },
    },
  ],
} as const;
