import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Clock, NewId } from '../../kernel/ports.ts';
import { knownRun } from '../../projects/known-run.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import type { RunIds } from '../../projects/run-ids.ts';
import type { RecordScan } from '../../traces/read/record-scan.ts';
import { datasetNotFound } from '../dataset.ts';
import type { DatasetStore } from '../dataset-store.ts';
import type { RecordRowWriter } from '../records/record-row-writer.ts';
import {
  type DatasetRule,
  type DatasetRulePreview,
  type DatasetRuleTrial,
  type DatasetRuleUpdate,
  MAX_RULES,
  type NewDatasetRule,
  ruleNotFound,
} from './dataset-rule.ts';
import type { DatasetRuleStore, RuleChanges } from './dataset-rule-store.ts';
import { isInRuleSample, toDueTime, toRuleCondition } from './rule-condition.ts';

export interface DatasetRuleDeps {
  readonly datasetRuleStore: DatasetRuleStore;
  readonly datasetStore: Pick<DatasetStore, 'find'>;
  readonly recordRowWriter: Pick<RecordRowWriter, 'findNew'>;
  readonly recordScan: Pick<RecordScan, 'keys'>;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface RuleQuery extends RunIds {
  readonly dataset_id?: string | undefined;
}

const PREVIEW_DAYS = 7;
/** Matching records that a preview counts, at most. */
const MAX_PREVIEWED = 5_000;
const KEYS_AT_ONCE = 500;
const MAX_SHOWN = 10;

/** Rules that add the records of a run to a dataset as they come to match: made, changed, tried, deleted. */
export class DatasetRuleService {
  readonly #deps: DatasetRuleDeps;

  constructor(deps: DatasetRuleDeps) {
    this.#deps = deps;
  }

  async create(caller: Caller, project_id: string, { name, dataset_id, ...wanted }: NewDatasetRule): Promise<DatasetRule> {
    const { datasetRuleStore, runDirectory, clock, newId } = this.#deps;
    await this.#authorize(caller, project_id, dataset_id);
    toRuleCondition(wanted);
    const { run_id } = await knownRun(runDirectory, project_id, wanted);
    const now = clock().toISOString();
    const { record_type, filters, filter_tree = null, sample_rate, columns = null, max_rows_per_day, batch_minutes } = wanted;
    const rule: DatasetRule = {
      ...{ id: newId(), project_id, run_id, dataset_id, name, record_type, filters, filter_tree, sample_rate, columns },
      ...{ max_rows_per_day, batch_minutes, is_enabled: true, paused_reason: null, paused_message: null, paused_at: null },
      ...{ created_by: caller.user_id, enabled_by: caller.user_id, created_at: now, updated_at: now },
      ...{ last_run_at: null, last_added_at: null, last_version_index: null, num_added: 0, num_left_out: 0, added_today: 0 },
    };
    if (await datasetRuleStore.insert(rule, toDueTime(rule, clock()), MAX_RULES)) return rule;
    throw new AppError('conflict', 'dataset_rules_full', `a run has at most ${MAX_RULES} dataset rules`);
  }

  /** In the order in which they were made. */
  async list(caller: Caller, project_id: string, { dataset_id, ...ids }: RuleQuery): Promise<{ rules: DatasetRule[] }> {
    const { authorizer, datasetRuleStore, runDirectory } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const isOfRun = Object.values(ids).some((id) => id != null);
    const run_id = isOfRun ? (await knownRun(runDirectory, project_id, ids)).run_id : undefined;
    return { rules: await datasetRuleStore.list({ project_id, run_id, dataset_id }) };
  }

  async get(caller: Caller, project_id: string, id: string): Promise<DatasetRule> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return this.#found(project_id, id);
  }

