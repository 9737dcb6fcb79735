import { TRIAL_GROUNDS } from '../../plugin-sdk/index.ts';
import type { ScorerKinds } from '../kinds/scorer-kinds.ts';

/** The name of a candidate's scores in its run, and of the job that tries it on samples, by kind. */
export const getMetricName = (kind: string): string => `${kind}_scorer_validation`;

/** Lists the names of a trial's scores, by the installed kinds that can be tried. */
export const listMetricKeys = (kinds: ScorerKinds): string[] =>
  kinds
    .list()
    .filter(({ trial }) => (trial?.on ?? TRIAL_GROUNDS).length > 0)
    .map(({ id }) => getMetricName(id));
