import type { JsonObject } from '../kernel/json.ts';
import { toUtc } from '../kernel/timestamp.ts';
import type { LogRecord } from '../traces/record.ts';
import { isChanged, toCounted, toRepeated, toWholeMetrics } from './repeated-calls.ts';
import type { SpanOfTrace } from './spans/mapped-span.ts';
import { type SpanOutline, storedTexts, type TextName, textOfRecord } from './spans/span-outline.ts';
import { type SpanInTrace, summarizeTrace, type TraceSummary } from './trace-summary.ts';

/** The record of a trace, half made: which spans give it their texts is known, the texts are not. */
export interface TraceDraft {
  /** Spans whose records `finish` has to be given. */
  readonly needs: readonly string[];
  /** Spans that have children and do not say so. */
  readonly new_parents: readonly string[];
  /** Spans whose records change because of which calls count: with `toChanged`. */
  readonly changed_calls: readonly string[];
  /** The record of a span of the trace, with its numbers where its call counts, and else without. */
  toChanged(span: LogRecord): LogRecord;
  /** The record anew. Completion is never taken back; a trace that was logged another way is left as it is. */
  finish(trace: LogRecord, spans: readonly LogRecord[]): LogRecord;
}

/**
 * Sums a trace up by its outlines. In place of each text stands where it is found, so that the rules for choosing them
 * are those of `summarizeTrace`.
 */
export function toTraceDraft(outlines: readonly SpanOutline[]): TraceDraft {
  const summary = summarizeTrace(outlines.map(withPlacesForTexts));
  if (!summary) return NOTHING;
  const { input, output, dataset_input, dataset_output, dataset_metadata } = summary;
  const places = [input, output, dataset_input, dataset_output, dataset_metadata[PLACE]];
  const childless = outlines.filter(({ id, has_children }) => summary.parents.has(id) && !has_children);
  return {
    needs: [...new Set(places.flatMap((place) => (place ? [idIn(place)] : [])))],
    new_parents: childless.map(({ id }) => id),
    changed_calls: outlines.filter((outline) => isChanged(outline, summary.repeats.has(outline.id))).map(({ id }) => id),
    toChanged: (span) => (summary.repeats.has(span.id) ? toRepeated(span) : toCounted(span)),
    finish: (trace, spans) => finished(trace, summary, outlines, new Map(spans.map((span) => [span.id, span]))),
  };
}

const NOTHING: TraceDraft = {
  needs: [],
  new_parents: [],
  changed_calls: [],
  toChanged: (span) => span,
  finish: (trace) => trace,
};

const PLACE = 'place';
const toPlace = (name: TextName, id: string): string => `${name} ${id}`;
const idIn = (place: string): string => place.split(' ')[1]!;

function withPlacesForTexts({ of_trace, metrics, ...outline }: SpanOutline): SpanInTrace {
  const { texts, has_dataset_metadata, session_id: _resolved, repeated: _counted, ...facts } = of_trace;
  const place = (name: TextName) => (texts.includes(name) ? toPlace(name, outline.id) : null);
  const told: SpanOfTrace = {
    ...facts,
    input_text: place('input_text'),
    output_text: place('output_text'),
    trace_input: place('trace_input'),
    trace_output: place('trace_output'),
    dataset_input: place('dataset_input'),
    dataset_output: place('dataset_output'),
    dataset_metadata: has_dataset_metadata ? { [PLACE]: toPlace('dataset_input', outline.id) } : {},
  };
  return { ...outline, metrics: toWholeMetrics({ metrics, of_trace }), of_trace: told };
}

function finished(
  trace: LogRecord,
  summary: TraceSummary,
  outlines: readonly SpanOutline[],
  spans: ReadonlyMap<string, LogRecord>,
): LogRecord {
  if (trace.external_id !== summary.external_id) return { ...trace, has_children: true };
  const text = (place: string | null): string | null => {
    const span = place ? spans.get(idIn(place)) : undefined;
    return span ? textOfRecord(span, place!.split(' ')[0] as TextName) : null;
  };
  const { session, dataset_metadata } = summary;
  const described = spans.get(dataset_metadata[PLACE] ? idIn(dataset_metadata[PLACE]) : '');
  const named = session === null ? undefined : outlines.find(({ of_trace }) => of_trace.session === session);
  return {
    ...trace,
    session_id: named?.of_trace.session_id ?? trace.id,
    name: summary.name,
    created_at: toUtc(summary.created_at)!,
    input: text(summary.input) ?? '',
    output: text(summary.output),
    status_code: summary.status_code,
    tags: summary.tags,
    metrics: summary.metrics as JsonObject,
    user_metadata: summary.user_metadata,
    dataset_input: text(summary.dataset_input),
    dataset_output: text(summary.dataset_output),
    dataset_metadata: (described && storedTexts(described).dataset_metadata) ?? {},
    is_complete: trace.is_complete || summary.is_complete,
    has_children: true,
  };
}
