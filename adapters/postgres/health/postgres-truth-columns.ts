import type { TruthColumns } from '../../../core/health/truth-columns.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

interface Choice {
  readonly scorer_id: string;
  readonly column_key: number;
}

export class PostgresTruthColumns implements TruthColumns {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async choose(dataset_id: string, scorer_id: string, column_key: number | null): Promise<void> {
    const key = [dataset_id, scorer_id];
    if (column_key === null)
      return void (await this.#session.sql('delete from truth_columns where dataset_id = $1 and scorer_id = $2', key));
    await this.#session.sql(
      `insert into truth_columns (dataset_id, scorer_id, column_key) values ($1, $2, $3)
       on conflict (dataset_id, scorer_id) do update set column_key = excluded.column_key`,
      [...key, column_key],
    );
  }

  async find(dataset_id: string, scorer_id: string): Promise<number | undefined> {
    return (await this.list(dataset_id)).get(scorer_id);
  }

  async list(dataset_id: string): Promise<Map<string, number>> {
    const choices = await this.#session.sql<Choice>('select scorer_id, column_key from truth_columns where dataset_id = $1', [
      dataset_id,
    ]);
    return new Map(choices.map(({ scorer_id, column_key }) => [scorer_id, column_key]));
  }
}
