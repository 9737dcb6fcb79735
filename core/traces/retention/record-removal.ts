import type { RecordOutline } from '../read/record-scan.ts';

/** How much was removed. */
export interface RemovalCounts {
  readonly traces: number;
  readonly spans: number;
  /** Sessions that were left without traces, and that nobody had created. */
  readonly sessions: number;
}

export const NOTHING_REMOVED: RemovalCounts = { traces: 0, spans: 0, sessions: 0 };

export const addRemovalCounts = (a: RemovalCounts, b: RemovalCounts): RemovalCounts => ({
  traces: a.traces + b.traces,
  spans: a.spans + b.spans,
  sessions: a.sessions + b.sessions,
});

/**
 * Takes records away for good, with their scores. Works in transactions of a few thousand records, so that writers wait
 * only shortly; MUST NOT be called inside a larger one. What is gone already is no error, so it may be repeated.
 */
export interface RecordRemoval {
  /** Removes the traces, all that is logged under them, and derived sessions that are left without traces. */
  removeTraces(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<RemovalCounts>;
  /** Removes exactly these spans; parents that are left without children say so. */
  removeSpans(project_id: string, run_id: string, span_ids: readonly string[]): Promise<RemovalCounts>;
}

/** The given records and all below them. Records may name each other as parents in a circle. */
export function withDescendants(ids: readonly string[], outlines: readonly RecordOutline[]): string[] {
  const children = Map.groupBy(outlines, ({ parent_id }) => parent_id);
  const family = new Set(ids);
  // A set hands out what is added while it is walked.
  for (const id of family) for (const child of children.get(id) ?? []) family.add(child.id);
  return [...family];
}
