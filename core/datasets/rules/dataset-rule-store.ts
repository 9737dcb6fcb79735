import type { DatasetRule } from './dataset-rule.ts';

/** Rules that are asked for: of a project, a run of it, a dataset. */
export interface RuleSelection {
  readonly project_id: string;
  readonly run_id?: string | undefined;
  readonly dataset_id?: string | undefined;
}

/** Records that were written, scored or rated while a rule was enabled, and that it has not looked at since. */
export interface RuleChange {
  readonly sequence: string;
  readonly record_ids: readonly string[];
}

/** Result of a look at changes. */
export interface RuleProgress {
  readonly added: number;
  readonly left_out: number;
  /** On the day of `at`, with `added`. */
  readonly added_today: number;
  readonly version_index: number | null;
  readonly at: string;
  readonly due_at: string;
}

export type RuleChanges = Partial<
  Pick<
    DatasetRule,
    | 'name'
    | 'filters'
    | 'filter_tree'
    | 'sample_rate'
    | 'columns'
    | 'max_rows_per_day'
    | 'batch_minutes'
    | 'is_enabled'
    | 'paused_reason'
    | 'paused_message'
    | 'paused_at'
    | 'enabled_by'
  >
> &
  Pick<DatasetRule, 'updated_at'>;

/**
 * Rules that fill datasets from runs, and for each the records it has still to look at: whatever writes, scores or rates records
 * puts them there behind the write path, for rules that are enabled. Rules go with their project and run; a deleted dataset leaves them.
 */
export interface DatasetRuleStore {
  /** Due at `due_at`. False, and nothing stored, where the run has `most` of them already. */
  insert(rule: DatasetRule, due_at: string, most: number): Promise<boolean>;
  /** In the order in which they were made. */
  list(selection: RuleSelection): Promise<DatasetRule[]>;
  find(project_id: string, id: string): Promise<DatasetRule | undefined>;
  /** Undefined where there is none. Where it ends enabled, it is due at once; where not, what it had to look at is forgotten. */
  update(project_id: string, id: string, changes: RuleChanges): Promise<DatasetRule | undefined>;
  remove(project_id: string, id: string): Promise<boolean>;

  /** The enabled rule that has been due longest; undefined when none is. Nobody gets it again before `until`, or before it is put off by `finish`. */
  claim(now: string, until: string): Promise<DatasetRule | undefined>;
  /** The first that wait for a rule: until they are of `limit` records, at least one. */
  listChanges(rule: Pick<DatasetRule, 'project_id' | 'id'>, limit: number): Promise<RuleChange[]>;
  /**
   * Takes the changes away and writes down what came of them. False, and nothing done, where the rule is gone or not enabled, or one of
   * the changes is gone: somebody else was faster.
   */
  finish(rule: Pick<DatasetRule, 'project_id' | 'id'>, sequences: readonly string[], progress: RuleProgress): Promise<boolean>;
}
