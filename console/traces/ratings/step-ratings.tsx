import { useState } from 'preact/hooks';
import type { UserView } from '../../../core/access/users/user.ts';
import type { AnnotationTemplate } from '../../../core/ratings/annotation-template.ts';
import type { RatingView } from '../../../core/ratings/rating-views.ts';
import { get, post } from '../../api/client.ts';
import { Empty, Show, Waiting } from '../../kit/notices.tsx';
import { useLoaded } from '../../kit/use-loaded.ts';
import type { RunPlace } from '../run-place.ts';
import type { TraceNode } from '../steps/step.ts';
import { NewQuestion } from './new-question.tsx';
import { Question } from './question.tsx';
import { ratingText } from './ratings.ts';

/** Ratings of a step: feedback of the application's users, and the project's questions with one's own answers. */
export function StepRatings({ record, run }: { record: TraceNode; run: RunPlace | undefined }) {
  return run ? <Ratings record={record} run={run} /> : <Waiting />;
}

function Ratings({ record, run }: { record: TraceNode; run: RunPlace }) {
  const { project_id, id } = record;
  const [asking, setAsking] = useState(false);
  const loaded = useLoaded(`ratings ${project_id} ${id}`, async (signal) => {
    const [user, questions, ratings] = await Promise.all([
      get<UserView>('/current_user', { signal }),
      get<AnnotationTemplate[]>(`/projects/${project_id}/annotation_templates`, { signal }),
      getRatings(record, run, signal),
    ]);
    return { user, questions, ratings };
  });
  return (
    <Show loaded={loaded}>
      {({ user, questions, ratings }) => (
        <>
          <UserFeedback feedback={ratings.feedback_rating_info} />
          {questions.length === 0 && (
            <Empty title="No annotation fields yet">
              <p>An annotation field, such as “Is the answer correct?”, is filled in for any trace or span of the project.</p>
            </Empty>
          )}
          {questions.map((question) => (
            <Question
              key={question.id}
              question={question}
              record={record}
              run={run}
              user_id={user.id}
              ratings={ratings}
              onAnswered={loaded.reload}
            />
          ))}
          <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            Add field
          </button>
          {asking && <NewQuestion project_id={project_id} onMade={loaded.reload} onClose={() => setAsking(false)} />}
        </>
      )}
    </Show>
  );
}

/** As they are now: the tree of the trace is not read again for one answer. */
async function getRatings({ project_id, type, id }: TraceNode, { ids }: RunPlace, signal: AbortSignal): Promise<RatingView> {
  const level = type === 'trace' ? 'traces' : 'spans';
  const search = {
    ...ids,
    filters: [{ type: 'id', column_id: 'id', operator: 'eq', value: id }],
    select_columns: { include_all_feedback: true },
    limit: 1,
  };
  const page = await post<{ records: RatingView[] }>(`/projects/${project_id}/${level}/partial_search`, search, { signal });
  return page.records[0] ?? { feedback_rating_info: {}, annotations: {}, annotation_aggregates: {}, annotation_truths: {} };
}

function UserFeedback({ feedback }: { feedback: RatingView['feedback_rating_info'] }) {
  const given = Object.entries(feedback);
  if (given.length === 0) return null;
  return (
    <section class="mb-3">
      <h3 class="side-title">Feedback of the application's users</h3>
      {given.map(([name, { feedback_type, value, explanation }]) => (
        <p key={name} class="mb-1">
          <strong>{name}</strong> {ratingText(feedback_type, value)}
          {explanation && <span class="text-body-secondary"> · {explanation}</span>}
        </p>
      ))}
    </section>
  );
}
