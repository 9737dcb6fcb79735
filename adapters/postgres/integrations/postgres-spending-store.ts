import {
  AMOUNTS,
  type Amount,
  type Spending,
  type SpendingKey,
  type SpendingQuery,
  type SpendingStore,
} from '../../../core/scorers/lending/spending.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

const KEY = ['project_id', 'run_id', 'scorer_id', 'scorer_version_id', 'provider', 'model', 'day'] as const;
const places = [...KEY, ...AMOUNTS].map((_, at) => `$${at + 1}`).join(', ');

const ADD = `
insert into model_spending (${[...KEY, ...AMOUNTS].join(', ')}) values (${places})
on conflict (${KEY.join(', ')}) do update set ${AMOUNTS.map((name) => `${name} = model_spending.${name} + excluded.${name}`).join(', ')}`;

const SPENT_ON = `
select coalesce(sum(cost), 0)::double precision as spent from model_spending
where project_id = $1 and run_id = $2 and scorer_id = $3 and day = $4`;

const LIST = `
select run_id, scorer_id, scorer_version_id, provider, model, day::text as day,
  ${AMOUNTS.map((name) => `${name}::double precision as ${name}`).join(', ')}
from model_spending
where project_id = $1 and ($2::uuid is null or run_id = $2) and ($3::uuid is null or scorer_id = $3)
  and ($4::date is null or day >= $4) and ($5::date is null or day <= $5)
order by model_spending.day desc, run_id, scorer_id, scorer_version_id, provider, model`;

export class PostgresSpendingStore implements SpendingStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async add(key: SpendingKey, amounts: Partial<Readonly<Record<Amount, number>>>): Promise<void> {
    await this.#session.sql(ADD, [...KEY.map((name) => key[name]), ...AMOUNTS.map((name) => amounts[name] ?? 0)]);
  }

  async spentOn({ project_id, run_id, scorer_id, day }: Parameters<SpendingStore['spentOn']>[0]): Promise<number> {
    const [row] = await this.#session.sql<{ spent: number }>(SPENT_ON, [project_id, run_id, scorer_id, day]);
    return row!.spent;
  }

  list(
    project_id: string,
    { run_id = null, scorer_id = null, from = null, until = null }: Nullable<SpendingQuery>,
  ): Promise<Spending[]> {
    return this.#session.sql<Spending>(LIST, [project_id, run_id, scorer_id, from, until]);
  }
}

type Nullable<T> = { readonly [Name in keyof T]: T[Name] | null };
