import type { DatasetRule } from '../../../core/datasets/rules/dataset-rule.ts';
import type {
  DatasetRuleStore,
  RuleChange,
  RuleChanges,
  RuleProgress,
  RuleSelection,
} from '../../../core/datasets/rules/dataset-rule-store.ts';
import { isBefore } from '../../../core/kernel/timestamp.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

interface StoredRule {
  readonly rule: DatasetRule;
  readonly due_at: string;
}

interface StoredChange extends RuleChange {
  readonly rule_id: string;
}

type RuleKey = Pick<DatasetRule, 'project_id' | 'id'>;

export class MemoryDatasetRuleStore implements DatasetRuleStore {
  readonly #rules: Table<string, StoredRule>;
  readonly #changes: Table<string, StoredChange>;
  #sequence = 0;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#rules = database.table();
    this.#changes = database.table();
  }

  async insert(rule: DatasetRule, due_at: string, most: number): Promise<boolean> {
    const { project_id, run_id } = rule;
    if (this.#selected({ project_id, run_id }).length >= most) return false;
    this.#rules.set(rule.id, structuredClone({ rule, due_at }));
    return true;
  }

  async list(selection: RuleSelection): Promise<DatasetRule[]> {
    const found = this.#selected(selection).map(({ rule }) => rule);
    return structuredClone(found.sort((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1)));
  }

  async find(project_id: string, id: string): Promise<DatasetRule | undefined> {
    const stored = this.#rules.get(id);
    return stored?.rule.project_id === project_id ? structuredClone(stored.rule) : undefined;
  }

  async update(project_id: string, id: string, changes: RuleChanges): Promise<DatasetRule | undefined> {
    const rule = await this.find(project_id, id);
    if (!rule) return undefined;
    const changed = { ...rule, ...structuredClone(changes) };
    const due_at = changes.is_enabled ? changes.updated_at : this.#rules.get(id)!.due_at;
    this.#rules.set(id, { rule: changed, due_at });
    if (changes.is_enabled === false) this.#forget(id);
    return structuredClone(changed);
  }

  async remove(project_id: string, id: string): Promise<boolean> {
    if (this.#rules.get(id)?.rule.project_id !== project_id) return false;
    this.#forget(id);
    return this.#rules.delete(id);
  }

  async claim(now: string, until: string): Promise<DatasetRule | undefined> {
    const due = [...this.#rules.values()].filter(({ rule, due_at }) => rule.is_enabled && !isBefore(now, due_at));
    const [first] = due.sort((a, b) => (isBefore(a.due_at, b.due_at) ? -1 : 1));
    if (first) this.#rules.set(first.rule.id, { ...first, due_at: until });
    return first && structuredClone(first.rule);
  }

  async listChanges({ id }: RuleKey, limit: number): Promise<RuleChange[]> {
    let before = 0;
    const listed: RuleChange[] = [];
    for (const { rule_id, sequence, record_ids } of this.#changes.values()) {
      if (rule_id !== id || before >= limit) continue;
      listed.push({ sequence, record_ids: [...record_ids] });
      before += record_ids.length;
    }
    return listed;
  }

  async finish({ id }: RuleKey, sequences: readonly string[], progress: RuleProgress): Promise<boolean> {
    const stored = this.#rules.get(id);
    if (!stored?.rule.is_enabled || sequences.some((sequence) => !this.#changes.has(sequence))) return false;
    const { added, left_out, added_today, version_index, at, due_at } = progress;
    const { rule } = stored;
    const last = version_index === null ? {} : { last_version_index: version_index, last_added_at: at };
    const counts = { num_added: rule.num_added + added, num_left_out: rule.num_left_out + left_out, added_today };
    this.#rules.set(id, { rule: { ...rule, ...counts, ...last, last_run_at: at }, due_at });
    for (const sequence of sequences) this.#changes.delete(sequence);
    return true;
  }

  /** Told of records that were written, scored or rated. */
  note(project_id: string, run_id: string, record_ids: readonly string[]): void {
    if (record_ids.length === 0) return;
    for (const { rule } of this.#selected({ project_id, run_id })) {
      if (!rule.is_enabled) continue;
      this.#sequence += 1;
      const sequence = String(this.#sequence);
      this.#changes.set(sequence, { rule_id: rule.id, sequence, record_ids: [...record_ids] });
    }
  }

  /** Of a run, or of a whole project. */
  removeAll(project_id: string, run_id?: string): void {
    for (const { rule } of this.#selected({ project_id, run_id })) {
      this.#forget(rule.id);
      this.#rules.delete(rule.id);
    }
  }

  #forget(id: string): void {
    for (const { rule_id, sequence } of this.#changes.values()) if (rule_id === id) this.#changes.delete(sequence);
  }

  #selected({ project_id, run_id, dataset_id }: RuleSelection): StoredRule[] {
    return [...this.#rules.values()].filter(
      ({ rule }) =>
        rule.project_id === project_id &&
        (run_id ?? rule.run_id) === rule.run_id &&
        (dataset_id ?? rule.dataset_id) === rule.dataset_id,
    );
  }
}
