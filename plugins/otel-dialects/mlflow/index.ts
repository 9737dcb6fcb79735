import {
  defineOtelDialect,
  lookUp,
  messagesAt,
  parseNumber,
  type SpanReader,
  type SpanType,
  source,
  toAmount,
  toCount,
  unquote,
  unquotedAt,
} from '../../../core/plugin-sdk/index.ts';

const KINDS: Readonly<Record<string, SpanType>> = {
  llm: 'llm',
  chat_model: 'llm',
  agent: 'agent',
  tool: 'tool',
  retriever: 'retriever',
  reranker: 'retriever',
  guardrail: 'control',
};
const CALLS: Readonly<Record<string, 'embedding' | 'rerank'>> = { embedding: 'embedding', reranker: 'rerank' };

/** MLflow: every value is JSON text, plain texts too. */
export const mlflow = defineOtelDialect({
  id: 'mlflow',
  sdk: 1,
  stability: 'experimental',
  label: 'MLflow',
  summary: 'Attributes of the tracing of MLflow.',
  recognizes: { attributes: ['mlflow.'] },
  sources: {
    type: [
      source(4, (reader) => {
        const kind = getKind(reader);
        return kind === undefined ? undefined : (lookUp(KINDS, kind) ?? 'workflow');
      }),
      source(11, (reader) => (reader.peekText('mlflow.llm.model') === undefined ? undefined : 'llm')),
    ],
    call: [source(3, (reader) => lookUp(CALLS, getKind(reader)))],
    input_messages: [messagesAt(6, 'mlflow.spanInputs', 'input')],
    output_messages: [messagesAt(6, 'mlflow.spanOutputs', 'output')],
    input_text: [unquotedAt(5, 'mlflow.spanInputs')],
    output_text: [unquotedAt(5, 'mlflow.spanOutputs')],
    model: [unquotedAt(9, 'mlflow.llm.model')],
    tools: [source(2, (reader) => reader.objects('mlflow.chat.tools'))],
    num_input_tokens: [usageAt(7, 'input_tokens')],
    num_output_tokens: [usageAt(7, 'output_tokens')],
    num_total_tokens: [usageAt(6, 'total_tokens')],
    num_cached_input_tokens: [usageAt(7, 'cache_read_input_tokens')],
    num_cache_write_input_tokens: [usageAt(7, 'cache_creation_input_tokens')],
    cost: [source(4, (reader) => toAmount(parseNumber(reader.member('mlflow.llm.cost', 'total_cost'))))],
  },
  metadata_prefixes: ['mlflow.traceTag.'],
});

function getKind(reader: SpanReader): string | undefined {
  const kind = reader.peek('mlflow.spanType');
  return kind === undefined ? undefined : unquote(kind).toLowerCase() || undefined;
}

function usageAt(rank: number, name: string) {
  return source(rank, (reader) => toCount(parseNumber(reader.member('mlflow.chat.tokenUsage', name))));
}
