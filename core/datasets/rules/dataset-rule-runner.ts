import type { AccessStore } from '../../access/access-store.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { AppError, type ErrorKind } from '../../kernel/errors.ts';
import type { Clock } from '../../kernel/ports.ts';
import type { RecordKey, RecordScan } from '../../traces/read/record-scan.ts';
import type { DatasetStore } from '../dataset-store.ts';
import type { RecordRowWriter } from '../records/record-row-writer.ts';
import type { DatasetRule, PauseReason } from './dataset-rule.ts';
import type { DatasetRuleStore, RuleChange } from './dataset-rule-store.ts';
import { isInRuleSample, toDueTime, toRuleCondition } from './rule-condition.ts';

export interface DatasetRuleRunnerDeps {
  readonly datasetRuleStore: DatasetRuleStore;
  readonly datasetStore: Pick<DatasetStore, 'find'>;
  readonly recordRowWriter: Pick<RecordRowWriter, 'findNew' | 'add'>;
  readonly recordScan: Pick<RecordScan, 'keys'>;
  readonly accessStore: Pick<AccessStore, 'findUser'>;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
}

/** Longer than a look takes. */
const LEASE_MS = 300_000;
/** Changed records that are looked at in one go; what is left is looked at next, after other rules. */
const CHANGES_AT_ONCE = 20_000;
const IDS_AT_ONCE = 500;
/** Rows of one version: they are written in one transaction. */
const ROWS_AT_ONCE = 1_000;

/** Matching records that the dataset never had, and the changes that they came from. */
interface Found {
  readonly ids: readonly string[];
  readonly sequences: readonly string[];
  /** Whether changes are left for the next look. */
  readonly isMore: boolean;
}

/** Undoes a transaction of a rule that somebody else has changed or worked on meanwhile. */
const OVERTAKEN = new Error('the rule was changed or worked on meanwhile');

/** Works on rules that are due. Any number of processes may do so at once. */
export class DatasetRuleRunner {
  readonly #deps: DatasetRuleRunnerDeps;

  constructor(deps: DatasetRuleRunnerDeps) {
    this.#deps = deps;
  }

  /** Works on one rule. Returns whether one was due. */
  async run(signal?: AbortSignal): Promise<boolean> {
    const { datasetRuleStore, clock } = this.#deps;
    const now = clock().getTime();
    const rule = await datasetRuleStore.claim(new Date(now).toISOString(), new Date(now + LEASE_MS).toISOString());
    if (!rule) return false;
    const refusal = await this.#findRefusal(rule);
    if (refusal) await this.#pause(rule, refusal);
    else await this.#advance(rule, signal);
    return true;
  }

