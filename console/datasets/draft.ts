import type { ContentEdit } from '../../core/datasets/edit.ts';
import type { DatasetValue } from '../../core/datasets/row.ts';
import { sameValue } from './cell-value.ts';

export type Values = Readonly<Record<string, DatasetValue>>;

/** The version that edits were made against; the tag is what the service compares. */
export interface Base {
  readonly version_index: number;
  readonly tag: string;
}

export interface AddedRow {
  readonly row_id: string;
  readonly values: Values;
}

/** Edits of a dataset that are not saved yet. */
export interface Draft {
  readonly base: Base;
  /** By row: the columns that are to have another value. */
  readonly cells: Readonly<Record<string, Values>>;
  readonly removed: readonly string[];
  readonly added: readonly AddedRow[];
}

export const emptyDraft = (base: Base): Draft => ({ base, cells: {}, removed: [], added: [] });

export const countChanges = ({ cells, removed, added }: Draft): number =>
  Object.keys(cells).filter((row_id) => !removed.includes(row_id)).length + removed.length + added.length;

/** With a cell of a stored row changed, or as it was when the value is the stored one again. */
export function withCell(draft: Draft, row_id: string, stored: Values, column: string, value: DatasetValue): Draft {
  const { [column]: _before, ...others } = draft.cells[row_id] ?? {};
  const values = sameValue(stored[column], value) ? others : { ...others, [column]: value };
  const { [row_id]: _row, ...cells } = draft.cells;
  return { ...draft, cells: Object.keys(values).length > 0 ? { ...cells, [row_id]: values } : cells };
}

export const withoutCell = (draft: Draft, row_id: string, column: string): Draft => withCell(draft, row_id, {}, column, null);

export const withRemoval = (draft: Draft, row_id: string, isRemoved: boolean): Draft => ({
  ...draft,
  removed: [...draft.removed.filter((id) => id !== row_id), ...(isRemoved ? [row_id] : [])],
});

export const withAdded = (draft: Draft, row: AddedRow): Draft => ({ ...draft, added: [...draft.added, row] });

export const withoutAdded = (draft: Draft, row_id: string): Draft => ({
  ...draft,
  added: draft.added.filter((row) => row.row_id !== row_id),
});

export const withAddedCell = (draft: Draft, row_id: string, column: string, value: DatasetValue): Draft => ({
  ...draft,
  added: draft.added.map((row) => (row.row_id === row_id ? { row_id, values: { ...row.values, [column]: value } } : row)),
});

/** Converts the draft to the edits that save it. */
export function toEdits({ cells, removed, added }: Draft): ContentEdit[] {
  return [
    ...Object.entries(cells)
      .filter(([row_id]) => !removed.includes(row_id))
      .map(([row_id, values]) => ({ edit_type: 'update_row' as const, row_id, values })),
    ...removed.map((row_id) => ({ edit_type: 'delete_row' as const, row_id })),
    ...added.map(({ row_id, values }) => ({ edit_type: 'append_row' as const, row_id, values })),
  ];
}
