import { hash } from 'node:crypto';
import { INSTALLED } from '../../config/plugins.ts';
import type { JsonObject, JsonValue } from '../../core/kernel/json.ts';
import { Dialects } from '../../core/otel/dialects/dialects.ts';
import { type Mapping, mapSpan } from '../../core/otel/spans/map-span.ts';
import type { SpanOfTrace } from '../../core/otel/spans/mapped-span.ts';
import { OTLP_STATUS_ERROR, OTLP_STATUS_OK, type OtlpSpan } from '../../core/otel/spans/otlp-span.ts';
import { cut } from '../../core/otel/storable.ts';
import type { ImportedSpan } from './shapes.ts';

/** A span as the API takes it, apart from the spans below it, and what it says of its trace. */
export interface SpanRecord {
  readonly id: string;
  readonly parent_id: string;
  readonly fields: JsonObject;
  readonly of_trace: SpanOfTrace;
  /** Whether a text was too long to be kept whole. */
  readonly is_cut: boolean;
}

const MAX_EXTERNAL_ID = 1024;
/** Says nothing where no instrumentation said it. */
const ADDED = ['otel.span_kind', 'otel.scope.name'];
const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');

/** Reads imported spans by the dialects of the service, so that history looks as what comes live does. */
export class SpanReading {
  readonly #mapping: Mapping;

  constructor(now: Date = new Date()) {
    this.#mapping = {
      now: now.toISOString(),
      sha256,
      ownPrefixes: [],
      // The service knows the prices of its project.
      getPrices: () => undefined,
      dialects: new Dialects(INSTALLED.otelDialects, () => {}),
    };
  }

  toRecord(span: ImportedSpan): SpanRecord {
    const mapped = mapSpan(toOtlp(span), span.scope ?? '', new Map(), this.#mapping);
    const { id, parent_id, type, name, created_at, input, output, status_code, tags, metrics, attributes } = mapped;
    const user_metadata = { ...mapped.user_metadata } as Record<string, string>;
    if (span.scope === undefined) for (const key of ADDED) delete user_metadata[key];
    const fields = { id, type, name, created_at, input, output, status_code, tags, metrics, user_metadata, ...attributes };
    const external_id = cut(span.source_id, MAX_EXTERNAL_ID);
    return {
      id,
      parent_id,
      fields: { ...fields, external_id } as unknown as JsonObject,
      of_trace: mapped.of_trace,
      is_cut: mapped.cut_texts > 0,
    };
  }
}

function toOtlp({ trace_id, span_id, parent_id, name, start, end, attributes, events = [], ...status }: ImportedSpan): OtlpSpan {
  const message = status.error ?? '';
  const failed = status.failed ?? message !== '';
  return {
    trace_id,
    span_id,
    parent_span_id: parent_id ?? '',
    name,
    kind: 0,
    start_unix_nano: BigInt(start ?? 0),
    end_unix_nano: BigInt(end ?? 0),
    attributes: toAttributes(attributes),
    events: events.map((event) => ({
      name: event.name,
      time_unix_nano: BigInt(event.time ?? 0),
      attributes: toAttributes(event.attributes),
    })),
    links: [],
    status: { code: failed ? OTLP_STATUS_ERROR : OTLP_STATUS_OK, message },
    flags: 0,
    dropped: { attributes: 0, events: 0, links: 0 },
  };
}

const toAttributes = (attributes: JsonObject): Map<string, JsonValue> =>
  new Map(Object.entries<JsonValue>(attributes).filter(([, value]) => value !== null && value !== undefined));
