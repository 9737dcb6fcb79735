import type { JsonObject } from '../kernel/json.ts';
import type { LogRecord } from '../traces/record.ts';
import { type SpanMetrics, TOKEN_COUNTS } from './spans/mapped-span.ts';
import type { SpanOutline, StoredOfTrace } from './spans/span-outline.ts';

/** Numbers of a call that are added up wherever calls are. */
const ADDED_UP = [...TOKEN_COUNTS, 'cost'] as const satisfies readonly (keyof SpanMetrics)[];
/** Where people see them, as JSON. */
export const REPEATED = 'otel.counted_elsewhere';

type Numbers = Partial<Record<(typeof ADDED_UP)[number], number>>;

/** All numbers of a span, those included that were taken out of its metrics. */
export const toWholeMetrics = ({ metrics, of_trace }: Pick<SpanOutline, 'metrics' | 'of_trace'>): SpanMetrics => ({
  ...of_trace.repeated,
  ...metrics,
});

/** Whether the record of a span says otherwise than this about its call: that another span reports it, too, and counts. */
export function isChanged({ metrics, of_trace }: Pick<SpanOutline, 'metrics' | 'of_trace'>, isRepeat: boolean): boolean {
  return isRepeat ? ADDED_UP.some((name) => metrics[name] !== undefined) : of_trace.repeated !== undefined;
}

/**
 * The record of a call whose numbers another span counts, without them among its metrics: whoever adds up metrics of records counts a call once. They
 * are kept beside, and shown in the metadata, so that the record can be made whole again.
 */
export function toRepeated(record: LogRecord): LogRecord {
  const of_trace = ofTrace(record);
  if (!of_trace) return record;
  const metrics = record.metrics as JsonObject;
  const moved = ADDED_UP.flatMap((name) => (metrics[name] === undefined ? [] : [[name, metrics[name]] as const]));
  if (moved.length === 0) return record;
  const repeated = { ...of_trace.repeated, ...Object.fromEntries(moved) } as Numbers;
  return {
    ...record,
    metrics: without(metrics, ADDED_UP),
    attributes: { ...record.attributes, of_trace: { ...of_trace, repeated } as unknown as JsonObject },
    user_metadata: { ...record.user_metadata, [REPEATED]: JSON.stringify(repeated) },
  };
}

/** The record with all its numbers again. */
export function toCounted(record: LogRecord): LogRecord {
  const { repeated, ...of_trace } = ofTrace(record) ?? ({} as StoredOfTrace);
  if (!repeated) return record;
  return {
    ...record,
    metrics: { ...(repeated as JsonObject), ...record.metrics },
    attributes: { ...record.attributes, of_trace: of_trace as unknown as JsonObject },
    user_metadata: without(record.user_metadata, [REPEATED]),
  };
}

const ofTrace = ({ attributes }: LogRecord): StoredOfTrace | undefined =>
  (attributes as { readonly of_trace?: unknown }).of_trace as StoredOfTrace | undefined;

const without = <T>(fields: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
