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
import type { PostgresSession } from '../database/postgres-session.ts';

/** Columns of a primary key take no null: this stands for what a call does not belong to. */
const NONE = '00000000-0000-0000-0000-000000000000';

const OPTIONAL = ['project_id', 'run_id', 'scorer_id', 'scorer_version_id', 'user_id'] as const;
const KEY = [...OPTIONAL, 'purpose', 'provider', 'model', 'day'] as const;
const places = [...KEY, ...AMOUNTS].map((_, at) => `$${at + 1}`).join(', ');

const ADD = `
insert into model_spending (${[...KEY, ...AMOUNTS].join(', ')}) values (${places})
on conflict (${KEY.join(', ')}) do update set ${AMOUNTS.map((name) => `${name} = model_spending.${name} + excluded.${name}`).join(', ')}`;

const SUM_COST = `
select coalesce(sum(cost), 0)::double precision as spent from model_spending
where project_id = $1 and run_id = $2 and scorer_id = $3 and day = $4`;

/** By `model_spending_day_index`: the rows of one month. */
const SUM_COSTS = `
select coalesce(sum(cost) filter (where day = $1), 0)::double precision as today, coalesce(sum(cost), 0)::double precision as this_month
from model_spending where day >= date_trunc('month', $1::date) and day <= $1`;

const SHOWN = `
purpose, ${OPTIONAL.slice(1)
  .map((name) => `nullif(${name}, '${NONE}') as ${name}`)
  .join(', ')}, provider, model, day::text as day,
  ${AMOUNTS.map((name) => `${name}::double precision as ${name}`).join(', ')}`;

const ORDER = `
order by model_spending.day desc, model_spending.run_id, model_spending.scorer_id, model_spending.scorer_version_id,
  purpose, model_spending.user_id, provider, model`;

const LIST = `
select ${SHOWN} from model_spending
where project_id = $1 and ($2::uuid is null or run_id = $2) and ($3::uuid is null or scorer_id = $3)
  and ($4::date is null or day >= $4) and ($5::date is null or day <= $5) ${ORDER}`;

/** By the primary key: what belongs to no project belongs to no run and no scorer. */
const LIST_OUTSIDE_PROJECTS = `
select ${SHOWN} from model_spending
where project_id = '${NONE}' and run_id = '${NONE}' and scorer_id = '${NONE}' and scorer_version_id = '${NONE}' and user_id = $1
  and ($2::date is null or day >= $2) and ($3::date is null or day <= $3) ${ORDER}`;

export class PostgresSpendingStore implements SpendingStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async add(key: SpendingKey, amounts: Partial<Readonly<Record<Amount, number>>>): Promise<void> {
    await this.#session.sql(ADD, [...KEY.map((name) => key[name] ?? NONE), ...AMOUNTS.map((name) => amounts[name] ?? 0)]);
  }

  async sumCost({ project_id, run_id, scorer_id, day }: Parameters<SpendingStore['sumCost']>[0]): Promise<number> {
    const [row] = await this.#session.sql<{ spent: number }>(SUM_COST, [project_id, run_id, scorer_id, day]);
    return row!.spent;
  }

  async sumCosts(project_id: string | null, day: string): Promise<Spent> {
    const [row] =
      project_id === null
        ? await this.#session.sql<Spent>(SUM_COSTS, [day])
        : await this.#session.sql<Spent>(`${SUM_COSTS} and project_id = $2`, [day, project_id]);
    return row!;
  }

  list(
    project_id: string,
    { run_id = null, scorer_id = null, from = null, until = null }: Nullable<SpendingQuery>,
  ): Promise<Spending[]> {
    return this.#session.sql<Spending>(LIST, [project_id, run_id, scorer_id, from, until]);
  }

  listOutsideProjects(user_id: string, { from = null, until = null }: Nullable<SpendingDays>): Promise<Spending[]> {
    return this.#session.sql<Spending>(LIST_OUTSIDE_PROJECTS, [user_id, from, until]);
  }
}

type Nullable<T> = { readonly [Name in keyof T]: T[Name] | null };
