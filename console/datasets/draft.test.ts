import { describe, expect, it } from 'vitest';
import { countChanges, emptyDraft, toEdits, withAdded, withAddedCell, withCell, withoutAdded, withRemoval } from './draft.ts';

const base = { version_index: 3, tag: '"three"' };
const stored = { input: 'a', output: null };

describe('a draft', () => {
  it('holds what differs from the stored row, and nothing more', () => {
    const changed = withCell(emptyDraft(base), 'r', stored, 'input', 'b');
    expect(changed.cells).toEqual({ r: { input: 'b' } });
    expect(countChanges(changed)).toBe(1);
    expect(withCell(changed, 'r', stored, 'input', 'a')).toEqual(emptyDraft(base));
    expect(withCell(emptyDraft(base), 'r', stored, 'output', null)).toEqual(emptyDraft(base));
  });

  it('is sent as edits of rows; a deleted row is not edited as well', () => {
    const edited = withCell(withCell(emptyDraft(base), 'r', stored, 'input', 'b'), 's', stored, 'output', 1);
    const draft = withAddedCell(
      withAdded(withRemoval(edited, 's', true), { row_id: 'n', values: { input: 'new' } }),
      'n',
      'output',
      2,
    );
    expect(countChanges(draft)).toBe(3);
    expect(toEdits(draft)).toEqual([
      { edit_type: 'update_row', row_id: 'r', values: { input: 'b' } },
      { edit_type: 'delete_row', row_id: 's' },
      { edit_type: 'append_row', row_id: 'n', values: { input: 'new', output: 2 } },
    ]);
  });

  it('takes deletions and new rows back', () => {
    const draft = withRemoval(withAdded(emptyDraft(base), { row_id: 'n', values: {} }), 'r', true);
    expect(withoutAdded(withRemoval(draft, 'r', false), 'n')).toEqual(emptyDraft(base));
  });
});
