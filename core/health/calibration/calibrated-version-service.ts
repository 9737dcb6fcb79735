import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { ScoreMapping, VersionCalibration } from '../../scorers/calibration/score-mapping.ts';
import type { ScorerVersionRecord } from '../../scorers/scorer.ts';
import { addVersion, type NewVersionDeps, ownScorer } from '../../scorers/versions/new-version.ts';
import type { ScorerVersion } from '../../scorers/versions/scorer-version.ts';
import { toScorerVersion } from '../../scorers/versions/version-view.ts';
import { pickEvenly } from './calibrate.ts';
import type { CalibratedVersionRequest, Calibration } from './calibration.ts';
import type { CalibrationService } from './calibration-service.ts';

export interface CalibratedVersionDeps extends NewVersionDeps {
  readonly calibrationService: Pick<CalibrationService, 'calibrate'>;
}

/** Points of a stored curve: between them it is a line. */
const MAX_POINTS = 1_000;
const BINS = 10;

/** Makes versions that map their scores to the rates at which such scores were true. */
export class CalibratedVersionService {
  readonly #deps: CalibratedVersionDeps;

  constructor(deps: CalibratedVersionDeps) {
    this.#deps = deps;
  }

  /**
   * Adds a version with the definition of the one that judged the rows of the run, and the mapping that was fitted to them. Rejects with
   * AppError `invalid` where there are too few rows, or no one version judged them, or its scores are mapped already.
   */
  async add(caller: Caller, project_id: string, run_id: string, request: CalibratedVersionRequest): Promise<ScorerVersion> {
    const { method, ...rows } = request;
    const found = await this.#deps.calibrationService.calibrate(caller, project_id, run_id, { ...rows, bins: BINS });
    const mapping = toMapping(found, method);
    const fit = found[method]?.fit;
    if (!mapping || !fit || !found.scores)
      throw new AppError(
        'invalid',
        'calibration_rows_too_few',
        'fewer than ten true, or ten other, rows have a score between 0 and 1',
      );
    const scorer = await ownScorer(this.#deps, caller, request.scorer_id);
    const source = await this.#source(found.scorer_version_id, scorer.id);
    const calibration: VersionCalibration = {
      mapping,
      of_version_id: source.id,
      ...{ project_id, run_id, positive_label: request.positive_label ?? null, rows: found.rows },
      ...{ ece: found.scores.ece, mapped_ece: fit.ece },
    };
    const added = await addVersion(this.#deps, caller, scorer, { ...getContent(source), calibration });
    return toScorerVersion(this.#deps.scorerKinds, added, scorer);
  }

  async #source(version_id: string | null, scorer_id: string): Promise<ScorerVersionRecord> {
    const source = version_id === null ? undefined : await this.#deps.scorerStore.findVersion(version_id);
    if (source?.scorer_id !== scorer_id)
      throw new AppError('invalid', 'calibration_without_version', 'the rows were judged by no stored version of the scorer');
    if (source.calibration !== null)
      throw new AppError('invalid', 'version_calibrated', 'the scores of this version are mapped already');
    return source;
  }
}

function toMapping({ isotonic, platt }: Calibration, method: ScoreMapping['method']): ScoreMapping | undefined {
  if (method === 'isotonic') return isotonic ? { method, points: pickEvenly(isotonic.points, MAX_POINTS) } : undefined;
  return platt ? { method, slope: platt.slope, offset: platt.offset } : undefined;
}

const getContent = ({
  kind,
  definition,
  model_name,
  num_judges,
  cot_enabled,
  output_type,
  input_type,
  scoreable_node_types,
}: ScorerVersionRecord) => ({
  ...{ kind, definition, model_name, num_judges, cot_enabled, output_type, input_type, scoreable_node_types },
});
