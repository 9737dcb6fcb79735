import { z } from 'zod';
import { Id } from '../../kernel/text.ts';
import type { CodeOutcome } from '../../plugin-sdk/index.ts';

/**
 * In how many records in a row a version may run out of time or memory. A slow machine or one large record does that once or
 * twice; ten in a row have cost a process for some seconds, and the next one hundred will come to the same.
 */
export const MAX_STRIKES = 10;

export const SuspensionReason = z.enum(['timed_out', 'out_of_memory']);
export type SuspensionReason = z.output<typeof SuspensionReason>;

/** Why a version is not run in a project any more. */
export const SuspensionView = z
  .object({
    project_id: z.string(),
    scorer_version_id: z.string(),
    reason: SuspensionReason,
    message: z.string(),
    suspended_at: z.string(),
  })
  .meta({ id: 'ScorerSuspension', description: 'A scorer version that is switched off in a project, and why.' });
export type SuspensionView = z.output<typeof SuspensionView>;

/** Which versions of a scorer to switch on again: one, or all where none is named. */
export const ScorerResume = z.object({ scorer_version_id: Id.nullish() }).meta({ id: 'ScorerResume' });
export type ScorerResume = z.output<typeof ScorerResume>;

export interface Suspension extends SuspensionView {
  readonly scorer_id: string;
}

export const isStrike = ({ kind }: CodeOutcome): boolean => kind === 'timed_out' || kind === 'out_of_memory';

/** Message of the scores that records get as long as the version is switched off. */
export const suspensionMessage = (strike: string): string =>
  `this version of the scorer is switched off: ${MAX_STRIKES} records in a row came to "${strike}"`;
