import { toPlainArray } from '../database/array-text.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { type IndexedRow, metricsIn, type RunKey } from '../record-index/record-index-rows.ts';
import { HourSums } from './prompt-hours.ts';
import { PromptTraceRollUp } from './prompt-trace-roll-up.ts';

/** Index entry that a record has now, with the trace that it is in. */
export interface PlacedRow extends IndexedRow {
  readonly trace_id: string;
}

/**
 * Calls of a run that were made with versions of prompts, and metrics of them and of their traces by the hour. To be used inside a
 * transaction that holds the indexer's lock.
 */
export class PromptRollUp {
  readonly #session: PostgresSession;
  readonly #traces: PromptTraceRollUp;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
    this.#traces = new PromptTraceRollUp({ session });
  }

  /** Takes the former index entries of records away and adds the present ones. Entries of a run without versions cost one look. */
  async change(run: RunKey, before: readonly IndexedRow[], now: readonly PlacedRow[]): Promise<void> {
    const [taken, added] = [before.filter(isLinked), now.filter(isLinked)];
    const left = taken.length === 0 ? [] : await this.#unlist(run, taken);
    if (added.length > 0) await this.#list(run, added);
    const sums = new HourSums();
    for (const row of taken) sums.add(row.prompt_version_id, metricsIn(row), -1);
    for (const row of added) sums.add(row.prompt_version_id, metricsIn(row), 1);
    await sums.write(this.#session, 'prompt_hours', run);
    await this.#traces.change(run, { before, now, touched: [...left, ...added.map(({ trace_id }) => trace_id)] });
  }

  /** Returns the traces that the calls were in. */
  async #unlist({ project_id, run_id }: RunKey, taken: readonly Linked<IndexedRow>[]): Promise<string[]> {
    const rows = await this.#session.sql<{ readonly trace_id: string | null }>(
      `delete from prompt_calls c using unnest($3::uuid[], $4::uuid[]) as gone(prompt_version_id, record_id)
       where c.project_id = $1 and c.run_id = $2 and c.prompt_version_id = gone.prompt_version_id and c.record_id = gone.record_id
       returning c.trace_id`,
      [project_id, run_id, ...toKeys(taken)],
    );
    return rows.flatMap(({ trace_id }) => trace_id ?? []);
  }

  async #list({ project_id, run_id }: RunKey, added: readonly Linked<PlacedRow>[]): Promise<void> {
    await this.#session.sql(
      `insert into prompt_calls (project_id, run_id, prompt_version_id, record_id, trace_id)
       select $1, $2, * from unnest($3::uuid[], $4::uuid[], $5::uuid[]) on conflict do nothing`,
      [project_id, run_id, ...toKeys(added), toPlainArray(added.map(({ trace_id }) => trace_id))],
    );
  }
}

type Linked<Row extends IndexedRow> = Row & { readonly prompt_version_id: string };
const isLinked = <Row extends IndexedRow>(row: Row): row is Linked<Row> => row.prompt_version_id !== null;

const toKeys = (rows: readonly Linked<IndexedRow>[]): string[] => [
  toPlainArray(rows.map(({ prompt_version_id }) => prompt_version_id)),
  toPlainArray(rows.map(({ record_id }) => record_id)),
];
