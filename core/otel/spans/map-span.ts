import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { type OWN_FIELDS, ownField } from '../../traces/catalogue/record-fields.ts';
import { type OwnField, ownFieldsOf, type SpanType, spanType } from '../../traces/catalogue/span-types.ts';
import { pick, pickAll } from '../dialects/every-dialect.ts';
import { toJsonText } from '../messages/json-text.ts';
import { isSpanId, type Sha256, spanRecordId, traceRecordId } from '../otel-ids.ts';
import { getCreatedAt, isoOfNanos } from '../otel-time.ts';
import { storable, storableText } from '../storable.ts';
import type { MappedSpan, SpanOfTrace } from './mapped-span.ts';
import { type OtlpAttributes, type OtlpSpan, PARENT_IS_REMOTE } from './otlp-span.ts';
import { isSecret, toSpanMetadata } from './span-metadata.ts';
import { type PricesOf, toMetrics } from './span-metrics.ts';
import { toSpanPayload } from './span-payload.ts';
import { SpanReader } from './span-reader.ts';
import { getStatusCode } from './span-status.ts';

/** What mapping needs of the world around it. */
export interface Mapping {
  readonly now: string;
  readonly sha256: Sha256;
  /** Prefixes of attributes that speak to us alone, such as `eval.`. */
  readonly ownPrefixes: readonly string[];
  readonly getPrices: PricesOf;
}

const MAX_NAME = 1024;
const MAX_TAG = 255;
const MAX_TAGS = 50;
const RESOURCE_FACTS = ['service.name', 'service.version', 'deployment.environment.name'];

/** One span as a record. Its ids have to be good; nothing else about it can be bad enough to make this throw. */
export function mapSpan(span: OtlpSpan, scopeName: string, resource: OtlpAttributes, mapping: Mapping): MappedSpan {
  const reader = new SpanReader(span, resource, mapping.ownPrefixes);
  const type = pick(reader, 'type') ?? 'workflow';
  const name = getName(reader, type);
  const status_code = getStatusCode(reader);
  const payload = toSpanPayload(reader, type);
  const attributes = toAttributes(reader, type);
  const metrics = toMetrics(reader, mapping.getPrices);
  const tags = [...new Set(pickAll(reader, 'tags').flat())].slice(0, MAX_TAGS);
  const of_trace = ofTrace(reader, type, payload.of_trace);
  const user_metadata = Object.fromEntries(toSpanMetadata(reader, scopeName, payload.metadata));
  const { trace_id, span_id, parent_span_id } = span;
  const texts = { input: payload.input, output: payload.output, user_metadata, attributes, of_trace };
  return {
    id: spanRecordId(trace_id, span_id, mapping.sha256),
    external_id: span_id,
    trace_id: traceRecordId(trace_id),
    parent_id: isSpanId(parent_span_id) ? spanRecordId(trace_id, parent_span_id, mapping.sha256) : traceRecordId(trace_id),
    type,
    name: storableText(name, MAX_NAME),
    created_at: getCreatedAt(span, mapping.now),
    status_code,
    tags: tags.map((tag) => storableText(tag, MAX_TAG)),
    metrics,
    ...(storable(texts as unknown as JsonObject) as unknown as typeof texts),
    kept_attributes: reader.unusedAttributes.filter(([key]) => !isSecret(key)).length,
  };
}

function getName(reader: SpanReader, type: SpanType): string {
  const { named_by } = spanType(type).otel;
  const ofType = named_by ? pick(reader, named_by) : undefined;
  return (ofType ?? pick(reader, 'entity_name') ?? reader.span.name) || type;
}

function toAttributes(reader: SpanReader, type: SpanType): Record<string, JsonValue> {
  const all: Record<string, JsonValue> = {};
  for (const name of ownFieldsOf(type)) {
    const value = (isMapped(name) ? pick(reader, name) : undefined) ?? ownField(name).absent;
    if (value !== undefined) all[name] = typeof value === 'string' ? storableText(value, MAX_NAME) : value;
  }
  return all;
}

/** Fields of spans that dialects read under the same name: one they do not know does not compile. */
type Mapped = { [F in OwnField]: (typeof OWN_FIELDS)[F] extends { readonly from_otel: true } ? F : never }[OwnField];
const isMapped = (name: OwnField): name is Mapped => ownField(name).from_otel === true;

type Texts = Pick<SpanOfTrace, 'input_text' | 'input_is_weak' | 'output_text' | 'output_is_weak'>;

function ofTrace(reader: SpanReader, type: SpanType, texts: Texts): SpanOfTrace {
  const { span, resource } = reader;
  const hasParent = isSpanId(span.parent_span_id);
  const facts = RESOURCE_FACTS.filter((key) => resource.has(key)).map((key) => [key, toJsonText(resource.get(key)!)] as const);
  return {
    trace_external_id: span.trace_id,
    parent_external_id: hasParent ? span.parent_span_id : null,
    parent_is_remote: hasParent && (span.flags & PARENT_IS_REMOTE) !== 0,
    ended_at: span.end_unix_nano === 0n ? null : isoOfNanos(span.end_unix_nano),
    ...texts,
    call: spanType(type).calls_model ? 'llm' : (pick(reader, 'call') ?? null),
    trace_name: pick(reader, 'trace_name') ?? null,
    trace_input: pick(reader, 'trace_input') ?? null,
    trace_output: pick(reader, 'trace_output') ?? null,
    session: pick(reader, 'session') ?? null,
    user_id: pick(reader, 'user_id') ?? null,
    resource: Object.fromEntries(facts),
    dataset_input: pick(reader, 'dataset_input') ?? null,
    dataset_output: pick(reader, 'dataset_output') ?? null,
    dataset_metadata: pick(reader, 'dataset_metadata') ?? {},
  };
}
