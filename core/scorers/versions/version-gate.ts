import type { ScorerRecord } from '../scorer.ts';

/** Says whether a version may become the default of its scorer. */
export interface VersionGate {
  /**
   * Rejects with AppError `conflict` (`gate_closed`) when the version does not reach what the scorer asks for, unless `force`.
   * Returns whether it was forced, for the audit log. To be asked before the default version is changed.
   */
  authorize(scorer: ScorerRecord, version_id: string, force: boolean): Promise<'open' | 'forced'>;
}
