import { AppError, type Issue } from '../kernel/errors.ts';
import type { NewId } from '../kernel/ports.ts';
import type { Entry } from './block.ts';
import { getBlockIndex } from './block.ts';
import type { Cells } from './content.ts';
import type { DatasetContentStore } from './dataset-content-store.ts';
import type { ContentEdit } from './edit.ts';
import type { NewRow, NextVersion } from './next-version.ts';
import type { RowValues } from './row.ts';
import type { VersionHead } from './version.ts';

const MAX_ISSUES = 100;

/** Combined result of edits, by row. */
interface RowPlan {
  /** All columns that are named, in the order of the edits. */
  readonly names: ReadonlySet<string>;
  /** Null stands for the removal of the row, which wins over every update of it. */
  readonly changes: Map<string, RowValues | null>;
  readonly prepended: NewRow[];
  readonly appended: NewRow[];
}

export function planRows(edits: readonly ContentEdit[], newId: NewId): RowPlan {
  const names = new Set(edits.flatMap((edit) => ('values' in edit ? Object.keys(edit.values) : [])));
  const plan: RowPlan = { names, changes: new Map(), prepended: [], appended: [] };
  for (const edit of edits) {
    if (edit.edit_type === 'append_row') plan.appended.push({ row_id: edit.row_id ?? newId(), values: edit.values });
    // Each goes before all others in its turn.
    else if (edit.edit_type === 'prepend_row') plan.prepended.push({ row_id: edit.row_id ?? newId(), values: edit.values });
    else if (edit.edit_type === 'delete_row') plan.changes.set(edit.row_id, null);
    else if (edit.edit_type === 'update_row') {
      const before = plan.changes.get(edit.row_id);
      if (before !== null) plan.changes.set(edit.row_id, { ...before, ...edit.values });
    }
  }
  plan.prepended.reverse();
  return plan;
}

export async function applyRows(next: NextVersion, plan: RowPlan, positions: ReadonlyMap<string, number>): Promise<void> {
  for (const name of plan.names) next.columns.getKey(name);
  const changes = new Map(
    [...plan.changes].map(([row_id, values]): [number, (cells: Cells) => Cells | undefined] => [
      positions.get(row_id)!,
      (cells) => (values === null ? undefined : next.columns.changed(cells, values)),
    ]),
  );
  await next.change(changes);
  if (plan.prepended.length > 0) await next.prepend(plan.prepended);
  if (plan.appended.length > 0) await next.append(plan.appended);
}

/** Positions of all rows that the edits name as being there. Rejects with AppError `invalid` when one is not, or a new one was ever there. */
export async function positionsFor(
  store: DatasetContentStore,
  { version: { dataset_id }, blocks }: VersionHead,
  edits: readonly ContentEdit[],
): Promise<Map<string, number>> {
  const known = await store.computePositions(dataset_id, [...new Set(edits.flatMap(idsIn))]);
  const present = await presentAmong(store, dataset_id, blocks, [...known.values()]);
  const added = new Set<string>();
  const issues = edits.flatMap((edit, at): Issue[] => {
    if (edit.edit_type === 'append_row' || edit.edit_type === 'prepend_row') {
      const id = edit.row_id;
      if (!id || (!known.has(id) && added.size < added.add(id).size)) return [];
      return [toIssue(['body', 'edits', at, 'row_id'], 'the dataset has or had a row of this id', 'row_id_taken', id)];
    }
    return idsIn(edit).flatMap((id, place) => {
      if (present.has(known.get(id) ?? Number.NaN)) return [];
      const loc = edit.edit_type === 'filter_rows' ? ['row_ids', place] : ['row_id'];
      return [toIssue(['body', 'edits', at, ...loc], 'there is no such row in this version', 'row_unknown', id)];
    });
  });
  if (issues.length > 0) throw mismatch(issues);
  return known;
}

function idsIn(edit: ContentEdit): readonly string[] {
  if (edit.edit_type === 'filter_rows') return edit.row_ids;
  if (edit.edit_type === 'copy_record_data') return [];
  return edit.row_id ? [edit.row_id] : [];
}

/** Those of the positions that a version has a row at. */
async function presentAmong(
  store: DatasetContentStore,
  dataset_id: string,
  blocks: VersionHead['blocks'],
  positions: readonly number[],
): Promise<Set<number>> {
  const wanted = new Set(positions);
  const indexes = [...new Set(positions.map((position) => getBlockIndex(blocks, position)))].filter((index) => index >= 0);
  const ids = indexes.map((index) => blocks[index]!.id);
  const entries: Entry[] = (await store.readBlocks(dataset_id, ids)).flat();
  return new Set(entries.map(({ position }) => position).filter((position) => wanted.has(position)));
}

const toIssue = (loc: Issue['loc'], msg: string, type: string, input: string): Issue => ({ loc, msg, type, input });

const mismatch = (issues: readonly Issue[]): AppError =>
  new AppError('invalid', 'edits_invalid', 'edits do not fit the version that they are made against', {
    issues: issues.slice(0, MAX_ISSUES),
  });
