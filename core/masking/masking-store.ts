import type { MaskingCount, MaskingDays, MaskingRule } from './masking-rule.ts';

/** Numbers of masked values, by the name of the rule. */
export type MaskingTally = ReadonlyMap<string, number>;

/** Masking rules of projects, and counts of what they masked. Both go with their project. */
export interface MaskingStore {
  /** In their order; none where none were ever set. */
  list(project_id: string): Promise<MaskingRule[]>;
  /** In place of all that there are. Counts stay, also of rules that are gone. */
  replace(project_id: string, rules: readonly MaskingRule[]): Promise<void>;
  /** Adds to the counts of a day in UTC, all or nothing; nobody else's additions are lost. */
  addCounts(project_id: string, day: string, masked: MaskingTally): Promise<void>;
  /** By day, then by rule. */
  listCounts(project_id: string, days: MaskingDays): Promise<MaskingCount[]>;
}
