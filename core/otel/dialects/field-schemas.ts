import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { DialectFields } from '../../plugin-sdk/otel/index.ts';
import { SPAN_TYPES } from '../../traces/catalogue/span-types.ts';

const MAX_DEPTH = 64;

const text = z.string('is not a string');
const count = z.int('is not a whole number').min(0, 'is below zero');
const json = z.unknown().transform((value, { addIssue }): JsonValue => {
  const copy = toJson(value, MAX_DEPTH);
  if (copy === undefined) addIssue({ code: 'custom', message: 'is not JSON' });
  return copy ?? null;
});
const isObject = (value: JsonValue): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
const jsonObject = json.pipe(z.custom<JsonObject>((value) => isObject(value as JsonValue), 'is not an object'));

const CALL = 'is not a call of a tool: { id, function: { name, arguments } }';
const ToolCall = z.strictObject({ id: text, function: z.strictObject({ name: text, arguments: text }, CALL) }, CALL);
const Message = z.strictObject(
  {
    role: text,
    content: z.union([text, z.array(jsonObject)], 'is not a string or a list of content parts'),
    name: text.exactOptional(),
    tool_call_id: text.exactOptional(),
    tool_calls: z.array(ToolCall).exactOptional(),
    reasoning: text.exactOptional(),
  },
  'is not a message',
);
const messages = z.array(Message, 'is not a list of messages');
const Document = z.strictObject({ content: text, metadata: jsonObject }, 'is not a document: { content, metadata }');
const texts = jsonObject.pipe(
  z.custom<Record<string, string>>((object) => Object.values(Object(object)).every(isText), 'holds what is not a string'),
);
const isText = (value: unknown): boolean => typeof value === 'string';

/** Schemas of the fields that dialects read of a span. All of them copy what they take. */
export const FIELD_SCHEMAS: { readonly [F in keyof DialectFields]: z.ZodType<DialectFields[F]> } = {
  type: z.enum(SPAN_TYPES, 'is not a type of span'),
  agent_type: text,
  check_stage: text,
  tool_name: text,
  agent_name: text,
  entity_name: text,
  input_messages: messages,
  output_messages: messages,
  input_text: text,
  output_text: text,
  weak_input_text: text,
  weak_output_text: text,
  event_input_text: text,
  event_output_text: text,
  documents: z.array(Document, 'is not a list of documents'),
  model: text,
  temperature: z.number('is not a finite number'),
  finish_reason: text,
  prompt_name: text,
  prompt_version: text,
  response_id: text,
  tools: z.array(json, 'is not a list'),
  tool_call_id: text,
  num_input_tokens: count,
  num_output_tokens: count,
  num_total_tokens: count,
  num_cached_input_tokens: count,
  num_cache_write_input_tokens: count,
  num_reasoning_tokens: count,
  time_to_first_token_ns: count,
  cost: z.number('is not a finite number').min(0, 'is below zero'),
  call: z.enum(['embedding', 'rerank'], 'is not embedding or rerank'),
  failed: z.literal(true, 'is not true'),
  error_text: text,
  session: text,
  user_id: text,
  tags: z.array(text, 'is not a list of strings'),
  trace_name: text,
  trace_input: text,
  trace_output: text,
  dataset_input: text,
  dataset_output: text,
  dataset_metadata: texts,
};

/** Whether a value is what the schema of the field would return the same: texts are most of what dialects read. */
export const isPlainText = (field: keyof DialectFields, value: unknown): boolean =>
  typeof value === 'string' && FIELD_SCHEMAS[field] === text;

/** A copy of plain data; null for numbers that JSON does not have. Undefined for anything else, and for what is too deep. */
function toJson(value: unknown, levels: number): JsonValue | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || levels === 0) return undefined;
  if (Array.isArray(value)) return toWhole(value.map((item) => toJson(item, levels - 1)));
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) return undefined;
  const entries = Object.entries(value).filter(([, child]) => child !== undefined);
  const copies = toWhole(entries.map(([, child]) => toJson(child, levels - 1)));
  return copies && Object.fromEntries(entries.map(([key], at) => [key, copies[at]!]));
}

const toWhole = (values: readonly (JsonValue | undefined)[]): JsonValue[] | undefined =>
  values.every((value) => value !== undefined) ? [...values] : undefined;
