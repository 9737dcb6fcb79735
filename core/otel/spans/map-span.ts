import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { toJsonText } from '../../plugin-sdk/otel/json-text.ts';
import { type OWN_FIELDS, ownField } from '../../traces/catalogue/record-fields.ts';
import { type OwnField, ownFieldsOf, type SpanType, spanType } from '../../traces/catalogue/span-types.ts';
import type { Dialects } from '../dialects/dialects.ts';
import { isSpanId, type Sha256, spanRecordId, traceRecordId } from '../otel-ids.ts';
import { getCreatedAt, isoOfNanos } from '../otel-time.ts';
import { storable, storablePayload, storableText } from '../storable.ts';
import { readEvaluations, toEvaluationFacts } from './evaluation.ts';
import type { MappedSpan, SpanOfTrace } from './mapped-span.ts';
import { type OtlpAttributes, type OtlpSpan, PARENT_IS_REMOTE } from './otlp-span.ts';
import { KeptTexts } from './repeated-texts.ts';
import { SpanFields } from './span-fields.ts';
import { toSpanMetadata, withDropped } from './span-metadata.ts';
import { type PricesOf, toMetrics } from './span-metrics.ts';
import { toSpanPayload } from './span-payload.ts';
import { TrackingSpanReader } from './span-reader.ts';
import { getStatusCode } from './span-status.ts';

/** Dependencies of mapping. */
export interface Mapping {
  readonly now: string;
  readonly sha256: Sha256;
  /** Prefixes of attributes that speak to us alone, such as `eval.`. */
  readonly ownPrefixes: readonly string[];
  readonly getPrices: PricesOf;
  readonly dialects: Dialects;
}

const MAX_NAME = 1024;
const MAX_TAG = 255;
const MAX_TAGS = 50;
const RESOURCE_FACTS = new Set([
  'service.name',
  'service.namespace',
  'service.version',
  'deployment.environment.name',
  'deployment.environment',
]);
const RESOURCE_PREFIX = 'k8s.';
const MAX_RESOURCE_FACTS = 32;

/** One span as a record. Its ids have to be good; nothing else about it can be bad enough to make this throw. */
export function mapSpan(span: OtlpSpan, scopeName: string, resource: OtlpAttributes, mapping: Mapping): MappedSpan {
  const plan = mapping.dialects.planFor(span, scopeName);
  const reader = new TrackingSpanReader(span, scopeName, { resource, prefixes: mapping.ownPrefixes });
  const fields = new SpanFields(span, reader, plan);
  return mapping.dialects.run(plan, () => toMappedSpan(fields, scopeName, resource, mapping));
}

/** Calls that are records of a model are priced where they are stored: there it is known which project's prices hold. */
const LEFT_TO_THE_WRITER: PricesOf = () => undefined;

function toMappedSpan(fields: SpanFields, scopeName: string, resource: OtlpAttributes, mapping: Mapping): MappedSpan {
  const { span, reader } = fields;
  const type = fields.pick('type') ?? 'workflow';
  const name = getName(fields, type);
  const status_code = getStatusCode(fields);
  const payload = toSpanPayload(fields, type);
  const attributes = toAttributes(fields, type);
  const evaluations = readEvaluations(reader);
  const own_metrics = toMetrics(fields, spanType(type).calls_model ? LEFT_TO_THE_WRITER : mapping.getPrices);
  const metrics =
    evaluations.length === 0
      ? own_metrics
      : { ...own_metrics, ...Object.fromEntries(evaluations.map(({ name, value }) => [name, value])) };
  const kept_texts = new KeptTexts({ input: payload.input, output: payload.output, ...attributes });
  const facts = {
    ...Object.fromEntries(Object.entries(payload.metadata).map(([name, text]) => [name, kept_texts.withoutRepeats(text)])),
    ...Object.fromEntries(evaluations.flatMap(toEvaluationFacts)),
  };
  const tags = toTags(fields);
  const of_trace = ofTrace(fields, type, payload.of_trace, resource);
  const kept = reader.unusedAttributes.filter(([key]) => !mapping.dialects.isSecret(key));
  const user_metadata = Object.fromEntries(toSpanMetadata(fields, scopeName, facts, kept, kept_texts));
  const { trace_id, span_id, parent_span_id } = span;
  const trace_record_id = traceRecordId(trace_id);
  let cut_texts = 0;
  const onCut = (): void => {
    cut_texts += 1;
  };
  // The texts of the trace are those of the span once more.
  const own = {
    input: toStorablePayload(payload.input, onCut),
    output: toStorablePayload(payload.output, onCut),
    ...toStorable({ user_metadata, attributes }, onCut),
  };
  const texts = { ...own, of_trace: toStorable(of_trace) };
  if (cut_texts > 0) texts.user_metadata = withDropped(texts.user_metadata, { texts: cut_texts });
  return {
    id: spanRecordId(trace_id, span_id, mapping.sha256),
    external_id: span_id,
    trace_id: trace_record_id,
    parent_id: isSpanId(parent_span_id) ? spanRecordId(trace_id, parent_span_id, mapping.sha256) : trace_record_id,
    type,
    name: storableText(name, MAX_NAME),
    created_at: getCreatedAt(span, mapping.now),
    status_code,
    tags,
    metrics,
    ...texts,
    cut_texts,
    kept_attributes: kept.length,
  };
}

