import { countAt, defineOtelDialect, lookUp, messagesAt, RANK, source, textAt } from '../../../core/plugin-sdk/index.ts';

/** Before the conventions that are built in, which a span may use as well. */
const FIRST = RANK.beforeConventions;
const TYPES = { model_call: 'llm', search: 'retriever', step: 'workflow' } as const;

export const sampleDialect = defineOtelDialect({
  id: 'sample_dialect',
  sdk: 1,
  stability: 'experimental',
  label: 'Sample dialect',
  summary: 'Attributes of sample dialect.',
  recognizes: { attributes: ['sample_dialect.'] },
  sources: {
    type: [source(FIRST, (reader) => lookUp(TYPES, reader.peekText('sample_dialect.kind')))],
    model: [textAt(FIRST, 'sample_dialect.model')],
    input_messages: [messagesAt(FIRST, 'sample_dialect.prompt', 'input')],
    output_messages: [messagesAt(FIRST, 'sample_dialect.reply', 'output')],
    input_text: [textAt(FIRST, 'sample_dialect.input')],
    output_text: [textAt(FIRST, 'sample_dialect.output')],
    num_input_tokens: [countAt(FIRST, 'sample_dialect.tokens.in')],
    num_output_tokens: [countAt(FIRST, 'sample_dialect.tokens.out')],
    session: [textAt(FIRST, 'sample_dialect.session')],
  },
  metadata_prefixes: ['sample_dialect.tag.'],
});
