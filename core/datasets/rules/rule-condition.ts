import { computeShare } from '../../scores/sampling.ts';
import type { RecordKey } from '../../traces/read/record-scan.ts';
import { type FilterTree, type RecordFilter, toRecordCondition } from '../../traces/record-query.ts';
import type { DatasetRule } from './dataset-rule.ts';

interface Conditions extends Pick<DatasetRule, 'record_type'> {
  readonly filters: readonly RecordFilter[];
  readonly filter_tree?: FilterTree | null | undefined;
}

const IS_COMPLETE: FilterTree = { filter: { type: 'boolean', column_id: 'is_complete', operator: 'eq', value: true } };

/** Conditions of a rule as one. A trace is taken once it is complete: before, it has no output to be learned from. Throws AppError `filter_invalid`. */
export function toRuleCondition({ record_type, filters, filter_tree }: Conditions): FilterTree {
  const condition = toRecordCondition({ filters: [...filters], filter_tree });
  return record_type === 'trace' ? { and: [condition, IS_COMPLETE] } : condition;
}

/** The same at every look, so that a score that comes later does not draw anew. */
export const isInRuleSample = ({ id, sample_rate }: Pick<DatasetRule, 'id' | 'sample_rate'>, { trace_id }: RecordKey): boolean =>
  computeShare(`${id} ${trace_id}`) < sample_rate;

export const toDueTime = ({ batch_minutes }: Pick<DatasetRule, 'batch_minutes'>, now: Date): string =>
  new Date(now.getTime() + batch_minutes * 60_000).toISOString();
