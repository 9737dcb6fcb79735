import { describe, expect, it } from 'vitest';
import type { RowDiff } from '../../core/datasets/diff.ts';
import type { Draft } from './draft.ts';
import { rebaseEdits } from './rebase-edits.ts';

const newer = { version_index: 4, tag: '"four"' };
const toDraft = (facts: Partial<Draft>): Draft => ({
  base: { version_index: 3, tag: '"three"' },
  cells: {},
  removed: [],
  added: [],
  ...facts,
});
const computeDiff = (...rows: RowDiff[]) => ({ columns_renamed: [], rows });
const edited = (row_id: string, column_name: string, before: string, after: string): RowDiff => ({
  row_id,
  change: 'edited',
  index_before: 0,
  index_after: 0,
  values_before: { [column_name]: before },
  values_after: { [column_name]: after },
  cells: [{ column_name, before, after }],
});
const removed = (row_id: string, values: Record<string, string>): RowDiff => ({
  row_id,
  change: 'removed',
  index_before: 0,
  index_after: null,
  values_before: values,
  values_after: null,
  cells: [],
});

describe('a draft rebased to a newer version', () => {
  it('keeps what nobody else touched', () => {
    const draft = toDraft({ cells: { r: { input: 'mine' } }, removed: ['s'], added: [{ row_id: 'n', values: { input: 'x' } }] });
    expect(rebaseEdits(draft, newer, computeDiff(edited('t', 'input', 'a', 'b')))).toEqual({
      draft: { ...draft, base: newer },
      collisions: [],
    });
  });

  it('keeps another column of a row that was edited, and tells of the same one', () => {
    const draft = toDraft({ cells: { r: { input: 'mine', output: 'also mine' } } });
    const { draft: carried, collisions } = rebaseEdits(draft, newer, computeDiff(edited('r', 'input', 'was', 'theirs')));
    expect(carried.cells).toEqual(draft.cells);
    expect(collisions).toEqual([{ kind: 'cell', row_id: 'r', index: 0, column: 'input', mine: 'mine', theirs: 'theirs' }]);
  });

  it('drops a cell that both made the same', () => {
    const draft = toDraft({ cells: { r: { input: 'same' } } });
    expect(rebaseEdits(draft, newer, computeDiff(edited('r', 'input', 'was', 'same')))).toEqual({
      draft: toDraft({ base: newer }),
      collisions: [],
    });
  });

  it('makes an edited row that was deleted a new row, with all its values', () => {
    const draft = toDraft({ cells: { r: { input: 'mine' } } });
    const { draft: carried, collisions } = rebaseEdits(draft, newer, computeDiff(removed('r', { input: 'was', output: 'kept' })));
    expect(carried).toMatchObject({ cells: {}, added: [{ row_id: 'r', values: { input: 'mine', output: 'kept' } }] });
    expect(collisions).toEqual([{ kind: 'row_gone', row_id: 'r', index: 0 }]);
  });

  it('forgets a deletion that somebody else made, and tells of an edit of what it deletes', () => {
    const draft = toDraft({ removed: ['gone', 'edited'] });
    const { draft: carried, collisions } = rebaseEdits(
      draft,
      newer,
      computeDiff(removed('gone', {}), edited('edited', 'input', 'a', 'b')),
    );
    expect(carried.removed).toEqual(['edited']);
    expect(collisions).toEqual([{ kind: 'row_edited', row_id: 'edited', index: 0 }]);
  });

  it('follows columns to their new names', () => {
    const draft = toDraft({ cells: { r: { ask: 'mine' } }, added: [{ row_id: 'n', values: { ask: 'new' } }] });
    const { draft: carried } = rebaseEdits(draft, newer, { columns_renamed: [{ from: 'ask', to: 'input' }], rows: [] });
    expect(carried).toMatchObject({ cells: { r: { input: 'mine' } }, added: [{ values: { input: 'new' } }] });
  });
});
