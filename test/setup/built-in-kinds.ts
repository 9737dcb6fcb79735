import { SCORER_KINDS } from '../../config/plugins.ts';
import { ScorerKinds } from '../../core/scorers/kinds/scorer-kinds.ts';
import { silent } from './silent.ts';

/** The scorer kinds of the repository. */
export const builtInKinds = new ScorerKinds(SCORER_KINDS, silent);

/** Presets of the built-in kinds. */
export const PRESETS = builtInKinds.presets;
