import {
  defineOtelDialect,
  isJsonObject,
  lookUp,
  messagesAt,
  parseNumber,
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
    num_input_tokens: [source(8, (reader) => usage(reader, /^input(_|$)/, 'prompt_tokens'))],
    num_output_tokens: [source(8, (reader) => usage(reader, /^output(_|$)/, 'completion_tokens'))],
    num_total_tokens: [source(7, (reader) => usageMember(reader, 'total', 'total_tokens'))],
    num_cached_input_tokens: [source(8, (reader) => usageMember(reader, 'input_cached_tokens', 'input_cache_read'))],
    num_cache_write_input_tokens: [source(8, (reader) => usageMember(reader, 'input_cache_creation'))],
    num_reasoning_tokens: [source(7, (reader) => usageMember(reader, 'output_reasoning_tokens'))],
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

/** Every kind of input is counted apart, so they add up. */
function usage(reader: SpanReader, names: RegExp, other: string): number | undefined {
  const counts = entriesAt(reader, 'langfuse.observation.usage_details').filter(([name]) => names.test(name));
  return counts.length === 0 ? usageMember(reader, other) : toCount(sum(counts));
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