  /** Records that were looked at are not looked at again. From then on the rule acts by the rights of who enabled it. */
  async update(caller: Caller, project_id: string, id: string, wanted: DatasetRuleUpdate): Promise<DatasetRule> {
    const { authorizer, datasetRuleStore, datasetStore, clock } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'update');
    const rule = await this.#found(project_id, id);
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value != null)) as Partial<RuleChanges>;
    toRuleCondition({ ...rule, ...given });
    const changes = { ...given, updated_at: clock().toISOString() };
    if (given.is_enabled === false && rule.is_enabled)
      Object.assign(changes, { paused_reason: 'user', paused_message: null, paused_at: changes.updated_at });
    if (given.is_enabled || changesWhatIsAdded(given)) await this.#authorize(caller, project_id, rule.dataset_id);
    if (given.is_enabled) {
      if (!(await datasetStore.find(rule.dataset_id))) throw datasetNotFound(rule.dataset_id);
      const resumed = { paused_reason: null, paused_message: null, paused_at: null, enabled_by: caller.user_id };
      Object.assign(changes, resumed);
    }
    const changed = await datasetRuleStore.update(project_id, id, changes);
    if (!changed) throw ruleNotFound(id);
    return changed;
  }

  /** The rows it added stay. */
  async delete(caller: Caller, project_id: string, id: string): Promise<{ message: string }> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'update');
    if (!(await this.#deps.datasetRuleStore.remove(project_id, id))) throw ruleNotFound(id);
    return { message: `dataset rule ${id} is deleted` };
  }

  /** Says what the rule would have taken of the last days. A rule draws its sample by its own id, so the share is the same and the records may be others. */
  async preview(caller: Caller, project_id: string, trial: DatasetRuleTrial): Promise<DatasetRulePreview> {
    const { authorizer, recordRowWriter, recordScan, runDirectory, clock } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const { dataset_id, record_type: level } = trial;
    if (dataset_id != null) await authorizer.authorize(caller, 'dataset', dataset_id, 'read');
    const condition = toRuleCondition(trial);
    const { run_id } = await knownRun(runDirectory, project_id, trial);
    const since = new Date(clock().getTime() - PREVIEW_DAYS * 86_400_000).toISOString();
    const isRecent = { filter: { type: 'date', column_id: 'created_at', operator: 'gte', value: since } } as const;
    const where = { and: [condition, isRecent] };
    const counted = { num_matching: 0, num_taken: 0, is_more: false };
    const record_ids: string[] = [];
    for await (const keys of recordScan.keys({ project_id, run_id, level, where }, KEYS_AT_ONCE)) {
      const left = MAX_PREVIEWED - counted.num_matching;
      if (left === 0) {
        counted.is_more = true;
        break;
      }
      const looked = keys.slice(0, left);
      const sampled = looked.filter((key) => isInRuleSample({ id: '', ...trial }, key)).map(({ id }) => id);
      const fresh = dataset_id == null ? sampled : await recordRowWriter.findNew({ dataset_id, project_id, level }, sampled);
      counted.num_matching += looked.length;
      counted.num_taken += fresh.length;
      record_ids.push(...fresh.slice(0, MAX_SHOWN - record_ids.length));
    }
    return { since, ...counted, record_ids };
  }

  /** Whoever sees the dataset will see the records. */
  async #authorize(caller: Caller, project_id: string, dataset_id: string): Promise<void> {
    const { authorizer } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'update');
    await authorizer.authorize(caller, 'dataset', dataset_id, 'update');
  }

  async #found(project_id: string, id: string): Promise<DatasetRule> {
    const rule = await this.#deps.datasetRuleStore.find(project_id, id);
    if (!rule) throw ruleNotFound(id);
    return rule;
  }
}

/** Changes that bring other rows into a dataset are for those who may change it. */
const changesWhatIsAdded = ({ filters, filter_tree, sample_rate, columns, max_rows_per_day }: Partial<RuleChanges>): boolean =>
  [filters, filter_tree, sample_rate, columns, max_rows_per_day].some((value) => value !== undefined);
