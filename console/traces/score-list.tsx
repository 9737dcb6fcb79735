import type { ScoreDetail } from '../../core/scorers/scores/score-detail.ts';
import { get } from '../api/client.ts';
import { costText, durationText, numberText, percentText, valueText } from '../kit/formatting.ts';
import { Empty, Failure } from '../kit/notices.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import type { Scores } from '../scores/score.ts';
import { ScoreChip } from '../scores/score-chip.tsx';
import { judgesText, scoreValueText } from '../scores/score-state.ts';
import { KeyValues } from './key-values.tsx';
import { LongText } from './long-text.tsx';
import { ScoreEvidence } from './score-evidence.tsx';
import { type ShownScore, shownScores } from './scores.ts';

interface Scored {
  readonly project_id: string;
  readonly run_id: string;
  readonly id: string;
  readonly updated_at: string;
  readonly metric_info: Scores;
}

/** Scores of a trace, a span or a session, with explanation and confidence. */
export function ScoreList({ record }: { record: Scored }) {
  const { project_id, run_id, id, metric_info } = record;
  const path = `/projects/${project_id}/runs/${run_id}/records/${id}`;
  const settled = Object.values(metric_info).map(({ status_type }) => status_type);
  const details = useLoaded(`scores ${project_id} ${run_id} ${id} ${settled}`, (signal) =>
    get<{ scores: ScoreDetail[] }>(`${path}/scores`, { signal }),
  );
  const scores = shownScores(metric_info, details.value?.scores ?? []);
  return (
    <>
      <Failure error={details.error} />
      {scores.length === 0 ? (
        <Empty title="No scores">
          <p class="mb-0">
            No scorer of the log stream applies to spans of this type. Enable one among the scorers of the log stream.
          </p>
        </Empty>
      ) : (
        scores.map((score) => <ScoreView key={score.name} score={score} path={path} />)
      )}
    </>
  );
}

function ScoreView({ score: { name, info, detail }, path }: { score: ShownScore; path: string }) {
  const explanation = detail?.explanation ?? info.explanation;
  const message = detail?.message ?? info.message;
  return (
    <section class="score-entry" aria-label={name}>
      <h3 class="h6 d-flex gap-2 align-items-center mb-1">
        {name} <ScoreChip name={name} info={info} bare />
      </h3>
      {message && <p class="mb-1">{message}</p>}
      {explanation && <LongText text={explanation} />}
      {info.roll_up_metrics && <KeyValues values={info.roll_up_metrics} />}
      {detail && <Effort detail={detail} />}
      {detail && detail.votes.length > 0 && <Votes detail={detail} />}
      {detail?.missing_votes.map((missing) => (
        <p class="small mb-1" key={missing.model}>
          No vote of {missing.model}: {missing.message}
        </p>
      ))}
      {detail && <ScoreEvidence record={path} detail={detail} />}
    </section>
  );
}

function Effort({ detail }: { detail: ScoreDetail }) {
  const { model, num_judges, agreement, input_tokens, output_tokens, cost, latency_ms, cached, truncated, times_scored } = detail;
  const facts = [
    model,
    judgesText(num_judges),
    agreement !== null && `agreement ${percentText(agreement)}`,
    input_tokens !== null && `${numberText(input_tokens + (output_tokens ?? 0))} tokens`,
    cost !== null && costText(cost),
    latency_ms !== null && durationText(latency_ms * 1e6),
    cached && 'from the cache',
    truncated && 'material was cut to fit',
    times_scored > 1 && `scored ${times_scored} times`,
  ].filter(Boolean);
  return (
    <p class="small text-body-secondary mb-1">
      Scored <Time at={detail.scored_at} />
      {facts.map((fact) => ` · ${fact}`)}
    </p>
  );
}

const Votes = ({ detail: { votes, value } }: { detail: ScoreDetail }) => (
  <details>
    <summary>
      {votes.filter((vote) => valueText(vote.value) === valueText(value)).length} of {votes.length} judges agree
    </summary>
    <ol class="ps-3 mb-0">
      {votes.map((vote, at) => (
        <li key={at}>
          <strong>{scoreValueText(vote.value)}</strong>
          {vote.model && ` ${vote.model}${vote.weight === 1 ? '' : ` × ${numberText(vote.weight)}`}`}{' '}
          {vote.explanation && <LongText text={vote.explanation} />}
        </li>
      ))}
    </ol>
  </details>
);
