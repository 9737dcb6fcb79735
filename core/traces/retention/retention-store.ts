import type { RecordSelection } from '../record-query.ts';
import type { RetentionPreview, RetentionRule } from './retention.ts';

/** For how long records are kept. */
export interface RetentionStore {
  /** The rule of the project and those of its log streams, in no order. */
  listRules(project_id: string): Promise<RetentionRule[]>;
  /** Projects that have any rule. */
  listProjects(): Promise<string[]>;
  /** Replaces the rule there is. `days` null removes it; that there is none is no error. */
  setRule(project_id: string, run_id: string | null, days: number | null): Promise<void>;
  /** Counts the records that removing the selected traces would take: they, all that is logged under them, derived sessions left empty. */
  preview(selection: RecordSelection): Promise<RetentionPreview>;
}