const NO_TAGS: readonly string[] = [];

function toTags(fields: SpanFields): readonly string[] {
  const told = fields.pickAll('tags');
  if (told.length === 0) return NO_TAGS;
  return [...new Set(told.flat())].slice(0, MAX_TAGS).map((tag) => storableText(tag, MAX_TAG));
}

const toStorable = <T extends object>(value: T, onCut?: () => void): T =>
  storable(value as unknown as JsonObject, onCut) as unknown as T;

const toStorablePayload = <T extends MappedSpan['input'] | MappedSpan['output']>(payload: T, onCut: () => void): T =>
  storablePayload(payload as JsonValue, onCut) as T;

function getName(fields: SpanFields, type: SpanType): string {
  const { named_by } = spanType(type).otel;
  const ofType = named_by ? fields.pick(named_by) : undefined;
  return (ofType ?? fields.pick('entity_name') ?? fields.span.name) || type;
}

/** The fields that only this type has, as far as the span says them. */
export function toAttributes(fields: SpanFields, type: SpanType): Record<string, JsonValue> {
  const all: Record<string, JsonValue> = {};
  for (const name of ownFieldsOf(type)) {
    const value = (isMapped(name) ? fields.pick(name) : undefined) ?? ownField(name).absent;
    if (value !== undefined) all[name] = typeof value === 'string' ? storableText(value, MAX_NAME) : value;
  }
  return all;
}

/** Fields of spans that dialects read under the same name: one they do not know does not compile. */
type Mapped = { [F in OwnField]: (typeof OWN_FIELDS)[F] extends { readonly from_otel: true } ? F : never }[OwnField];
const isMapped = (name: OwnField): name is Mapped => ownField(name).from_otel === true;

type Texts = Pick<SpanOfTrace, 'input_text' | 'input_is_weak' | 'output_text' | 'output_is_weak'>;

function ofTrace(fields: SpanFields, type: SpanType, texts: Texts, resource: OtlpAttributes): SpanOfTrace {
  const { span } = fields;
  const hasParent = isSpanId(span.parent_span_id);
  const call = spanType(type).calls_model ? 'llm' : (fields.pick('call') ?? null);
  const response_id = call === null ? undefined : fields.glance('response_id');
  return {
    trace_external_id: span.trace_id,
    parent_external_id: hasParent ? span.parent_span_id : null,
    parent_is_remote: hasParent && (span.flags & PARENT_IS_REMOTE) !== 0,
    ended_at: span.end_unix_nano === 0n ? null : isoOfNanos(span.end_unix_nano),
    ...texts,
    call,
    ...(response_id !== undefined && { response_id: storableText(response_id, MAX_NAME) }),
    trace_name: fields.pick('trace_name') ?? null,
    trace_input: fields.pick('trace_input') ?? null,
    trace_output: fields.pick('trace_output') ?? null,
    session: fields.pick('session') ?? null,
    user_id: fields.pick('user_id') ?? null,
    resource: toResourceFacts(resource),
    dataset_input: fields.pick('dataset_input') ?? null,
    dataset_output: fields.pick('dataset_output') ?? null,
    dataset_metadata: fields.pick('dataset_metadata') ?? {},
  };
}

const factsOfResources = new WeakMap<OtlpAttributes, Readonly<Record<string, string>>>();

/** Where a span ran, as far as the record of its trace tells it. Read once for each resource: it may have many spans. */
function toResourceFacts(resource: OtlpAttributes): Readonly<Record<string, string>> {
  const known = factsOfResources.get(resource);
  if (known) return known;
  const kept = [...resource].filter(
    ([key, value]) => value !== null && (RESOURCE_FACTS.has(key) || key.startsWith(RESOURCE_PREFIX)),
  );
  const facts = Object.fromEntries(kept.slice(0, MAX_RESOURCE_FACTS).map(([key, value]) => [key, toJsonText(value)]));
  factsOfResources.set(resource, facts);
  return facts;
}
