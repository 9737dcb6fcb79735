import type { UserView } from '../../../core/access/users/user.ts';
import type { CommentPage } from '../../../core/comments/comment.ts';
import { get, post } from '../../api/client.ts';
import { Empty, Show } from '../../kit/notices.tsx';
import { useLoaded } from '../../kit/use-loaded.ts';
import { useProject } from '../../projects/use-project.ts';
import { allows } from '../../sharing/permission.ts';
import type { RunPlace } from '../run-place.ts';
import { CommentForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';

/** A record has no more of them. */
const MOST = 200;

interface RecordCommentsProps {
  readonly project_id: string;
  /** A trace, a span or a session. */
  readonly record_id: string;
  readonly ids: RunPlace['ids'];
}

/** Comments of people on a record, the oldest first, and a field for more where the caller may write some. */
export function RecordComments({ project_id, record_id, ids }: RecordCommentsProps) {
  const path = `/projects/${project_id}/comments`;
  const project = useProject(project_id);
  const loaded = useLoaded(`comments ${project_id} ${record_id}`, async (signal) => {
    const query = { ...ids, record_id, limit: MOST };
    const [user, page] = await Promise.all([
      get<UserView>('/current_user', { signal }),
      get<CommentPage>(path, { query, signal }),
    ]);
    return { user_id: user.id, comments: page.comments.toReversed() };
  });
  const write = async (text: string): Promise<void> => {
    await post(path, { ...ids, record_id, text });
    loaded.reload();
  };
  const permissions = project.value?.permissions ?? [];
  const mayWrite = allows(permissions, 'record_human_feedback');
  const mayDeleteAll = allows(permissions, 'update');
  return (
    <Show loaded={loaded}>
      {({ user_id, comments }) => (
        <>
          {comments.length === 0 && (
            <Empty title="No comments yet">
              <p>All who may read the project see what is written here.</p>
            </Empty>
          )}
          <ul class="list-unstyled">
            {comments.map((comment) => (
              <CommentItem
                key={comment.id}
                comment={comment}
                mayChange={mayWrite && comment.created_by === user_id}
                mayDelete={mayDeleteAll || comment.created_by === user_id}
                onChanged={loaded.reload}
              />
            ))}
          </ul>
          {mayWrite && <CommentForm label="Write a comment" verb="Comment" onSubmit={write} />}
        </>
      )}
    </Show>
  );
}
