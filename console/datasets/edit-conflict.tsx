import { ChangedText } from '../kit/changed-text.tsx';
import { toHref } from '../kit/location.ts';
import { Time } from '../kit/time.tsx';
import { cellText } from './cell-value.ts';
import { type Draft, withoutAdded, withoutCell, withRemoval } from './draft.ts';
import { keepDraft } from './drafts.ts';
import type { Collision } from './rebase-edits.ts';
import type { EditConflict } from './save-draft.ts';

interface EditConflictNoticeProps {
  readonly dataset_id: string;
  readonly draft: Draft;
  readonly editConflict: EditConflict;
}

/** Newer version exists: what that means for what was typed here, and where both changed the same. */
export function EditConflictNotice({ dataset_id, draft, editConflict }: EditConflictNoticeProps) {
  const { by, from_version, collisions } = editConflict;
  const settle = (collision: Collision, next: Draft): void =>
    keepDraft(dataset_id, next, { ...editConflict, collisions: collisions.filter((one) => one !== collision) });
  return (
    <section class="alert alert-warning py-2" role="alert" aria-label="Newer version exists">
      <p class="mb-1">
        <strong>Nothing was saved:</strong> {by.created_by_user?.email ?? 'somebody'} saved version {by.version_index} first (
        <Time at={by.created_at} />
        ). All your changes are still here, now on top of that version.{' '}
        <a class="alert-link" href={toHref(`/datasets/${dataset_id}/diff?from=${from_version}&to=${by.version_index}`)}>
          What they changed
        </a>
      </p>
      <p class="mb-1">
        {collisions.length === 0 ? 'You can save again: no change meets one of theirs.' : 'Look at these, then save again:'}
      </p>
      {collisions.map((collision) => (
        <CollisionView
          key={`${collision.row_id} ${collision.kind === 'cell' ? collision.column : ''}`}
          collision={collision}
          onMine={() => settle(collision, draft)}
          onTheirs={() => settle(collision, theirs(draft, collision))}
        />
      ))}
    </section>
  );
}

function theirs(draft: Draft, collision: Collision): Draft {
  const { row_id } = collision;
  if (collision.kind === 'cell') return withoutCell(draft, row_id, collision.column);
  if (collision.kind === 'row_edited') return withRemoval(draft, row_id, false);
  return withoutAdded(draft, row_id);
}

interface CollisionViewProps {
  readonly collision: Collision;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

const SAID = {
  cell: 'both changed this cell',
  row_gone: 'they deleted the row that you changed; saving adds it again, with your changes',
  row_edited: 'they changed the row that you delete',
} as const;

const CollisionView = ({ collision, onMine, onTheirs }: CollisionViewProps) => (
  <div class="mb-2">
    <div class="d-flex gap-2 align-items-center mb-1">
      <span class="me-auto">
        Row {collision.index + 1}
        {collision.kind === 'cell' && `, ${collision.column}`}: {SAID[collision.kind]}
      </span>
      <button type="button" class="btn btn-sm btn-outline-secondary" onClick={onTheirs}>
        Take theirs
      </button>
      <button type="button" class="btn btn-sm btn-outline-secondary" onClick={onMine}>
        Keep mine
      </button>
    </div>
    {collision.kind === 'cell' && (
      <ChangedText before={cellText(collision.theirs)} after={cellText(collision.mine)} labels={['Theirs', 'Mine']} />
    )}
  </div>
);
