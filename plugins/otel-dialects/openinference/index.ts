import {
  amountAt,
  countAt,
  defineOtelDialect,
  lookUp,
  parseNumber,
  type SpanReader,
  type SpanType,
  source,
  structuredList,
  textAt,
  toAmount,
} from '../../../core/plugin-sdk/index.ts';
import { flattenedDocuments } from './documents.ts';
import { INPUT_MESSAGES, OUTPUT_MESSAGES } from './message-sources.ts';
import { valueAt } from './values.ts';

const KINDS: Readonly<Record<string, SpanType>> = {
  llm: 'llm',
  agent: 'agent',
  tool: 'tool',
  retriever: 'retriever',
  reranker: 'retriever',
  guardrail: 'control',
};
const CALLS: Readonly<Record<string, 'embedding' | 'rerank'>> = { embedding: 'embedding', reranker: 'rerank' };
const getKind = (reader: SpanReader): string | undefined => reader.peekText('openinference.span.kind')?.toLowerCase();

/** OpenInference: lists flattened into keys, a value and its media type beside each other. */
export const openinference = defineOtelDialect({
  id: 'openinference',
  sdk: 1,
  stability: 'experimental',
  label: 'OpenInference',
  summary: 'The conventions of OpenInference, with lists flattened into attributes.',
  recognizes: {
    attributes: [
      ...[
        'openinference.',
        'llm.',
        'retrieval.',
        'reranker.',
        'input.value',
        'input.mime_type',
        'output.value',
        'output.mime_type',
      ],
      ...[
        'tool.name',
        'tool.id',
        'tool_call.id',
        'agent.name',
        'embedding.model_name',
        'session.id',
        'user.id',
        'tag.tags',
        'metadata',
      ],
    ],
  },
  sources: {
    type: [
      source(2, (reader) => {
        const kind = getKind(reader);
        return kind === undefined ? undefined : (lookUp(KINDS, kind) ?? 'workflow');
      }),
      source(9, (reader) => (reader.hasUnder('retrieval.documents.') ? 'retriever' : undefined)),
      source(11, (reader) => (reader.peekText('llm.model_name') === undefined ? undefined : 'llm')),
    ],
    call: [source(1, (reader) => lookUp(CALLS, getKind(reader)))],
    tool_name: [textAt(3, 'tool.name')],
    agent_name: [textAt(2, 'agent.name')],
    input_messages: INPUT_MESSAGES,
    output_messages: OUTPUT_MESSAGES,
    input_text: [textAt(4.2, 'reranker.query'), valueAt(7, 'input')],
    output_text: [valueAt(7, 'output')],
    weak_input_text: [valueAt(7, 'input', true)],
    weak_output_text: [valueAt(7, 'output', true)],
    documents: [
      source(2, (reader) => flattenedDocuments(reader, 'retrieval.documents')),
      source(3, (reader) => flattenedDocuments(reader, 'reranker.output_documents')),
    ],
    model: [
      textAt(4, 'llm.response.model_name'),
      textAt(5, 'llm.model_name'),
      textAt(6, 'llm.request.model_name'),
      source(10, (reader) => {
        const model = reader.member('llm.invocation_parameters', 'model');
        return typeof model === 'string' ? model || undefined : undefined;
      }),
      textAt(11, 'embedding.model_name'),
      textAt(12, 'reranker.model_name'),
    ],
    temperature: [source(3, (reader) => parseNumber(reader.member('llm.invocation_parameters', 'temperature')))],
    finish_reason: [textAt(3, 'llm.finish_reason')],
    tools: [
      source(3, (reader) => {
        const schemas = reader.list('llm.tools').map((tool) => reader.value(tool.get('tool.json_schema')) ?? null);
        return structuredList(schemas);
      }),
    ],
    tool_call_id: [textAt(3, 'tool.id'), textAt(4, 'tool_call.id')],
    num_input_tokens: [countAt(3, 'llm.token_count.prompt')],
    num_output_tokens: [countAt(3, 'llm.token_count.completion')],
    num_total_tokens: [countAt(3, 'llm.token_count.total')],
    num_cached_input_tokens: [countAt(4, 'llm.token_count.prompt_details.cache_read')],
    num_cache_write_input_tokens: [countAt(5, 'llm.token_count.prompt_details.cache_write')],
    num_reasoning_tokens: [countAt(4, 'llm.token_count.completion_details.reasoning')],
    cost: [
      amountAt(1, 'llm.cost.total'),
      source(5, (reader) => {
        const [prompt, completion] = [reader.number('llm.cost.prompt'), reader.number('llm.cost.completion')];
        return prompt === undefined && completion === undefined ? undefined : toAmount((prompt ?? 0) + (completion ?? 0));
      }),
    ],
    session: [textAt(2, 'session.id')],
    user_id: [textAt(1, 'user.id')],
    tags: [source(1, (reader) => reader.tags('tag.tags'))],
  },
  metadata_objects: ['metadata'],
});
