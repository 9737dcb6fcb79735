import type { JsonValue } from '../../kernel/json.ts';
import { toJsonText } from '../../plugin-sdk/otel/json-text.ts';
import type { LogRecord } from '../../traces/record.ts';
import { toStoredPayload } from '../otel-record.ts';
import { readEvaluations, toEvaluationFacts } from '../spans/evaluation.ts';
import { type Mapping, toAttributes } from '../spans/map-span.ts';
import type { OtlpSpan } from '../spans/otlp-span.ts';
import { SpanFields } from '../spans/span-fields.ts';
import { toMetrics } from '../spans/span-metrics.ts';
import { toSpanOutline } from '../spans/span-outline.ts';
import { toSpanPayload } from '../spans/span-payload.ts';
import { TrackingSpanReader } from '../spans/span-reader.ts';
import { storable, storablePayload, toListText } from '../storable.ts';
import { JoinedRecord, type RecordValues } from './joined-record.ts';
import { type SpanLog, toShownLog, toSpanEvent } from './span-log.ts';

export type LogMapping = Pick<Mapping, 'ownPrefixes' | 'getPrices' | 'dialects'>;

/** Attributes of this event are those that its span could have had. */
const DETAILS = 'gen_ai.client.inference.operation.details';
const MAX_SHOWN = 64 * 1024;

/**
 * The record of a span with what its log records say: messages, scores of scorers outside, and whatever else was logged. What
 * the span itself says is never replaced. In whichever order span and log records arrived the result is the same. A record
 * that nothing is added to is returned as it is, as is one that did not come by OpenTelemetry.
 */
export function joinLogs(record: LogRecord, logs: readonly SpanLog[], mapping: LogMapping): LogRecord {
  if (!toSpanOutline(record) || logs.length === 0) return record;
  const span = toSpanOfLogs(logs);
  const plan = mapping.dialects.planFor(span, '');
  const reader = new TrackingSpanReader(span, '', { resource: new Map(), prefixes: mapping.ownPrefixes });
  const fields = new SpanFields(span, reader, plan);
  return mapping.dialects.run(plan, () => {
    const joined = new JoinedRecord(record);
    const hasRoom = joined.add(readFields(fields, record.type as never, mapping));
    joined.add(readScores(reader));
    joined.add(readUnusedAttributes(reader, mapping));
    // Shown as it was logged where the span says something else already.
    const shown = logs.filter(({ name }, at) => name !== DETAILS && !(hasRoom && reader.isUsed(at))).map(toShownLog);
    const { text, left_out } = toListText(shown, MAX_SHOWN);
    joined.add([['user_metadata/otel.logs', text]]);
    if (left_out > 0) joined.add([['user_metadata/otel.dropped.logs', String(left_out)]]);
    return joined.finish();
  });
}

/** A span that says nothing but what was logged, for dialects to read. */
function toSpanOfLogs(logs: readonly SpanLog[]): OtlpSpan {
  const details = logs.filter(({ name }) => name === DETAILS).map(toSpanEvent);
  return {
    trace_id: '',
    span_id: '',
    parent_span_id: '',
    name: '',
    kind: 0,
    start_unix_nano: 0n,
    end_unix_nano: 0n,
    attributes: new Map(details.flatMap(({ attributes }) => [...attributes])),
    events: logs.map(toSpanEvent),
    links: [],
    status: { code: 0, message: '' },
    flags: 0,
    dropped: { attributes: 0, events: 0, links: 0 },
  };
}

function readFields(fields: SpanFields, type: Parameters<typeof toSpanPayload>[1], mapping: LogMapping): RecordValues {
  const { input, output, metadata } = toSpanPayload(fields, type);
  const attributes = toAttributes(fields, type);
  const metrics = toMetrics(fields, mapping.getPrices);
  const values: [string, JsonValue][] = [
    ...under('attributes', attributes),
    ...under('metrics', metrics as Record<string, JsonValue>),
    ...under('user_metadata', metadata),
  ];
  return [
    ['input', storablePayload(toStoredPayload(input))],
    ['output', storablePayload(toStoredPayload(output))],
    ...values.map(([place, value]) => [place, storable(value)] as const),
  ];
}

const readScores = (reader: TrackingSpanReader): RecordValues =>
  readEvaluations(reader).flatMap((evaluation) => [
    [`metrics/${evaluation.name}`, evaluation.value] as const,
    ...under('user_metadata', Object.fromEntries(toEvaluationFacts(evaluation))),
  ]);

const readUnusedAttributes = (reader: TrackingSpanReader, { dialects }: LogMapping): RecordValues =>
  reader.unusedAttributes
    .filter(([key]) => !dialects.isSecret(key))
    .map(([key, value]) => [`user_metadata/${key}`, toJsonText(value)] as const);

const under = (section: string, values: Readonly<Record<string, JsonValue>>): [string, JsonValue][] =>
  Object.entries(values).map(([name, value]) => [`${section}/${name}`, value]);
