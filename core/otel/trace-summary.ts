import { sortableTime } from '../kernel/timestamp.ts';
import { spanType } from '../traces/catalogue/span-types.ts';
import { countedCalls } from './counted-calls.ts';
import { traceRecordId } from './otel-ids.ts';
import { type MappedSpan, type SpanMetrics, TOKEN_COUNTS } from './spans/mapped-span.ts';

/** Fields of a stored span that the summary reads. */
export type SpanInTrace = Pick<
  MappedSpan,
  'id' | 'external_id' | 'parent_id' | 'type' | 'name' | 'created_at' | 'status_code' | 'tags' | 'metrics' | 'of_trace'
>;

/** The record of a trace, made of all its spans that have arrived. */
export interface TraceSummary {
  readonly id: string;
  readonly external_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly input: string;
  readonly output: string | null;
  readonly status_code: number | null;
  readonly tags: readonly string[];
  readonly metrics: SpanMetrics;
  readonly user_metadata: Readonly<Record<string, string>>;
  readonly dataset_input: string | null;
  readonly dataset_output: string | null;
  readonly dataset_metadata: Readonly<Record<string, string>>;
  /** External id of its session; null when it has none. */
  readonly session: string | null;
  /** Holds for the spans, too. */
  readonly is_complete: boolean;
  readonly spans_count: number;
  /** Ids of spans that have children. */
  readonly parents: ReadonlySet<string>;
  /** Ids of calls that another span reports, too, which counts. */
  readonly repeats: ReadonlySet<string>;
}

const SUMMED = [...TOKEN_COUNTS, 'cost'] as const satisfies readonly (keyof SpanMetrics)[];
const MAX_TAGS = 50;

/** Sums a trace up. In whichever order its spans arrived, the same spans give the same summary. Undefined without spans. */
export function summarizeTrace(spans: readonly SpanInTrace[]): TraceSummary | undefined {
  const byStart = orderedByStart(spans);
  const root = getRoot(byStart);
  if (!root) return undefined;
  const counted = countedCalls(byStart);
  const ordered = [root, ...byStart.filter((span) => span !== root)];
  const first = <T>(read: (of: SpanInTrace['of_trace']) => T | null): T | null =>
    ordered.map(({ of_trace }) => read(of_trace)).find((value) => value !== null) ?? null;
  const user = first(({ user_id }) => user_id);
  return {
    id: traceRecordId(root.of_trace.trace_external_id),
    external_id: root.of_trace.trace_external_id,
    name: first(({ trace_name }) => trace_name) ?? root.name,
    created_at: byStart[0]!.created_at,
    input: first(({ trace_input }) => trace_input) ?? toInput(root, byStart) ?? '',
    output: first(({ trace_output }) => trace_output) ?? toOutput(root, byStart),
    status_code: root.status_code,
    tags: [...new Set(ordered.flatMap(({ tags }) => tags))].slice(0, MAX_TAGS),
    metrics: toMetrics(root, byStart, counted),
    user_metadata: { ...(user !== null && { 'user.id': user }), ...resourceFacts(ordered) },
    dataset_input: first(({ dataset_input }) => dataset_input),
    dataset_output: first(({ dataset_output }) => dataset_output),
    dataset_metadata: first(({ dataset_metadata }) => (Object.keys(dataset_metadata).length > 0 ? dataset_metadata : null)) ?? {},
    session: first(({ session }) => session),
    is_complete: isComplete(root, spans),
    spans_count: spans.length,
    parents: new Set(spans.filter(hasParent).map(({ parent_id }) => parent_id)),
    repeats: new Set(toIds(spans.filter(({ of_trace }) => of_trace.call !== null))).difference(new Set(toIds(counted))),
  };
}

const toIds = (spans: readonly SpanInTrace[]): string[] => spans.map(({ id }) => id);

const hasParent = ({ of_trace }: SpanInTrace): boolean => of_trace.parent_external_id !== null;

function orderedByStart(spans: readonly SpanInTrace[]): SpanInTrace[] {
  const keyed = spans.map((span) => ({ span, key: sortableTime(span.created_at) + span.external_id }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ span }) => span);
}

/** Until the real root is there, the span nearest to it stands in: one whose parent ran elsewhere, or has not arrived. */
function getRoot(byStart: readonly SpanInTrace[]): SpanInTrace | undefined {
  const ids = new Set(byStart.map(({ id }) => id));
  const orphans = byStart.filter(({ parent_id }) => !ids.has(parent_id));
  return (
    byStart.find((span) => !hasParent(span)) ??
    orphans.find(({ of_trace }) => of_trace.parent_is_remote) ??
    orphans[0] ??
    byStart[0]
  );
}

function toInput(root: SpanInTrace, byStart: readonly SpanInTrace[]): string | null {
  const { input_text, input_is_weak } = root.of_trace;
  const call = byStart.find(({ type, of_trace }) => spanType(type).calls_model && of_trace.input_text !== null);
  return (input_is_weak ? null : input_text) ?? call?.of_trace.input_text ?? input_text;
}

function toOutput(root: SpanInTrace, byStart: readonly SpanInTrace[]): string | null {
  const { output_text, output_is_weak } = root.of_trace;
  const calls = byStart.filter(({ type, of_trace }) => spanType(type).calls_model && of_trace.output_text !== null);
  const [last] = calls.toSorted((a, b) => (getEnd(a) < getEnd(b) ? 1 : -Number(getEnd(a) > getEnd(b))));
  return (output_is_weak ? null : output_text) ?? last?.of_trace.output_text ?? output_text;
}

const getEnd = ({ of_trace }: SpanInTrace): string => of_trace.ended_at ?? '';

function toMetrics(root: SpanInTrace, byStart: readonly SpanInTrace[], calls: readonly SpanInTrace[]): SpanMetrics {
  const sums = SUMMED.flatMap((name) => {
    const values = calls.flatMap(({ metrics }) => metrics[name] ?? []);
    return values.length === 0 ? [] : [[name, values.reduce((sum, value) => sum + value, 0)] as const];
  });
  const duration_ns = hasParent(root) ? computeExtent(byStart) : root.metrics.duration_ns;
  return { ...(duration_ns !== undefined && { duration_ns }), ...Object.fromEntries(sums) };
}

/** From the earliest start to the latest end. */
function computeExtent(byStart: readonly SpanInTrace[]): number | undefined {
  const end = byStart.map(getEnd).reduce((latest, ended) => (ended > latest ? ended : latest), '');
  if (end === '') return undefined;
  return Math.max(0, (computeMicros(end) - computeMicros(byStart[0]!.created_at)) * 1000);
}

/** Microseconds since 1970, exact up to the year 2255. */
const computeMicros = (iso: string): number =>
  Date.parse(`${sortableTime(iso).slice(0, 19)}Z`) * 1000 + Number(sortableTime(iso).slice(20, 26));

function resourceFacts(ordered: readonly SpanInTrace[]): Record<string, string> {
  const resource = ordered.map(({ of_trace }) => of_trace.resource).find((facts) => Object.keys(facts).length > 0) ?? {};
  return Object.fromEntries(Object.entries(resource).map(([key, value]) => [`resource.${key}`, value]));
}

function isComplete(root: SpanInTrace, spans: readonly SpanInTrace[]): boolean {
  const ids = new Set(spans.map(({ id }) => id));
  return (
    !hasParent(root) && spans.every((span) => span.of_trace.ended_at !== null && (!hasParent(span) || ids.has(span.parent_id)))
  );
}
