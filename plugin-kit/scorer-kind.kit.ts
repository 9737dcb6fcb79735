import type { z } from '../core/plugin-sdk/index.ts';
import { type ScorerKindCase, scorerKindChecks } from './scorer-kind-checks.ts';
import { underVitest } from './under-vitest.ts';

/** What every scorer-kind plugin has to hold; a plugin's own test calls it in one line. */
export function scorerKindKit<D extends z.ZodType>(given: ScorerKindCase<D>): void {
  underVitest(scorerKindChecks(given));
}
