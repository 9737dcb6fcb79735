import type { z } from '../../core/plugin-sdk/index.ts';
import { underVitest } from '../under-vitest.ts';
import { type ScorerKindCase, scorerKindChecks } from './scorer-kind-checks.ts';

/** Checks of every scorer-kind plugin; a plugin's own test calls it in one line. */
export function scorerKindKit<D extends z.ZodType>(given: ScorerKindCase<D>): void {
  underVitest(scorerKindChecks(given));
}
