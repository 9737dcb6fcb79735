import type { ScoreOutcome } from '../../plugin-sdk/index.ts';
import type { NewScore, Score } from '../../scores/score.ts';
import type { ScoringTask } from './scoring-task.ts';
import type { Subject } from './subject.ts';

/** A subject that a scorer has yet to judge, or to judge anew. */
export interface OpenSubject {
  readonly subject: Subject;
  /** Of the subject, as it is now. */
  readonly judged: string;
  /** The state that the result was made of that is there. */
  readonly replaces: string | undefined;
}

const NO_RESULT: ScoreOutcome = { status: 'failed', message: 'the scorer gave no result for this record' };

/** How a result is kept. */
export interface Keeping {
  readonly scored_at: string;
  /** Outcome of a scorer that says no more. */
  readonly failure: 'error' | 'failed';
  /** Whether somebody will read what the program printed. */
  readonly keepsPrinted?: boolean | undefined;
}

/** A result as it is kept. */
export function toScoreRecord(
  { project_id, run_id }: Pick<Score, 'project_id' | 'run_id'>,
  { entry, version }: Pick<ScoringTask, 'entry' | 'version'>,
  { subject, judged, replaces }: OpenSubject,
  outcome: ScoreOutcome = NO_RESULT,
  { scored_at, failure, keepsPrinted = false }: Keeping,
): NewScore {
  const said =
    outcome.status === 'success'
      ? { status_type: outcome.status, value: outcome.value, explanation: outcome.explanation ?? null, message: null }
      : { status_type: getStatus(outcome.status, failure), value: null, explanation: null, message: outcome.message };
  return {
    project_id,
    run_id,
    record_id: subject.record.id,
    scorer_id: entry.id,
    scorer_version_id: version.id,
    metric_name: entry.name,
    ...said,
    effort: keepsPrinted && outcome.printed ? { ...outcome.effort, printed: outcome.printed } : (outcome.effort ?? null),
    scored_at,
    judged,
    replaces,
  };
}

const getStatus = (status: 'failed' | 'not_applicable', failure: 'error' | 'failed') =>
  status === 'not_applicable' ? status : failure;
