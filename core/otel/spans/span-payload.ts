import { type OtelMessage, toInputText, toMessagesText, toOutputText } from '../../plugin-sdk/otel/message.ts';
import { type OtelDocument, toDocuments } from '../../plugin-sdk/otel/retrieved-documents.ts';
import { type SpanType, spanType } from '../../traces/catalogue/span-types.ts';
import type { MappedSpan, SpanOfTrace } from './mapped-span.ts';
import type { SpanFields } from './span-fields.ts';
import { hasFailed } from './span-status.ts';

export interface SpanPayload {
  readonly input: MappedSpan['input'];
  readonly output: MappedSpan['output'];
  readonly of_trace: Pick<SpanOfTrace, 'input_text' | 'input_is_weak' | 'output_text' | 'output_is_weak'>;
  /** Metadata that would not fit into input and output. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Input and output in the form that spans of this type have. */
export function toSpanPayload(fields: SpanFields, type: SpanType): SpanPayload {
  const forms = spanType(type);
  if (forms.input === 'messages') return modelCall(fields);
  const input = toInput(fields, type);
  const output = forms.output === 'documents' ? retrieved(fields) : toOutput(fields, type);
  return {
    input: input.text ?? '',
    output: output.value,
    of_trace: {
      input_text: input.text,
      input_is_weak: input.weak,
      output_text: typeof output.value === 'object' && output.value ? JSON.stringify(output.value) : output.value,
      output_is_weak: output.weak,
    },
    metadata: {},
  };
}

/** Several outputs are choices: the first is the answer, and all of them stay beside it. */
function modelCall(fields: SpanFields): SpanPayload {
  const input = fields.pick('input_messages') ?? [];
  const outputs = fields.pick('output_messages') ?? [];
  const output: OtelMessage | undefined = outputs[0];
  return {
    input,
    output: output ?? null,
    of_trace: {
      input_text: input.length > 0 ? toInputText(input) : null,
      input_is_weak: false,
      output_text: output ? toOutputText(output) : null,
      output_is_weak: false,
    },
    metadata: outputs.length > 1 ? { 'gen_ai.output.choices': toMessagesText(outputs) } : {},
  };
}

interface Told {
  readonly text: string | null;
  readonly weak: boolean;
}

function toInput(fields: SpanFields, type: SpanType): Told {
  const said =
    fields.pick('input_text') ??
    (spanType(type).otel.reads_events_for.includes('input') ? fields.pick('event_input_text') : undefined);
  return said === undefined ? { text: fields.pick('weak_input_text') ?? null, weak: true } : { text: said, weak: false };
}

interface Answered {
  readonly value: string | readonly OtelDocument[] | null;
  readonly weak: boolean;
}

/** A failed tool answers with its error, because scorers look for it there. */
function toOutput(fields: SpanFields, type: SpanType): Answered {
  const said =
    fields.pick('output_text') ??
    (spanType(type).otel.reads_events_for.includes('output') ? fields.pick('event_output_text') : undefined);
  if (said !== undefined) return { value: said, weak: false };
  if (spanType(type).otel.error_is_output && hasFailed(fields)) {
    const error = fields.span.status.message || fields.pick('error_text');
    if (error) return { value: error, weak: false };
  }
  return { value: fields.pick('weak_output_text') ?? null, weak: true };
}

/** Documents in a list of their own, else the list an output is, else the output as the only document. */
function retrieved(fields: SpanFields): Answered {
  const listed = fields.pick('documents');
  if (listed) return { value: listed, weak: false };
  const text = fields.pick('output_text');
  if (text === undefined) return { value: null, weak: true };
  return { value: toDocuments(text) ?? [{ content: text, metadata: {} }], weak: false };
}
