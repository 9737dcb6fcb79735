import type { Explain } from '../../kernel/explain.ts';
import { getRecordTypes } from '../../scores/record-types.ts';
import { SPAN_TYPES, type SpanType } from '../../traces/catalogue/span-types.ts';
import type { Destination } from '../../traces/ingest/flatten.ts';
import { flattenTraces } from '../../traces/ingest/flatten.ts';
import { type LogRecord, toRecordView } from '../../traces/record.ts';
import { type Session, toSessionView, toStoredSession } from '../../traces/sessions/session.ts';
import { computeSessionMetrics } from '../../traces/sessions/session-metrics.ts';

export interface SampleTexts {
  readonly input: string | null;
  readonly output: string | null;
  /** Retrieved by a retriever and returned by a tool. */
  readonly document?: string;
  readonly user_metadata?: Readonly<Record<string, string>>;
}

export interface Sample {
  readonly node_type: string;
  /** As the API shows it, as JSON text. */
  readonly record: string;
  /** The sample's trace with everything in it. */
  readonly around: readonly string[];
}

const INPUT = 'What is the capital of France?';
const OUTPUT = 'The capital of France is Paris.';
const QUERY = 'capital of France';
const DOCUMENT = 'Paris is the capital and largest city of France.';

/**
 * One record of each type, as applications log them: an assistant that looks something up and replies, alone in its session.
 * `explain` never has anything to explain.
 */
export function toSamples(nodeTypes: readonly string[], texts: SampleTexts, to: Destination, explain: Explain): Sample[] {
  const records = flattenTraces([toTrace(texts)], to, explain);
  const around = records.map((record) => JSON.stringify(toRecordView(record)));
  return [...getRecordTypes(nodeTypes)].flatMap((node_type) => {
    if (node_type === 'session') return [{ node_type, record: toSession(records), around }];
    const record = around[records.findIndex(({ type }) => type === node_type)];
    return record === undefined ? [] : [{ node_type, record, around }];
  });
}

/** The session that the trace is by itself. */
function toSession(records: readonly LogRecord[]): string {
  const trace = records[0]!;
  const { input, output } = trace;
  const calls = records.filter(({ type }) => type === 'llm');
  const metrics = computeSessionMetrics([trace], calls);
  const session: Session = {
    ...toStoredSession(trace),
    ...{ input, output, num_traces: 1, is_implicit: true, is_complete: true, metrics },
  };
  return JSON.stringify(toSessionView(session, true));
}

interface SampleSpan {
  readonly name: string;
  readonly input: unknown;
  readonly output: unknown;
  /** The type of the span that it stands under; without one it stands right under the trace. */
  readonly under?: SpanType;
  readonly [field: string]: unknown;
}

function toTrace(texts: SampleTexts): object {
  const { document = DOCUMENT, user_metadata } = texts;
  const [input, output] = [texts.input ?? INPUT, texts.output ?? OUTPUT];
  const query = texts.document === undefined ? QUERY : input;
  const common = {
    status_code: 200,
    metrics: { duration_ns: 120_000_000 },
    user_metadata: { source: 'sample', ...user_metadata },
    tags: ['sample'],
  };
  const question = { role: 'user', content: input };
  const answer = { role: 'assistant', content: output };
  const said: Readonly<Record<SpanType, SampleSpan>> = {
    workflow: { name: 'lookup', input, output: document },
    agent: { name: 'assistant', input, output },
    llm: {
      name: 'answer',
      model: 'sample-model',
      input: [question],
      output: answer,
      finish_reason: 'stop',
      metrics: { duration_ns: 80_000_000, num_input_tokens: 12, num_output_tokens: 8, num_total_tokens: 20 },
    },
    retriever: { name: 'look up', input, output: [{ content: document, metadata: {} }], under: 'workflow' },
    tool: { name: 'search', input: JSON.stringify({ query }), output: document, under: 'agent' },
    control: { name: 'guard', input, output, under: 'agent' },
  };
  const under = Map.groupBy(SPAN_TYPES, (type) => said[type].under);
  const spansUnder = (parent: SpanType | undefined): object[] =>
    (under.get(parent) ?? []).map((type) => {
      const { under: _, ...facts } = said[type];
      return { ...common, type, ...facts, spans: spansUnder(type) };
    });
  return { ...common, type: 'trace', name: 'sample', input, output, spans: spansUnder(undefined) };
}
