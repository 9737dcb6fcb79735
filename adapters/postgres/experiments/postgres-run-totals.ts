import type { RunTotal, RunTotals } from '../../../core/experiments/run-totals.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeText } from '../database/text-codec.ts';

/** Reads the hourly roll-up: its rows are as many as names and hours, however many records there are. */
export class PostgresRunTotals implements RunTotals {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async totals(project_id: string, run_ids: readonly string[]): Promise<RunTotal[]> {
    const rows = await this.#session.sql<Omit<RunTotal, 'count'> & { count: string }>(
      `select run_id, name, type, sum(sum) as sum, sum(count)::text as count from hourly_numbers
       where project_id = $1 and run_id = any($2::uuid[]) group by run_id, name, type`,
      [project_id, [...run_ids]],
    );
    return rows.map((row) => ({ ...row, name: decodeText(row.name), count: Number(row.count) }));
  }
}
