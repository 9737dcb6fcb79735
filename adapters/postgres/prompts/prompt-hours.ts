import { computeHour, type RecordMetric } from '../../../core/record-index/hourly.ts';
import { toPlainArray, toTextArray } from '../database/array-text.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import type { RunKey } from '../record-index/record-index-rows.ts';

/** Tables of the same columns: metrics of calls, and of the traces above them, by version and hour. */
export type PromptHours = 'prompt_hours' | 'prompt_trace_hours';

interface HourSum {
  readonly prompt_version_id: string;
  readonly hour: string;
  readonly name: string;
  count: number;
  sum: number;
}

/** Differences of sums by version, hour and name. */
export class HourSums {
  readonly #sums = new Map<string, HourSum>();

  /** Adds metrics of a record that is counted for the version, or takes them away. */
  add(prompt_version_id: string, metrics: readonly RecordMetric[], sign: 1 | -1): void {
    for (const { name, value, created_at } of metrics) {
      const hour = computeHour(created_at);
      const key = JSON.stringify([prompt_version_id, hour, name]);
      const known = this.#sums.get(key) ?? { prompt_version_id, hour, name, count: 0, sum: 0 };
      known.count += sign;
      known.sum += sign * value;
      this.#sums.set(key, known);
    }
  }

  /** Sums add up, so nothing has to be read. */
  async write(session: PostgresSession, table: PromptHours, { project_id, run_id }: RunKey): Promise<void> {
    const rows = [...this.#sums.values()].filter(({ count, sum }) => count !== 0 || sum !== 0);
    if (rows.length === 0) return;
    const keys = [
      toPlainArray(rows.map(({ prompt_version_id }) => prompt_version_id)),
      toPlainArray(rows.map(({ hour }) => hour)),
      toTextArray(rows.map(({ name }) => name)),
    ];
    await session.sql(
      `insert into ${table} (project_id, prompt_version_id, hour, run_id, name, count, sum)
       select $1, version, hour, $2, name, count, sum
       from unnest($3::uuid[], $4::timestamptz[], $5::text[], $6::bigint[], $7::double precision[]) as row(version, hour, name, count, sum)
       on conflict (project_id, prompt_version_id, hour, run_id, name) do update set
         count = ${table}.count + excluded.count, sum = ${table}.sum + excluded.sum`,
      [project_id, run_id, ...keys, toPlainArray(rows.map(({ count }) => count)), toPlainArray(rows.map(({ sum }) => sum))],
    );
    await session.sql(
      `delete from ${table} h using unnest($3::uuid[], $4::timestamptz[], $5::text[]) as key(version, hour, name)
       where h.project_id = $1 and h.run_id = $2 and h.prompt_version_id = key.version and h.hour = key.hour and h.name = key.name
         and h.count <= 0`,
      [project_id, run_id, ...keys],
    );
  }
}
