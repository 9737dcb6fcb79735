import { hash } from 'node:crypto';
import { Dialects } from '../../core/otel/dialects/dialects.ts';
import { type DialectFault, type ReportFault, toGuardedSources } from '../../core/otel/dialects/guarded-source.ts';
import { toSources } from '../../core/otel/dialects/vocabulary.ts';
import { mapSpan } from '../../core/otel/spans/map-span.ts';
import type { MappedSpan } from '../../core/otel/spans/mapped-span.ts';
import type { OtlpSpan } from '../../core/otel/spans/otlp-span.ts';
import { SpanFields } from '../../core/otel/spans/span-fields.ts';
import { TrackingSpanReader } from '../../core/otel/spans/span-reader.ts';
import { DIALECT_FIELDS, type DialectFields, type JsonValue, type OtelDialectPlugin } from '../../core/plugin-sdk/index.ts';

export type Attributes = Readonly<Record<string, JsonValue>>;

/** A span as a sender makes it. */
export interface SampleSpan {
  /** Name of the instrumentation scope. */
  readonly scope?: string;
  readonly name?: string;
  /** 1 when it went well, 2 when it failed. */
  readonly status?: { readonly code?: 0 | 1 | 2; readonly message?: string };
  readonly attributes?: Attributes;
  readonly events?: readonly { readonly name: string; readonly attributes?: Attributes }[];
}

/** A span with all that the dialect is to read of it. */
export interface ExpectedSpan extends SampleSpan {
  readonly expected: Partial<DialectFields>;
}

/** Facts that the kit needs to try a dialect. */
export interface OtelDialectCase {
  readonly plugin: OtelDialectPlugin;
  /** The plugin's folder. */
  readonly folder: string;
  /** Spans as senders that use this vocabulary make them; among them whatever the dialect can read. */
  readonly spans: readonly ExpectedSpan[];
  /** Attributes that only say how others are to be read, and need not be found in the record. */
  readonly not_kept?: readonly string[];
}

/** Result of reading a span. */
export interface Reading {
  /** Fields that the dialect itself read. */
  readonly fields: Partial<Record<keyof DialectFields, unknown>>;
  readonly record: MappedSpan;
  readonly is_recognized: boolean;
  readonly faults: readonly DialectFault[];
}

/** Reads a span by a dialect alone, as the service does. */
export function readBy(plugin: OtelDialectPlugin, sample: SampleSpan): Reading {
  const faults: DialectFault[] = [];
  const dialects = new Dialects([plugin], (fault) => faults.push(fault));
  const [span, scope] = [toOtlpSpan(sample), sample.scope ?? ''];
  const { dialects: found } = dialects.planFor(span, scope);
  const fields = found.length > 0 ? readFields(plugin, span, scope, (fault) => faults.push(fault)) : {};
  return { fields, record: toRecord(dialects, span, scope), is_recognized: found.length > 0, faults };
}

/** Compares a span before and after it is read; also the first write to it that was refused. */
export function changesBy(plugin: OtelDialectPlugin, sample: SampleSpan) {
  const faults: DialectFault[] = [];
  const span = toOtlpSpan(sample);
  const before = structuredClone(span);
  const report = (fault: DialectFault) => void faults.push(fault);
  readFields(plugin, span, sample.scope, report);
  toRecord(new Dialects([plugin], report), span, sample.scope ?? '');
  return { fault: faults[0] && `${faults[0].field} ${faults[0].what}`, changed: { before, after: span } };
}

const NONE = new Map<string, JsonValue>();

/** Reads the fields of a span: all sources of the dialect are called, whatever the type of the span. */
export function readFields(
  plugin: OtelDialectPlugin,
  span: OtlpSpan,
  scope = '',
  report: ReportFault = () => {},
): Reading['fields'] {
  const reader = new TrackingSpanReader(span, scope, { resource: NONE, prefixes: [] });
  const sources = toSources([toGuardedSources(plugin, report)]);
  const fields = new SpanFields(span, reader, { dialects: [plugin.id], sources, metadata_prefixes: [], metadata_objects: [] });
  const read = DIALECT_FIELDS.map((field) => [field, field === 'tags' ? tagsIn(fields) : fields.pick(field)] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

function tagsIn(fields: SpanFields): readonly string[] | undefined {
  const tags = [...new Set(fields.pickAll('tags').flat())];
  return tags.length > 0 ? tags : undefined;
}

const toRecord = (dialects: Dialects, span: OtlpSpan, scope: string): MappedSpan =>
  mapSpan(span, scope, NONE, {
    now: '2026-01-01T00:00:00.000000Z',
    sha256: (bytes) => hash('sha256', bytes, 'hex'),
    ownPrefixes: ['eval.'],
    getPrices: () => undefined,
    dialects,
  });

const START = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n;

export function toOtlpSpan({ name = 'a span', status = {}, attributes = {}, events = [] }: SampleSpan): OtlpSpan {
  return {
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    span_id: '00f067aa0ba902b7',
    parent_span_id: '',
    name,
    kind: 1,
    start_unix_nano: START,
    end_unix_nano: START + 100_000_000n,
    attributes: new Map(Object.entries(structuredClone(attributes))),
    events: events.map((event) => ({
      name: event.name,
      time_unix_nano: START,
      attributes: new Map(Object.entries(structuredClone(event.attributes ?? {}))),
    })),
    links: [],
    status: { code: status.code ?? 0, message: status.message ?? '' },
    flags: 0,
    dropped: { attributes: 0, events: 0, links: 0 },
  };
}
