import type { DatasetDiff, RowDiff } from '../../core/datasets/diff.ts';
import type { DatasetValue } from '../../core/datasets/row.ts';
import { sameValue } from './cell-value.ts';
import type { Base, Draft, Values } from './draft.ts';

/** Where somebody else changed what the draft changes as well. */
export type Collision =
  | {
      readonly kind: 'cell';
      readonly row_id: string;
      /** Where the row stands, counted from zero. */
      readonly index: number;
      readonly column: string;
      readonly mine: DatasetValue;
      readonly theirs: DatasetValue;
    }
  /** They deleted a row that the draft edits: it stays in the draft as a new row. */
  | { readonly kind: 'row_gone'; readonly row_id: string; readonly index: number }
  /** They edited a row that the draft deletes. */
  | { readonly kind: 'row_edited'; readonly row_id: string; readonly index: number };

export interface RebasedEdits {
  readonly draft: Draft;
  readonly collisions: readonly Collision[];
}

/** The draft on top of a newer version. Nothing that was typed is lost by it. */
export function rebaseEdits(draft: Draft, newer: Base, diff: Pick<DatasetDiff, 'columns_renamed' | 'rows'>): RebasedEdits {
  const names = new Map(diff.columns_renamed.map(({ from, to }) => [from, to]));
  const cells = new Map(Object.entries(draft.cells).map(([row_id, values]) => [row_id, renamed(values, names)]));
  const removed = new Set(draft.removed);
  const added = draft.added.map(({ row_id, values }) => ({ row_id, values: renamed(values, names) }));
  const collisions: Collision[] = [];
  for (const row of diff.rows) {
    const { row_id, change } = row;
    const index = indexOf(row);
    const mine = cells.get(row_id);
    if (change === 'removed') {
      if (mine && !removed.has(row_id)) {
        added.push({ row_id, values: { ...renamed(row.values_before ?? {}, names), ...mine } });
        collisions.push({ kind: 'row_gone', row_id, index });
      }
      cells.delete(row_id);
      removed.delete(row_id);
    } else if (change === 'edited' && removed.has(row_id)) collisions.push({ kind: 'row_edited', row_id, index });
    else if (change === 'edited' && mine) {
      collisions.push(...cellCollisions(row, mine));
      const left = Object.entries(mine).filter(([column, value]) => !sameValue(row.values_after?.[column], value));
      if (left.length > 0) cells.set(row_id, Object.fromEntries(left));
      else cells.delete(row_id);
    }
  }
  return { draft: { base: newer, cells: Object.fromEntries(cells), removed: [...removed], added }, collisions };
}

const indexOf = ({ index_before, index_after }: RowDiff): number => index_after ?? index_before ?? 0;

const renamed = (values: Values, names: ReadonlyMap<string, string>): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [names.get(name) ?? name, value]));

/** A cell that both made the same is none. */
const cellCollisions = (row: RowDiff, mine: Values): Collision[] =>
  row.cells
    .filter(({ column_name, after }) => Object.hasOwn(mine, column_name) && !sameValue(after, mine[column_name]))
    .map(({ column_name, after }) => ({
      kind: 'cell',
      row_id: row.row_id,
      index: indexOf(row),
      column: column_name,
      mine: mine[column_name] ?? null,
      theirs: after,
    }));
