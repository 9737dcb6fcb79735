import type { Caller } from '../../access/caller.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { readScoreValue } from '../../plugin-sdk/index.ts';
import { aggregateScores } from '../aggregate-scores.ts';
import { ScoredRows, type ScoredRowsDeps } from '../scored-rows.ts';
import { calibrate } from './calibrate.ts';
import type { Calibration, CalibrationRequest } from './calibration.ts';
import type { Outcomes } from './outcomes.ts';

export interface CalibrationDeps extends ScoredRowsDeps {
  readonly pause: () => Promise<void>;
}

/** How far the scores of a scorer can be read as probabilities, by the rows of datasets that know what is true. */
export class CalibrationService {
  readonly #deps: CalibrationDeps;
  readonly #scoredRows: ScoredRows;

  constructor(deps: CalibrationDeps) {
    this.#deps = deps;
    this.#scoredRows = new ScoredRows(deps);
  }

  /** Of one run, by the rules of its health. Nothing is kept. */
  async calibrate(caller: Caller, project_id: string, run_id: string, request: CalibrationRequest): Promise<Calibration> {
    const { version, truths, values } = await this.#scoredRows.load(caller, project_id, run_id, request);
    const scores: number[] = [];
    const outcomes: number[] = [];
    let skipped_rows = 0;
    for (const { row_id, truth } of truths) {
      const said = values.get(row_id) ?? [];
      if (said.length === 0 || readScoreValue('boolean', truth, 'truth').kind === 'absent') continue;
      const [score, outcome] = [readProbability(said), readOutcome(truth, request.positive_label)];
      if (score === undefined || outcome === undefined) skipped_rows += 1;
      else {
        scores.push(score);
        outcomes.push(outcome ? 1 : 0);
      }
    }
    const rows: Outcomes = { scores: Float64Array.from(scores), truths: Uint8Array.from(outcomes) };
    return { scorer_version_id: version?.id ?? null, skipped_rows, ...(await calibrate(rows, request, this.#deps.pause)) };
  }
}

/** The mean of several scores; undefined where none is a share between 0 and 1. */
function readProbability(said: readonly JsonValue[]): number | undefined {
  const shares = said.flatMap((given) => {
    const read = readScoreValue('percentage', given, 'score');
    return read.kind === 'value' ? [read.value] : [];
  });
  const mean = shares.length > 0 ? aggregateScores('percentage', shares) : undefined;
  return mean !== undefined && mean >= 0 && mean <= 1 ? mean : undefined;
}

/** Whether a row is of the class, or is a yes; a share counts as one from one half on. */
function readOutcome(truth: unknown, positive_label: string | null | undefined): boolean | undefined {
  if (positive_label != null) {
    const read = readScoreValue('categorical', truth, 'truth');
    return read.kind === 'value' ? read.value.toLowerCase() === positive_label.trim().toLowerCase() : undefined;
  }
  const answer = readScoreValue('boolean', truth, 'truth');
  if (answer.kind === 'value') return answer.value;
  const share = readScoreValue('percentage', truth, 'truth');
  return share.kind === 'value' ? share.value >= 0.5 : undefined;
}
