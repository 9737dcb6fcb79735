import type { JsonValue } from '../../kernel/json.ts';
import { type OtelMessage, toInputText, toOutputText } from '../../plugin-sdk/otel/message.ts';
import { payloadText } from '../../traces/columns/column.ts';
import type { LogRecord } from '../../traces/record.ts';
import type { MappedSpan, SpanMetrics, SpanOfTrace } from './mapped-span.ts';

/** Names of the texts of any length that a span contributes to its trace. */
export const TEXTS = ['input_text', 'output_text', 'trace_input', 'trace_output', 'dataset_input', 'dataset_output'] as const;
export type TextName = (typeof TEXTS)[number];

/** Of these the span's own record has the text already. */
export type OwnText = 'input_text' | 'output_text';

/**
 * Facts of a stored span about its trace. Of texts only that there are any: a trace of thousands of spans is summed up
 * again whenever some arrive, and takes the text of one or two of them.
 */
export interface StoredOfTrace extends Omit<SpanOfTrace, TextName | 'dataset_metadata'> {
  readonly texts: readonly TextName[];
  readonly has_dataset_metadata: boolean;
  /** Of the session that the span names; null when it names none. */
  readonly session_id: string | null;
  /** Numbers of a call that another span counts; absent where it counts itself. */
  readonly repeated?: SpanMetrics;
}

/** The texts that the record itself has no field for. */
export type StoredTexts = Partial<Record<Exclude<TextName, OwnText>, string>> & Partial<Pick<SpanOfTrace, 'dataset_metadata'>>;

/** A stored span without anything that may be large. */
export interface SpanOutline
  extends Pick<LogRecord, 'id' | 'trace_id' | 'session_id' | 'created_at' | 'name' | 'status_code' | 'tags' | 'has_children'>,
    Pick<MappedSpan, 'external_id' | 'parent_id' | 'type'> {
  readonly metrics: SpanMetrics;
  readonly of_trace: StoredOfTrace;
}

/** Undefined for what did not come by OpenTelemetry: such records know nothing to tell. */
export function toSpanOutline(record: LogRecord): SpanOutline | undefined {
  const { of_trace } = record.attributes as { readonly of_trace?: unknown };
  return of_trace === undefined ? undefined : ({ ...record, of_trace } as unknown as SpanOutline);
}

/** A text of a stored span. */
export function textOfRecord(record: LogRecord, name: TextName): string {
  if (name === 'input_text') return inputText(record.input);
  if (name === 'output_text') return outputText(record.output);
  return storedTexts(record)[name] ?? '';
}

export const storedTexts = (record: LogRecord): StoredTexts =>
  ((record.attributes as { readonly told_of_trace?: StoredTexts }).told_of_trace ?? {}) as StoredTexts;

const inputText = (input: JsonValue): string => (isListOfMessages(input) ? toInputText(input) : asText(input));
const outputText = (output: JsonValue): string => (isMessage(output) ? toOutputText(output) : asText(output));
const asText = (value: JsonValue): string => payloadText(value) ?? '';

/** Messages whose content is a list of other parts are not of our making: an update may have put them there. */
function isMessage(value: unknown): value is OtelMessage {
  const message = value as Partial<OtelMessage> | null;
  return typeof message === 'object' && typeof message?.role === 'string' && isContent(message.content);
}

const isContent = (content: unknown): boolean =>
  typeof content === 'string' || (Array.isArray(content) && content.length > 0 && content.every(isTextOrFile));

const isTextOrFile = (part: unknown): boolean => {
  const { type, text, modality } = (part ?? {}) as { readonly [member: string]: unknown };
  return type === 'text' ? typeof text === 'string' : (type === 'file' || type === 'blob') && typeof modality === 'string';
};

const isListOfMessages = (value: unknown): value is OtelMessage[] => Array.isArray(value) && value.every(isMessage);
