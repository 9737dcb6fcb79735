import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { findFirst, isJsonObject } from '../../../core/plugin-sdk/otel/index.ts';
import { toSpanId, toTraceId } from '../record-ids.ts';
import type { Imported, ImportedEvent } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';
import { toNanos } from '../source-time.ts';
import { toAttributes } from './attributes.ts';

/** Sums over the spans below, which the service adds up itself, and keys of the other database. */
const REPEATED =
  /^(cumulative_|id$|__index_level_|latency|trace_rowid|rowid$|context\.|context$|trace_state$|kind$|flags$|dropped_)/;

/** A span of a table or of the API: attributes are those of OpenInference, as they were sent. */
export function toSpan(row: SourceRow): readonly Imported[] | undefined {
  const context = row.object('context') ?? {};
  const source_id = row.text('context.span_id', 'span_id') ?? text(context, 'span_id');
  const trace = row.text('context.trace_id', 'trace_id') ?? text(context, 'trace_id');
  if (source_id === undefined || trace === undefined) return undefined;
  const parent = row.text('parent_id', 'parent_span_id');
  const attributes: Record<string, JsonValue> = { ...toAttributes(row) };
  const kind = row.text('span_kind');
  if (kind !== undefined && kind !== 'UNKNOWN') attributes['openinference.span.kind'] ??= kind;
  const status = row.object('status') ?? {};
  const code = String(row.value('status_code') ?? findFirst(status, 'code') ?? '').toUpperCase();
  const message = row.text('status_message') ?? text(status, 'message');
  const failed = /ERROR/.test(code) || code === '2';
  const events = row.list('events').filter(isJsonObject).map(toEvent);
  const [start, end] = [row.time('start_time', 'start_time_unix_nano'), row.time('end_time', 'end_time_unix_nano')];
  const name = row.text('name') ?? 'span';
  row.skip(...row.names.filter((one) => REPEATED.test(one)));
  for (const [field, value] of row.rest()) attributes[`phoenix.${field}`] = value;
  const trace_id = toTraceId('phoenix', trace);
  return [
    {
      kind: 'span',
      trace_id,
      span_id: toSpanId('phoenix', source_id),
      parent_id: parent === undefined ? null : toSpanId('phoenix', parent),
      source_id,
      name,
      start,
      end,
      attributes,
      events,
      failed,
      error: failed ? (message ?? null) : null,
    },
    { kind: 'trace', trace_id, source_id: trace },
  ];
}

function text(value: JsonObject, name: string): string | undefined {
  const found = findFirst(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function toEvent({ name, timestamp, time_unix_nano, attributes }: JsonObject): ImportedEvent {
  return {
    name: String(name ?? 'event'),
    time: toNanos(timestamp ?? time_unix_nano),
    attributes: isJsonObject(attributes) ? attributes : {},
  };
}
