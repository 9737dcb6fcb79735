import { lookUp, type Source, type SpanReader, type SpanType, source } from '../../../core/plugin-sdk/index.ts';

/** Values of `gen_ai.operation.name`, those of earlier versions and of well-known senders too. */
const OPERATIONS: Readonly<Record<string, SpanType>> = {
  embeddings: 'workflow',
  invoke_workflow: 'workflow',
  plan: 'workflow',
  agent_step: 'workflow',
  execute_task: 'workflow',
  invoke_agent: 'agent',
  create_agent: 'agent',
  chat: 'llm',
  text_completion: 'llm',
  generate_content: 'llm',
  completion: 'llm',
  generate: 'llm',
  llm_request: 'llm',
  retrieval: 'retriever',
  vector_db_retrieve: 'retriever',
  rerank: 'retriever',
  search_memory: 'retriever',
  execute_tool: 'tool',
};
const CALLS: Readonly<Record<string, 'embedding' | 'rerank'>> = { embeddings: 'embedding', rerank: 'rerank' };
const getOperation = (reader: SpanReader): string | undefined => reader.peekText('gen_ai.operation.name')?.toLowerCase();

/** An operation says the type outright; other attributes let it be guessed. */
export const TYPES: readonly Source<SpanType>[] = [
  source(7, (reader) => {
    const operation = getOperation(reader);
    if (operation === undefined) return undefined;
    return lookUp(OPERATIONS, operation) ?? (operation.endsWith('_memory') ? 'workflow' : undefined);
  }),
  source(8, (reader) => (reader.has('gen_ai.tool.name') || reader.has('gen_ai.tool.call.id') ? 'tool' : undefined)),
  source(9, (reader) => (reader.hasUnder('gen_ai.retrieval.') ? 'retriever' : undefined)),
  source(11, (reader) => {
    const model = reader.peekText('gen_ai.request.model') ?? reader.peekText('gen_ai.response.model');
    return model === undefined ? undefined : 'llm';
  }),
];

export const getCall = (reader: SpanReader): 'embedding' | 'rerank' | undefined => lookUp(CALLS, getOperation(reader));
