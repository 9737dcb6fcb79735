import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { Steps } from '../kernel/slices.ts';
import { COMMON_FIELDS, type CommonField, OWN_FIELDS } from '../traces/catalogue/record-fields.ts';
import type { LogRecord } from '../traces/record.ts';
import type { Masker, Tally } from './masker.ts';

/** Ids of the sender's own, by which records and sessions are found again. */
const ID_FIELDS = new Set(['external_id', 'tool_call_id']);

/** Facts of OpenTelemetry spans about their trace that senders say freely; the rest is ids, times and flags. */
const TOLD = ['trace_name', 'user_id', 'resource'] as const;

/** The record as it may be stored; the same one where nothing is to be masked. */
export function* maskRecord(record: LogRecord, masker: Masker, tally: Tally): Steps<LogRecord> {
  const changes: Record<string, unknown> = {};
  for (const [name, { kind }] of Object.entries(COMMON_FIELDS) as [CommonField, { readonly kind: string }][]) {
    const value = record[name] as JsonValue;
    const masked = yield* maskField(name, kind, value, masker, tally);
    if (masked !== value) changes[name] = masked;
  }
  const attributes = yield* maskAttributes(record.attributes, masker, tally);
  if (attributes !== record.attributes) changes.attributes = attributes;
  return Object.keys(changes).length > 0 ? { ...record, ...changes } : record;
}

function* maskField(name: string, kind: string, value: JsonValue, masker: Masker, tally: Tally): Steps<JsonValue> {
  if (value === null || value === undefined) return value;
  if (ID_FIELDS.has(name)) return yield* masker.id(String(value), tally);
  const isContent = kind === 'text' || kind === 'texts' || kind === 'payload' || kind === 'map' || kind === 'objects';
  return isContent ? yield* masker.value(value, tally) : value;
}

function* maskAttributes(attributes: JsonObject, masker: Masker, tally: Tally): Steps<JsonObject> {
  const masked: Record<string, JsonValue> = {};
  let isSame = true;
  for (const [name, value] of Object.entries(attributes) as [string, JsonValue][]) {
    masked[name] = yield* maskAttribute(name, value, masker, tally);
    isSame &&= masked[name] === value;
  }
  return isSame ? attributes : masked;
}

function* maskAttribute(name: string, value: JsonValue, masker: Masker, tally: Tally): Steps<JsonValue> {
  if (name === 'of_trace') return yield* maskToldOfTrace(value as JsonObject, masker, tally);
  const field = (
    OWN_FIELDS as Readonly<
      Record<string, { readonly kind: string; readonly column: { readonly allowed_values?: unknown } | null }>
    >
  )[name];
  // One of a few words that the service knows.
  if (field?.column?.allowed_values) return value;
  return yield* maskField(name, field?.kind ?? 'payload', value, masker, tally);
}

function* maskToldOfTrace(told: JsonObject, masker: Masker, tally: Tally): Steps<JsonObject> {
  const session = typeof told.session === 'string' ? yield* masker.id(told.session, tally) : told.session;
  const named = Object.fromEntries(TOLD.filter((name) => name in told).map((name) => [name, told[name]!]));
  const masked = yield* masker.object(named, tally);
  return masked === named && session === told.session ? told : { ...told, ...masked, ...(session !== undefined && { session }) };
}
