import { useState } from 'preact/hooks';
import type { CommentView } from '../../../core/comments/comment.ts';
import { patch, remove } from '../../api/client.ts';
import { ConfirmButton } from '../../kit/confirm.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { Time } from '../../kit/time.tsx';
import { CommentForm } from './comment-form.tsx';

interface CommentItemProps {
  readonly comment: CommentView;
  /** Its author alone changes it. */
  readonly mayChange: boolean;
  /** Its author, and who may change the project. */
  readonly mayDelete: boolean;
  readonly onChanged: () => void;
}

export function CommentItem({ comment, mayChange, mayDelete, onChanged }: CommentItemProps) {
  const { id, project_id, text, created_by, created_by_user, created_at, updated_at } = comment;
  const path = `/projects/${project_id}/comments/${id}`;
  const [editing, setEditing] = useState(false);
  const change = async (changed: string): Promise<void> => {
    await patch(path, { text: changed });
    setEditing(false);
    onChanged();
  };
  const takeBack = async (): Promise<void> => {
    await remove(path);
    onChanged();
  };
  return (
    <li class="question">
      <div class="small text-body-secondary mb-1">
        <strong>{created_by_user?.email ?? created_by}</strong> · <Time at={created_at} />
        {updated_at !== created_at && ' · changed'}
      </div>
      {editing ? (
        <CommentForm label="Edit the comment" verb="Save" text={text} onSubmit={change} onCancel={() => setEditing(false)} />
      ) : (
        <Markdown text={text} />
      )}
      {(mayChange || mayDelete) && !editing && (
        <div class="d-flex gap-3">
          {mayChange && (
            <button type="button" class="btn btn-sm btn-link p-0 text-decoration-none" onClick={() => setEditing(true)}>
              Edit
            </button>
          )}
          {mayDelete && <ConfirmButton quiet label="Delete" question="Delete this comment?" onConfirm={takeBack} />}
        </div>
      )}
    </li>
  );
}
