import { computeHour } from '../../../core/record-index/hourly.ts';
import { toPlainArray, toTextArray } from '../database/array-text.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { type IndexedRow, metricsIn, type RunKey } from '../record-index/record-index-rows.ts';

/** Calls of a run that were made with versions of prompts, and their metrics by the hour. To be used inside a transaction that holds the indexer's lock. */
export class PromptRollUp {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  /** Takes the former index entries of records away and adds the present ones. Entries without a version cost one look. */
  async change(run: RunKey, before: readonly IndexedRow[], now: readonly IndexedRow[]): Promise<void> {
    const [taken, added] = [before.filter(isLinked), now.filter(isLinked)];
    if (taken.length === 0 && added.length === 0) return;
    await this.#list(run, taken, added);
    await this.#add(run, toSums(taken, added));
  }

  async #list({ project_id, run_id }: RunKey, taken: readonly LinkedRow[], added: readonly LinkedRow[]): Promise<void> {
    const keys = (rows: readonly LinkedRow[]): string[] => [
      toPlainArray(rows.map(({ prompt_version_id }) => prompt_version_id)),
      toPlainArray(rows.map(({ record_id }) => record_id)),
    ];
    await this.#session.sql(
      `delete from prompt_calls c using unnest($3::uuid[], $4::uuid[]) as gone(prompt_version_id, record_id)
       where c.project_id = $1 and c.run_id = $2 and c.prompt_version_id = gone.prompt_version_id and c.record_id = gone.record_id`,
      [project_id, run_id, ...keys(taken)],
    );
    await this.#session.sql(
      `insert into prompt_calls (project_id, run_id, prompt_version_id, record_id)
       select $1, $2, * from unnest($3::uuid[], $4::uuid[]) on conflict do nothing`,
      [project_id, run_id, ...keys(added)],
    );
  }

  /** Sums add up, so nothing has to be read. */
  async #add({ project_id, run_id }: RunKey, sums: readonly HourSum[]): Promise<void> {
    const rows = sums.filter(({ count, sum }) => count !== 0 || sum !== 0);
    if (rows.length === 0) return;
    const keys = [
      toPlainArray(rows.map(({ prompt_version_id }) => prompt_version_id)),
      toPlainArray(rows.map(({ hour }) => hour)),
      toTextArray(rows.map(({ name }) => name)),
    ];
    await this.#session.sql(
      `insert into prompt_hours (project_id, prompt_version_id, hour, run_id, name, count, sum)
       select $1, version, hour, $2, name, count, sum
       from unnest($3::uuid[], $4::timestamptz[], $5::text[], $6::bigint[], $7::double precision[]) as row(version, hour, name, count, sum)
       on conflict (project_id, prompt_version_id, hour, run_id, name) do update set
         count = prompt_hours.count + excluded.count, sum = prompt_hours.sum + excluded.sum`,
      [project_id, run_id, ...keys, toPlainArray(rows.map(({ count }) => count)), toPlainArray(rows.map(({ sum }) => sum))],
    );
    await this.#session.sql(
      `delete from prompt_hours h using unnest($3::uuid[], $4::timestamptz[], $5::text[]) as key(version, hour, name)
       where h.project_id = $1 and h.run_id = $2 and h.prompt_version_id = key.version and h.hour = key.hour and h.name = key.name
         and h.count <= 0`,
      [project_id, run_id, ...keys],
    );
  }
}

type LinkedRow = IndexedRow & { readonly prompt_version_id: string };
const isLinked = (row: IndexedRow): row is LinkedRow => row.prompt_version_id !== null;

interface HourSum {
  readonly prompt_version_id: string;
  readonly hour: string;
  readonly name: string;
  count: number;
  sum: number;
}

function toSums(taken: readonly LinkedRow[], added: readonly LinkedRow[]): HourSum[] {
  const sums = new Map<string, HourSum>();
  const add = (row: LinkedRow, sign: 1 | -1): void => {
    for (const { name, value, created_at } of metricsIn(row)) {
      const { prompt_version_id } = row;
      const hour = computeHour(created_at);
      const key = JSON.stringify([prompt_version_id, hour, name]);
      const known = sums.get(key) ?? { prompt_version_id, hour, name, count: 0, sum: 0 };
      known.count += sign;
      known.sum += sign * value;
      sums.set(key, known);
    }
  };
  for (const row of taken) add(row, -1);
  for (const row of added) add(row, 1);
  return [...sums.values()];
}
