import type { WithScores } from '../scores/score.ts';
import '../styles/traces.css';
import '../styles/sessions.css';
import type { PageFields } from '../../core/kernel/query/page.ts';
import type { LogStream } from '../../core/projects/log-stream.ts';
import type { Project } from '../../core/projects/project.ts';
import type { ScoredSession } from '../../core/traces/sessions/session-views.ts';
import { get } from '../api/client.ts';
import { useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { RecordComments } from '../traces/comments/record-comments.tsx';
import type { TraceNode } from '../traces/steps/step.ts';
import { SessionHead } from './session-head.tsx';
import { toTurns } from './turn.ts';
import { TurnView } from './turn-view.tsx';

type SessionPageReply = WithScores<ScoredSession> & PageFields & { readonly traces: readonly TraceNode[] };
const LIMIT = 50;

/** A session as a conversation: its traces one below the other, with the time that lies between them. */
export function SessionPage({ params }: { params: Record<string, string> }) {
  const { project_id, log_stream_id, session_id } = params;
  const [view] = useView();
  const starting_token = startIn(view);
  const project = `/projects/${project_id}`;
  const places = useLoaded(`places ${project_id} ${log_stream_id}`, async (signal) => {
    const [known, stream] = await Promise.all([
      get<Project>(project, { signal }),
      get<LogStream>(`${project}/log_streams/${log_stream_id}`, { signal }),
    ]);
    return { project: known, stream };
  });
  const loaded = useLoaded(`session ${project_id} ${session_id} ${starting_token}`, (signal) =>
    get<SessionPageReply>(`${project}/sessions/${session_id}`, { query: { starting_token, limit: LIMIT }, signal }),
  );
  return (
    <Show loaded={places}>
      {({ project: known, stream }) => (
        <Show loaded={loaded}>
          {(session) => (
            <>
              <SessionHead session={session} project={known} stream={stream} />
              {session.traces.length === 0 ? (
                <Empty title="No turns yet">
                  <p class="mb-0">
                    Traces that are logged with <code>session_id</code> {session.id} become the turns of this session.
                  </p>
                </Empty>
              ) : (
                <ol class="turns">
                  {toTurns(session.traces, session.starting_token).map((turn) => (
                    <TurnView key={turn.trace.record.id} turn={turn} />
                  ))}
                </ol>
              )}
              <ViewPager page={session} />
              <section class="mt-4">
                <h2 class="h6">Comments on the session</h2>
                <RecordComments project_id={known.id} record_id={session.id} ids={{ log_stream_id: stream.id }} />
              </section>
            </>
          )}
        </Show>
      )}
    </Show>
  );
}
