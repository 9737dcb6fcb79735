import type { Spent } from '../../../core/models/budgets/spending-budget.ts';
import {
  AMOUNTS,
  type Amount,
  type Spending,
  type SpendingDays,
  type SpendingKey,
  type SpendingQuery,
  type SpendingStore,
} from '../../../core/models/spending.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

type Row = SpendingKey & Spending;

const toKey = ({ run_id, scorer_id, scorer_version_id, purpose, user_id, provider, model }: SpendingKey): string =>
  JSON.stringify([run_id ?? '', scorer_id ?? '', scorer_version_id ?? '', purpose, user_id ?? '', provider, model]);

export class MemorySpendingStore implements SpendingStore {
  readonly #rows: Table<string, Row>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#rows = database.table();
  }

  async add(key: SpendingKey, amounts: Partial<Readonly<Record<Amount, number>>>): Promise<void> {
    const at = `${key.project_id} ${key.day} ${toKey(key)}`;
    const before = this.#rows.get(at);
    const sums = AMOUNTS.map((name) => [name, (before?.[name] ?? 0) + (amounts[name] ?? 0)]);
    this.#rows.set(at, { ...key, ...(Object.fromEntries(sums) as Record<Amount, number>) });
  }

  async sumCost({ project_id, run_id, scorer_id, day }: Parameters<SpendingStore['sumCost']>[0]): Promise<number> {
    const rows = await this.list(project_id, { run_id, scorer_id, from: day, until: day });
    return rows.reduce((sum, { cost }) => sum + cost, 0);
  }

  async sumCosts(project_id: string | null, day: string): Promise<Spent> {
    const month = `${day.slice(0, 7)}-01`;
    const rows = [...this.#rows.values()].filter(
      (row) => (project_id === null || row.project_id === project_id) && row.day >= month && row.day <= day,
    );
    const sum = (of: readonly Row[]): number => of.reduce((all, { cost }) => all + cost, 0);
    return { today: sum(rows.filter((row) => row.day === day)), this_month: sum(rows) };
  }

  async list(project_id: string, { run_id, scorer_id, ...days }: SpendingQuery): Promise<Spending[]> {
    return this.#find(
      days,
      (row) =>
        row.project_id === project_id &&
        (run_id === undefined || row.run_id === run_id) &&
        (scorer_id === undefined || row.scorer_id === scorer_id),
    );
  }

  async listOutsideProjects(user_id: string, days: SpendingDays): Promise<Spending[]> {
    return this.#find(days, (row) => row.project_id === null && row.user_id === user_id);
  }

  /** Of a run, or of a whole project. */
  removeAll(project_id: string, run_id?: string): void {
    for (const [at, row] of this.#rows)
      if (row.project_id === project_id && (run_id === undefined || row.run_id === run_id)) this.#rows.delete(at);
  }

  #find({ from, until }: SpendingDays, matches: (row: Row) => boolean): Spending[] {
    const found = [...this.#rows.values()].filter(
      (row) => matches(row) && (from === undefined || row.day >= from) && (until === undefined || row.day <= until),
    );
    const order = (a: Row, b: Row): number => (a.day === b.day ? (toKey(a) < toKey(b) ? -1 : 1) : a.day < b.day ? 1 : -1);
    return found.sort(order).map(({ project_id: _project, ...row }) => row);
  }
}
