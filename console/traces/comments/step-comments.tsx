import type { UserView } from '../../../core/access/users/user.ts';
import type { CommentPage } from '../../../core/comments/comment.ts';
import { get, post } from '../../api/client.ts';
import { Empty, Show, Waiting } from '../../kit/notices.tsx';
import { useLoaded } from '../../kit/use-loaded.ts';
import type { RunPlace } from '../run-place.ts';
import type { TraceNode } from '../steps/step.ts';
import { CommentForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';

/** A record has no more of them. */
const MOST = 200;

/** Comments of people on a step, the oldest first, and a field for more. */
export function StepComments({ record, run }: { record: TraceNode; run: RunPlace | undefined }) {
  return run ? <Comments record={record} run={run} /> : <Waiting />;
}

function Comments({ record: { project_id, id }, run }: { record: TraceNode; run: RunPlace }) {
  const path = `/projects/${project_id}/comments`;
  const loaded = useLoaded(`comments ${project_id} ${id}`, async (signal) => {
    const query = { ...run.ids, record_id: id, limit: MOST };
    const [user, page] = await Promise.all([
      get<UserView>('/current_user', { signal }),
      get<CommentPage>(path, { query, signal }),
    ]);
    return { user_id: user.id, comments: page.comments.toReversed() };
  });
  const write = async (text: string): Promise<void> => {
    await post(path, { ...run.ids, record_id: id, text });
    loaded.reload();
  };
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
              <CommentItem key={comment.id} comment={comment} isOwn={comment.created_by === user_id} onChanged={loaded.reload} />
            ))}
          </ul>
          <CommentForm label="Write a comment" verb="Comment" onSubmit={write} />
        </>
      )}
    </Show>
  );
}
