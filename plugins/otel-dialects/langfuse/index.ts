import {
  defineOtelDialect,
  findFirst,
  isJsonObject,
  lookUp,
  messagesAt,
  parseNumber,
  peekedAt,
  type SpanReader,
  type SpanType,
  source,
  textAt,
  toAmount,
  toCount,
  toStructured,
  unquote,
  unquotedAt,
} from '../../../core/plugin-sdk/index.ts';

const KINDS: Readonly<Record<string, SpanType>> = {
  generation: 'llm',
  agent: 'agent',
  tool: 'tool',
  retriever: 'retriever',
  guardrail: 'control',
};
const getKind = (reader: SpanReader): string | undefined => reader.peekText('langfuse.observation.type')?.toLowerCase();

/** Langfuse: objects as JSON text, free names of usage and cost. */
export const langfuse = defineOtelDialect({
  id: 'langfuse',
  sdk: 1,
  stability: 'experimental',
  label: 'Langfuse',
  summary: 'Attributes of the SDKs of Langfuse.',
  recognizes: { attributes: ['langfuse.'] },
  sources: {
    type: [
      source(3, (reader) => {
        const kind = getKind(reader);
        return kind === undefined ? undefined : (lookUp(KINDS, kind) ?? 'workflow');
      }),
    ],
    call: [source(2, (reader) => (getKind(reader) === 'embedding' ? 'embedding' : undefined))],
    input_messages: [messagesAt(1, 'langfuse.observation.input', 'input')],
    output_messages: [messagesAt(1, 'langfuse.observation.output', 'output')],
    input_text: [unquotedAt(1, 'langfuse.observation.input')],
    output_text: [unquotedAt(1, 'langfuse.observation.output')],
    model: [textAt(1, 'langfuse.observation.model.name')],
    temperature: [source(4, (reader) => parseNumber(reader.member('langfuse.observation.model.parameters', 'temperature')))],
    prompt_name: [peekedAt(2, 'langfuse.observation.prompt.name')],
    prompt_version: [peekedAt(2, 'langfuse.observation.prompt.version')],
    num_input_tokens: [source(8, inputTokens)],
    num_output_tokens: [source(8, (reader) => usage(reader, /^output(_|$)/, 'completion_tokens', 'output_tokens'))],
    num_total_tokens: [source(7, (reader) => usageMember(reader, 'total', 'total_tokens'))],
    num_cached_input_tokens: [source(8, cachedTokens)],
    num_cache_write_input_tokens: [source(8, (reader) => usageMember(reader, 'input_cache_creation', ...CACHE_WRITES))],
    num_reasoning_tokens: [source(7, reasoningTokens)],
    time_to_first_token_ns: [source(5, timeToFirstToken)],
    cost: [source(3, computeCost)],
    failed: [
      source(1, (reader) => (reader.peekText('langfuse.observation.level')?.toUpperCase() === 'ERROR' ? true : undefined)),
    ],
    error_text: [textAt(1, 'langfuse.observation.status_message')],
    session: [textAt(3, 'langfuse.session.id')],
    user_id: [textAt(2, 'langfuse.user.id')],
    tags: [source(2, (reader) => reader.tags('langfuse.trace.tags')), source(3, (reader) => reader.tags('langfuse.tags'))],
    trace_name: [textAt(1, 'langfuse.trace.name')],
    trace_input: [unquotedAt(1, 'langfuse.trace.input')],
    trace_output: [unquotedAt(1, 'langfuse.trace.output')],
    dataset_output: [unquotedAt(2, 'langfuse.experiment.item.expected_output')],
  },
  metadata_prefixes: ['langfuse.observation.metadata.', 'langfuse.trace.metadata.'],
  metadata_objects: ['langfuse.observation.metadata'],
});

const usageMember = (reader: SpanReader, ...names: readonly string[]): number | undefined =>
  toCount(parseNumber(reader.member('langfuse.observation.usage_details', ...names)));

/** As the vendors' own replies have them, beside their input and not in it. */
const CACHE_READS = ['input_cache_read_input_tokens', 'cache_read_input_tokens'];
const CACHE_WRITES = ['input_cache_creation_input_tokens', 'cache_creation_input_tokens'];

/** Replies of vendors are passed on as they came: details of prompt and completion are objects inside. */
function detail(reader: SpanReader, objects: readonly string[], ...names: readonly string[]): number | undefined {
  for (const name of objects) {
    const found = findFirst(reader.member('langfuse.observation.usage_details', name), ...names);
    const count = toCount(parseNumber(found));
    if (count !== undefined) return count;
  }
  return undefined;
}

function cachedTokens(reader: SpanReader): number | undefined {
  const details = ['prompt_tokens_details', 'input_tokens_details', 'input_token_details'];
  return (
    usageMember(reader, 'input_cached_tokens', 'input_cache_read', ...CACHE_READS) ??
    detail(reader, details, 'cached_tokens', 'cache_read')
  );
}

function reasoningTokens(reader: SpanReader): number | undefined {
  const details = ['completion_tokens_details', 'output_tokens_details', 'output_token_details'];
  return (
    usageMember(reader, 'output_reasoning_tokens', 'output_reasoning') ?? detail(reader, details, 'reasoning_tokens', 'reasoning')
  );
}

/** Names without `input` in front are those of a vendor that counts tokens of its cache apart. */
function inputTokens(reader: SpanReader): number | undefined {
  const input = usage(reader, /^input(_|$)/, 'prompt_tokens', 'input_tokens');
  const apart = ['cache_read_input_tokens', 'cache_creation_input_tokens'].map((name) => usageMember(reader, name) ?? 0);
  return input === undefined ? undefined : apart.reduce((all, count) => all + count, input);
}

/** Every kind of tokens is counted apart, so they add up; of a reply that was passed on as it came the whole count is used. */
function usage(reader: SpanReader, names: RegExp, ...whole: readonly string[]): number | undefined {
  const total = usageMember(reader, ...whole);
  if (total !== undefined) return total;
  const counts = entriesAt(reader, 'langfuse.observation.usage_details').filter(([name]) => names.test(name));
  return counts.length === 0 ? undefined : toCount(sum(counts));
}

function computeCost(reader: SpanReader): number | undefined {
  const total = parseNumber(reader.member('langfuse.observation.cost_details', 'total'));
  const parts = entriesAt(reader, 'langfuse.observation.cost_details');
  return toAmount(total ?? (parts.length === 0 ? undefined : sum(parts)));
}

function entriesAt(reader: SpanReader, key: string): [string, number][] {
  const value = toStructured(reader.peek(key) ?? null);
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return entries.flatMap(([name, given]) => {
    const number = parseNumber(given);
    return number === undefined ? [] : [[name, number] as [string, number]];
  });
}

const sum = (entries: readonly [string, number][]): number => entries.reduce((all, [, number]) => all + number, 0);

function timeToFirstToken(reader: SpanReader): number | undefined {
  const moment = reader.peek('langfuse.observation.completion_start_time');
  const millis = moment === undefined ? Number.NaN : Date.parse(unquote(moment));
  if (Number.isNaN(millis) || reader.facts.start_unix_nano === 0n) return undefined;
  return toCount(Number(BigInt(millis) * 1_000_000n - reader.facts.start_unix_nano));
}
