import { type Budget, NO_BUDGET } from '../../../core/models/budgets/spending-budget.ts';
import type { PriceStore } from '../../../core/models/prices/own-prices.ts';
import type { ModelPrice } from '../../../core/plugin-sdk/index.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';

/** Columns of a primary key take no null: this stands for the organisation. */
const ORGANIZATION = '00000000-0000-0000-0000-000000000000';

export class PostgresPriceStore implements PriceStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async list(project_id: string | null): Promise<ModelPrice[]> {
    const [row] = await this.#session.sql<{ prices: unknown }>('select prices from model_prices where project_id = $1', [
      project_id ?? ORGANIZATION,
    ]);
    return row ? (decodeJson(row.prices) as ModelPrice[]) : [];
  }

  async replace(project_id: string | null, prices: readonly ModelPrice[]): Promise<void> {
    await this.#session.sql(
      `insert into model_prices (project_id, prices) values ($1, $2::jsonb)
       on conflict (project_id) do update set prices = excluded.prices`,
      [project_id ?? ORGANIZATION, JSON.stringify(encodeJson(prices))],
    );
  }

  async forbidsUnpriced(project_id: string | null): Promise<boolean> {
    const [row] = await this.#session.sql<{ forbids_unpriced: boolean }>(
      'select forbids_unpriced from model_prices where project_id = $1',
      [project_id ?? ORGANIZATION],
    );
    return row?.forbids_unpriced ?? false;
  }

  async setUnpriced(project_id: string | null, forbidden: boolean): Promise<void> {
    await this.#session.sql(
      `insert into model_prices (project_id, prices, forbids_unpriced) values ($1, '[]', $2)
       on conflict (project_id) do update set forbids_unpriced = excluded.forbids_unpriced`,
      [project_id ?? ORGANIZATION, forbidden],
    );
  }

  async findBudget(project_id: string | null): Promise<Budget> {
    const [row] = await this.#session.sql<Budget>(
      'select daily_budget as daily, monthly_budget as monthly from model_prices where project_id = $1',
      [project_id ?? ORGANIZATION],
    );
    return row ?? NO_BUDGET;
  }

  async setBudget(project_id: string | null, { daily, monthly }: Budget): Promise<void> {
    await this.#session.sql(
      `insert into model_prices (project_id, prices, daily_budget, monthly_budget) values ($1, '[]', $2, $3)
       on conflict (project_id) do update set daily_budget = excluded.daily_budget, monthly_budget = excluded.monthly_budget`,
      [project_id ?? ORGANIZATION, daily, monthly],
    );
  }
}
