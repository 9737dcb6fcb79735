import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { ScorerVersionRecord } from '../../scorers/scorer.ts';
import { addVersion, fitDefinition, type NewVersionDeps, ownScorer, toContent } from '../../scorers/versions/new-version.ts';
import type { ScorerVersion } from '../../scorers/versions/scorer-version.ts';
import { toScorerVersion } from '../../scorers/versions/version-view.ts';
import type { Health } from '../health-score.ts';
import { isLowerBetter } from '../health-type.ts';
import type { JuryHealth } from './jury-health.ts';
import type { JuryHealthService } from './jury-health-service.ts';

export interface WeighedVersionDeps extends NewVersionDeps {
  readonly juryHealthService: Pick<JuryHealthService, 'measure'>;
}

/** Answers that a juror has to have been measured by: with fewer, its weight would be chance. */
const LEAST_ROWS = 10;
const [LEAST_WEIGHT, MOST_WEIGHT] = [0.001, 1000];

const Jury = z.looseObject({ jurors: z.array(z.looseObject({ model_name: z.string() })).min(2) });

/** Makes versions of juries whose jurors weigh what their health says. */
export class WeighedVersionService {
  readonly #deps: WeighedVersionDeps;

  constructor(deps: WeighedVersionDeps) {
    this.#deps = deps;
  }

  /**
   * Adds a version with the definition of the one that judged, and weights from the health of its jurors. A version is never changed, so
   * that a score says by which weights it was made. Rejects with AppError `invalid` where no jury judged, or a juror has too few answers.
   */
  async add(caller: Caller, project_id: string, queue_id: string, template_id?: string | null): Promise<ScorerVersion> {
    const { scorerStore, scorerKinds } = this.#deps;
    const found = await this.#deps.juryHealthService.measure(caller, project_id, queue_id, template_id);
    const scorer = await ownScorer(this.#deps, caller, found.scorer_id);
    const source = found.scorer_version_id === null ? undefined : await scorerStore.findVersion(found.scorer_version_id);
    const jury = Jury.safeParse(source?.definition).data;
    if (!source || !jury)
      throw new AppError('invalid', 'version_without_jury', 'no version with a jury judged records that are done');
    const jurors = jury.jurors.map((juror) => ({ ...juror, weight: weightFor(juror.model_name, found) }));
    const definition = fitDefinition(scorerKinds, source.kind, { ...jury, jurors });
    const content = { ...toContent(scorer, source.kind, definition, source.scoreable_node_types), ...getTypes(source) };
    return toScorerVersion(scorerKinds, await addVersion(this.#deps, caller, scorer, content), scorer);
  }
}

/** The settings beside the definition that the new version takes over. */
const getTypes = ({ output_type, input_type }: ScorerVersionRecord) => ({ output_type, input_type });

function weightFor(model: string, { jurors }: JuryHealth): number {
  const health = jurors.find((juror) => juror.model === model)?.health;
  const weight = health && toWeight(health);
  if (weight !== undefined) return weight;
  throw new AppError('invalid', 'juror_answers_too_few', `fewer than ${LEAST_ROWS} answers tell how far "${model}" is right`);
}

/** F1 as it is, and of errors how often they go into 1: who errs half as much weighs twice as much. */
function toWeight({ health_score_type, value, joined_rows, skipped_rows }: Health): number | undefined {
  if (health_score_type === null || value === null || joined_rows - skipped_rows < LEAST_ROWS) return undefined;
  const weight = isLowerBetter(health_score_type) ? 1 / Math.max(value, LEAST_WEIGHT) : value;
  return Math.min(MOST_WEIGHT, Math.max(LEAST_WEIGHT, weight));
}
