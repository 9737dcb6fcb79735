import { SCORER_KINDS } from '../../config/plugins.ts';
import { ScorerKinds } from '../../core/scorers/kinds/scorer-kinds.ts';
import { silent } from './silent.ts';

/** The scorer kinds of the repository. */
export const builtInKinds = new ScorerKinds(SCORER_KINDS, silent);

/** What they bring along. */
export const PRESETS = builtInKinds.presets;
