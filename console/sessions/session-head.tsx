import type { LogStream } from '../../core/projects/log-stream.ts';
import type { Project } from '../../core/projects/project.ts';
import type { ScoredSession } from '../../core/traces/sessions/session-views.ts';
import { RecordStar } from '../bookmarks/record-star.tsx';
import { Crumbs } from '../kit/crumbs.tsx';
import { costText, durationText, numberText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { RawSwitch } from '../kit/markdown/raw-switch.tsx';
import { Time } from '../kit/time.tsx';
import type { WithScores } from '../scores/score.ts';
import { ScoreChips } from '../scores/score-chip.tsx';
import { Fact, Facts } from '../traces/facts.tsx';
import { KeyValues } from '../traces/key-values.tsx';
import { ScoreList } from '../traces/score-list.tsx';
import { getTokens, numberIn } from '../traces/steps/step.ts';

interface SessionHeadProps {
  readonly session: WithScores<ScoredSession>;
  readonly project: Project;
  readonly stream: LogStream;
}

/** Totals of a session, and the scores of the session as a whole. */
export function SessionHead({ session, project, stream }: SessionHeadProps) {
  const { id, name, external_id, previous_session_id, created_at, num_traces, metrics, metric_info, user_metadata } = session;
  const path = `/projects/${project.id}/log_streams/${stream.id}`;
  const [tokens, cost] = [getTokens(metrics), numberIn(metrics, 'cost')];
  return (
    <header>
      <Crumbs
        crumbs={[
          { label: 'Projects', path: '/' },
          { label: project.name, path: `/projects/${project.id}` },
          { label: stream.name, path },
          { label: 'Sessions', path: `${path}?level=session` },
        ]}
        title={name || external_id || `Session ${id.slice(0, 8)}`}
      >
        <RecordStar project_id={project.id} ids={{ log_stream_id: stream.id }} record_id={id} name={name || 'the session'} />
        <RawSwitch />
      </Crumbs>
      <Facts>
        <Fact label="Started">
          <Time at={created_at} />
        </Fact>
        <Fact label="Turns">{numberText(num_traces)}</Fact>
        <Fact label="Duration">{durationText(numberIn(metrics, 'duration_ns'))}</Fact>
        {tokens !== undefined && <Fact label="Tokens">{numberText(tokens)}</Fact>}
        {cost !== undefined && <Fact label="Cost">{costText(cost)}</Fact>}
        {previous_session_id && <a href={toHref(`${path}/sessions/${previous_session_id}`)}>The session before</a>}
        {!session.is_complete && <span class="badge text-bg-warning">not complete</span>}
      </Facts>
      <div class="d-flex flex-wrap gap-1 mb-2">
        <ScoreChips scores={metric_info} max={20} />
      </div>
      {Object.keys(metric_info).length > 0 && (
        <details class="mb-2">
          <summary>Scores of the session</summary>
          <ScoreList record={session} />
        </details>
      )}
      {Object.keys(user_metadata).length > 0 && (
        <details class="mb-2">
          <summary>Metadata</summary>
          <KeyValues values={user_metadata} />
        </details>
      )}
    </header>
  );
}
