import type { RunTrace } from './run-traces.ts';
import type { TruthRowWithTexts } from './truth-rows.ts';

/**
 * The row of each trace, by the trace's id. A trace that names no row belongs to the row of its `dataset_input`; of several such
 * rows to one of its `dataset_output`; where rows are equal in both, traces and rows are paired in their order. Traces
 * without a row are left out.
 */
export function rowsOfTraces(traces: readonly RunTrace[], rows: readonly TruthRowWithTexts[]): Map<string, string> {
  const byInput = new Turns(rows, ({ input }) => input);
  const byBoth = new Turns(rows, ({ input, output }) => (input === null ? null : JSON.stringify([input, output])));
  const known = new Set(rows.map(({ row_id }) => row_id));
  const found = new Map<string, string>();
  for (const { id, row_id, dataset_input, dataset_output } of traces) {
    const row =
      row_id ??
      (dataset_input === null
        ? undefined
        : (byBoth.next(JSON.stringify([dataset_input, dataset_output])) ?? byInput.next(dataset_input)));
    if (row !== undefined && known.has(row)) found.set(id, row);
  }
  return found;
}

/** Rows that are alike, handed out one after the other and then from the start again. */
class Turns {
  readonly #groups: ReadonlyMap<string | null, readonly TruthRowWithTexts[]>;
  readonly #taken = new Map<string, number>();

  constructor(rows: readonly TruthRowWithTexts[], getKey: (row: TruthRowWithTexts) => string | null) {
    this.#groups = Map.groupBy(rows, getKey);
  }

  next(key: string): string | undefined {
    const group = this.#groups.get(key);
    if (!group) return undefined;
    const taken = this.#taken.get(key) ?? 0;
    this.#taken.set(key, taken + 1);
    return group[taken % group.length]!.row_id;
  }
}