  async #advance(rule: DatasetRule, signal: AbortSignal | undefined): Promise<void> {
    const found = await this.#find(rule, signal);
    try {
      await this.#add(rule, found);
    } catch (error) {
      if (error === OVERTAKEN) return;
      if (!isRefusal(error)) throw error;
      const reason = error.code === 'dataset_not_found' ? 'dataset_deleted' : 'dataset_refused';
      await this.#pause(rule, { reason, message: error.message });
    }
  }

  /** Rows, counts and what is left to look at are written in one transaction: a crash leaves all or nothing of it. */
  async #add(rule: DatasetRule, { ids, sequences, isMore }: Found): Promise<void> {
    const { recordRowWriter, clock } = this.#deps;
    const at = clock();
    const before = rule.last_run_at?.slice(0, 10) === at.toISOString().slice(0, 10) ? rule.added_today : 0;
    const allowed = ids.slice(0, Math.max(0, rule.max_rows_per_day - before));
    const left_out = ids.length - allowed.length;
    const due_at = isMore ? at.toISOString() : toDueTime(rule, at);
    const done = async ({ added, version_index }: { added: number; version_index: number | null }): Promise<void> => {
      const progress = { added, left_out, added_today: before + added, version_index, at: at.toISOString(), due_at };
      if (!(await this.#deps.datasetRuleStore.finish(rule, sequences, progress))) throw OVERTAKEN;
    };
    if (allowed.length === 0) return done({ added: 0, version_index: null });
    const { dataset_id, project_id, run_id, record_type: level, columns, enabled_by: user_id } = rule;
    await recordRowWriter.add({ dataset_id, project_id, run_id, level, columns, user_id, once: true }, allowed, done);
  }

  async #find(rule: DatasetRule, signal: AbortSignal | undefined): Promise<Found> {
    const { datasetRuleStore } = this.#deps;
    const changes = await datasetRuleStore.listChanges(rule, CHANGES_AT_ONCE);
    const found = new Map<string, RecordKey>();
    const sequences: string[] = [];
    let isMore = false;
    for (const change of changes) {
      signal?.throwIfAborted();
      isMore = found.size >= ROWS_AT_ONCE;
      if (isMore) break;
      for (const key of await this.#match(rule, change)) found.set(key.id, key);
      sequences.push(change.sequence);
    }
    const looked = changes.reduce((sum, { record_ids }) => sum + record_ids.length, 0);
    return { ids: [...found.keys()].toReversed(), sequences, isMore: isMore || looked >= CHANGES_AT_ONCE };
  }

  /** Those of the changed records that are to be taken, oldest first. */
  async #match(rule: DatasetRule, { record_ids }: RuleChange): Promise<RecordKey[]> {
    const { recordScan, recordRowWriter } = this.#deps;
    const { project_id, run_id, dataset_id, record_type: level } = rule;
    const matching: RecordKey[] = [];
    for (let at = 0; at < record_ids.length; at += IDS_AT_ONCE) {
      const value = record_ids.slice(at, at + IDS_AT_ONCE);
      const isOne = { filter: { type: 'id', column_id: 'id', operator: 'one_of', value } } as const;
      const where = { and: [isOne, toRuleCondition(rule)] };
      for await (const keys of recordScan.keys({ project_id, run_id, level, where }, IDS_AT_ONCE))
        matching.push(...keys.filter((key) => isInRuleSample(rule, key)));
    }
    const fresh = new Set(
      await recordRowWriter.findNew(
        { dataset_id, project_id, level },
        matching.map(({ id }) => id),
      ),
    );
    return matching.filter(({ id }) => fresh.has(id)).toReversed();
  }

  async #pause(rule: DatasetRule, { reason, message }: Refusal): Promise<void> {
    const { datasetRuleStore, clock } = this.#deps;
    const at = clock().toISOString();
    const paused = { is_enabled: false, paused_reason: reason, paused_message: message, paused_at: at, updated_at: at };
    await datasetRuleStore.update(rule.project_id, rule.id, paused);
  }

  /** Why the rule may not go on; undefined where it may. */
  async #findRefusal({ dataset_id, project_id, enabled_by, id }: DatasetRule): Promise<Refusal | undefined> {
    const { datasetStore, accessStore, authorizer } = this.#deps;
    if (!(await datasetStore.find(dataset_id))) return { reason: 'dataset_deleted', message: null };
    const user = await accessStore.findUser(enabled_by);
    if (!user || user.is_disabled) return { reason: 'access_lost', message: 'who enabled the rule is no user any more' };
    const { email, role } = user;
    const unlimited = { scheme: 'bearer', api_key_id: null, project_id: null, max_role: null, purpose: null } as const;
    const caller: Caller = { user_id: enabled_by, email, role, ...unlimited, origin: { request_id: `rule ${id}`, address: '' } };
    try {
      await authorizer.authorize(caller, 'project', project_id, 'update');
      await authorizer.authorize(caller, 'dataset', dataset_id, 'update');
      return undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { reason: 'access_lost', message: error.message };
    }
  }
}

const PASSING: ReadonlySet<ErrorKind> = new Set(['unavailable', 'locked', 'timeout', 'too_many']);

/** Whether the same error would come again at every look; others pass by themselves, and the rule is tried again when the lease is over. */
const isRefusal = (error: unknown): error is AppError => error instanceof AppError && !PASSING.has(error.kind);

interface Refusal {
  readonly reason: PauseReason;
  readonly message: string | null;
}
