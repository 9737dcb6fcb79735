import { AppError, type Issue } from '../kernel/errors.ts';
import type { Block } from './block.ts';
import { compareColumns } from './cells.ts';
import { type ChangeWithRows, changedRows, withRows } from './changed-rows.ts';
import type { DatasetContentStore } from './dataset-content-store.ts';
import type { Column, VersionHead } from './version.ts';

const MAX_LISTED = 100;

/** A state of a dataset: what it was, or what it is to become. */
export interface State {
  readonly columns: readonly Column[];
  readonly blocks: readonly Block[];
}

/**
 * The three-way check before content is overwritten: what was edited since `base`, and would not stay as it was edited.
 * Rejects with AppError `conflict`, which lists it. A target that is undefined shares no row with what is there.
 */
export async function refuseLosing(
  store: DatasetContentStore,
  { version, blocks }: VersionHead,
  base: State,
  target: State | undefined,
) {
  const lost = [...lostColumns(base.columns, version.columns, target?.columns ?? version.columns)];
  for await (const row_id of lostRows(store, version.dataset_id, base, blocks, target)) {
    if (lost.length >= MAX_LISTED) break;
    lost.push(collision('row', row_id));
  }
  if (lost.length === 0) return;
  const some = lost.length >= MAX_LISTED ? `${MAX_LISTED} or more` : String(lost.length);
  throw new AppError('conflict', 'edit_conflict', `${some} edits made since the base version would be lost`, { issues: lost });
}

function* lostColumns(base: readonly Column[], current: readonly Column[], target: readonly Column[]): Generator<Issue> {
  const edited = new Set(getKeys(compareColumns(base, current)));
  const overwritten = compareColumns(current, target);
  const names = new Map(current.map(({ key, name }) => [key, name]));
  for (const key of getKeys(overwritten)) {
    if (edited.has(key)) yield collision('column', names.get(key) ?? '');
  }
}

const getKeys = ({ added, removed, renamed }: ReturnType<typeof compareColumns>): number[] =>
  [...added, ...removed, ...renamed].map(({ key }) => key);

async function* lostRows(
  store: DatasetContentStore,
  dataset_id: string,
  base: State,
  current: readonly Block[],
  target: State | undefined,
): AsyncGenerator<string> {
  const overwritten = withRows(store, dataset_id, changedRows(store, dataset_id, current, target?.blocks ?? []));
  let other = await overwritten.next();
  for await (const edited of withRows(store, dataset_id, changedRows(store, dataset_id, base.blocks, current))) {
    while (!other.done && other.value.position < edited.position) other = await overwritten.next();
    if (other.done) return;
    if (other.value.position === edited.position) yield getRowId(edited);
  }
}

const getRowId = ({ row_before, row_after }: ChangeWithRows): string => (row_after ?? row_before)!.row_id;

const collision = (what: 'row' | 'column', input: string): Issue => ({
  loc: ['body', 'base_version_index'],
  msg: `the ${what} was edited since the base version`,
  type: `${what}_edited`,
  input,
});
