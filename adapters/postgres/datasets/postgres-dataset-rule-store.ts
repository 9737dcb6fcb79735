import type { DatasetRule } from '../../../core/datasets/rules/dataset-rule.ts';
import type {
  DatasetRuleStore,
  RuleChange,
  RuleChanges,
  RuleProgress,
  RuleSelection,
} from '../../../core/datasets/rules/dataset-rule-store.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';
import { DatasetRuleChangeTable, DatasetRuleTable } from './dataset-rule-tables.ts';

type RuleKey = Pick<DatasetRule, 'project_id' | 'id'>;
type RuleRow = DatasetRule & { readonly due_at?: string };

/** Entries that are looked at for one piece of work. */
const ENTRIES_AT_ONCE = 100;

const LIST = `
select * from dataset_rules
where project_id = $1 and ($2::uuid is null or run_id = $2) and ($3::uuid is null or dataset_id = $3) and ($4::uuid is null or id = $4)
order by created_at, id`;
/** The row is not locked against the indexer, which holds its key. */
const CLAIM = `
with next as materialized (
  select project_id, id from dataset_rules where is_enabled and due_at <= $1::timestamptz order by due_at limit 1
  for no key update skip locked
)
update dataset_rules r set due_at = $2 from next where r.project_id = next.project_id and r.id = next.id returning r.*`;
const CHANGES = `
select sequence, record_ids from (
  select sequence, record_ids, sum(cardinality(record_ids)) over (order by sequence) - cardinality(record_ids) as before from (
    select sequence, record_ids from dataset_rule_changes where project_id = $1 and rule_id = $2 order by sequence limit ${ENTRIES_AT_ONCE}
  ) as next
) as counted where before < $3 order by sequence`;
const DONE = `
update dataset_rules set due_at = $3, last_run_at = $4::timestamptz, num_added = num_added + $5, num_left_out = num_left_out + $6, added_today = $7,
  last_version_index = coalesce($8::int, last_version_index),
  last_added_at = case when $8::int is null then last_added_at else $4::timestamptz end
where project_id = $1 and id = $2 and is_enabled returning id`;
const TAKE =
  'delete from dataset_rule_changes where project_id = $1 and rule_id = $2 and sequence = any($3::bigint[]) returning sequence';

export class PostgresDatasetRuleStore implements DatasetRuleStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  insert(rule: DatasetRule, due_at: string, most: number): Promise<boolean> {
    const { project_id, run_id } = rule;
    return this.#session.run(async () => {
      // Two that are made at once are counted one after the other.
      await this.#session.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`dataset rules ${project_id} ${run_id}`]);
      if ((await this.list({ project_id, run_id })).length >= most) return false;
      await this.#session.em.insert(DatasetRuleTable, { ...toRow(rule), due_at });
      return true;
    });
  }

  async list({ project_id, run_id, dataset_id }: RuleSelection): Promise<DatasetRule[]> {
    return (await this.#session.sql<RuleRow>(LIST, [project_id, run_id ?? null, dataset_id ?? null, null])).map(toRule);
  }

  async find(project_id: string, id: string): Promise<DatasetRule | undefined> {
    const [row] = await this.#session.sql<RuleRow>(LIST, [project_id, null, null, id]);
    return row && toRule(row);
  }

  update(project_id: string, id: string, changes: RuleChanges): Promise<DatasetRule | undefined> {
    return this.#session.run(async () => {
      const due = changes.is_enabled ? { due_at: changes.updated_at } : {};
      await this.#session.em.nativeUpdate(DatasetRuleTable, { project_id, id }, { ...toRow(changes), ...due });
      if (changes.is_enabled === false) await this.#forget(project_id, id);
      return this.find(project_id, id);
    });
  }

  remove(project_id: string, id: string): Promise<boolean> {
    return this.#session.run(async () => {
      // First the rule: whoever puts changes there holds it, so that there are none left once it is gone.
      const found = await this.#session.em.nativeDelete(DatasetRuleTable, { project_id, id });
      await this.#forget(project_id, id);
      return found > 0;
    });
  }

  async claim(now: string, until: string): Promise<DatasetRule | undefined> {
    const [row] = await this.#session.sql<RuleRow>(CLAIM, [now, until]);
    return row && toRule(row);
  }

  listChanges({ project_id, id }: RuleKey, limit: number): Promise<RuleChange[]> {
    return this.#session.sql<RuleChange>(CHANGES, [project_id, id, limit]);
  }

  finish({ project_id, id }: RuleKey, sequences: readonly string[], progress: RuleProgress): Promise<boolean> {
    const { added, left_out, added_today, version_index, at, due_at } = progress;
    return this.#session.run(async () => {
      const there = await this.#session.sql(
        'select from dataset_rules where project_id = $1 and id = $2 and is_enabled for no key update',
        [project_id, id],
      );
      const left = await this.#session.sql(
        'select sequence from dataset_rule_changes where project_id = $1 and rule_id = $2 and sequence = any($3::bigint[])',
        [project_id, id, [...sequences]],
      );
      if (there.length === 0 || left.length < sequences.length) return false;
      await this.#session.sql(TAKE, [project_id, id, [...sequences]]);
      await this.#session.sql(DONE, [project_id, id, due_at, at, added, left_out, added_today, version_index]);
      return true;
    });
  }

  async #forget(project_id: string, rule_id: string): Promise<void> {
    await this.#session.em.nativeDelete(DatasetRuleChangeTable, { project_id, rule_id });
  }
}

/** Values of filters and names of columns may hold what a `jsonb` column does not take. */
function toRow<Row extends Partial<DatasetRule>>(row: Row): Row {
  const encoded = Object.entries({ filters: row.filters, filter_tree: row.filter_tree, columns: row.columns })
    .filter(([, value]) => value != null)
    .map(([name, value]) => [name, encodeJson(value)]);
  return { ...row, ...Object.fromEntries(encoded) };
}

const utc = (time: string | null): string | null => (time === null ? null : toUtc(time)!);

function toRule({ due_at: _, ...row }: RuleRow): DatasetRule {
  const { filters, filter_tree, columns, num_added, num_left_out } = row;
  return {
    ...row,
    filters: decodeJson(filters) as DatasetRule['filters'],
    filter_tree: decodeJson(filter_tree) as DatasetRule['filter_tree'],
    columns: decodeJson(columns) as DatasetRule['columns'],
    num_added: Number(num_added),
    num_left_out: Number(num_left_out),
    created_at: toUtc(row.created_at)!,
    updated_at: toUtc(row.updated_at)!,
    paused_at: utc(row.paused_at),
    last_run_at: utc(row.last_run_at),
    last_added_at: utc(row.last_added_at),
  };
}
