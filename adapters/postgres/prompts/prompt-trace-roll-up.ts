import { toUtc } from '../../../core/kernel/timestamp.ts';
import { isOfTrace, MAX_VERSIONS_OF_TRACE } from '../../../core/prompts/prompt-usage-store.ts';
import type { RecordMetric } from '../../../core/record-index/hourly.ts';
import { toPlainArray, toTextArray } from '../database/array-text.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { type IndexedRow, metricsIn, type RunKey } from '../record-index/record-index-rows.ts';
import { HourSums } from './prompt-hours.ts';

interface Changed {
  readonly before: readonly IndexedRow[];
  readonly now: readonly IndexedRow[];
  /** Traces in which calls of versions came, went or changed. */
  readonly touched: readonly string[];
}

/** A trace as it is counted for the versions that were called in it. */
interface CountedTrace {
  readonly trace_id: string;
  readonly created_at: string;
  /** By name, as JSON text. */
  readonly numbers: string;
  readonly prompt_version_ids: readonly string[];
}

const HAS_VERSIONS = `
select exists (select from prompt_calls where project_id = $1 and run_id = $2)
  or exists (select from prompt_traces where project_id = $1 and run_id = $2) as has_versions`;
/** Loose index scan: what is read of a trace grows with its versions, up to the most that count, and not with its calls. */
const VERSIONS_OF_TRACES = `
select wanted.trace_id, array_agg(found.prompt_version_id::text) as prompt_version_ids
from unnest($3::uuid[]) as wanted(trace_id) cross join lateral (
  with recursive called as (
    (select prompt_version_id, 1 as at from prompt_calls
     where project_id = $1 and run_id = $2 and trace_id = wanted.trace_id order by prompt_version_id limit 1)
    union all
    select next.prompt_version_id, called.at + 1 from called cross join lateral (
      select prompt_version_id from prompt_calls
      where project_id = $1 and run_id = $2 and trace_id = wanted.trace_id and prompt_version_id > called.prompt_version_id
      order by prompt_version_id limit 1
    ) as next where called.at < ${MAX_VERSIONS_OF_TRACE}
  )
  select prompt_version_id from called
) as found group by wanted.trace_id`;

/** Scores of traces by the versions of prompts that were called in them. */
export class PromptTraceRollUp {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async change(run: RunKey, { before, now, touched }: Changed): Promise<void> {
    const isTrace = ({ type }: IndexedRow): boolean => type === 'trace';
    const own = [...before, ...now].filter(isTrace).map(({ record_id }) => record_id);
    const ids = [...new Set([...own, ...touched])];
    if (ids.length === 0 || !(await this.#hasVersions(run))) return;
    const versions = await this.#versions(run, ids);
    const rows = new Map(now.filter(isTrace).map((row) => [row.record_id, row]));
    const looked = new Set(own);
    const others = [...versions.keys()].filter((id) => !looked.has(id));
    for (const row of await this.#indexed(run, others)) rows.set(row.record_id, row);
    const counted = [...versions].flatMap(([id, ids]) => {
      const row = rows.get(id);
      return row ? [toCounted(row, ids)] : [];
    });
    const sums = new HourSums();
    for (const trace of await this.#takeAll(run, ids)) addTo(sums, trace, -1);
    for (const trace of counted) addTo(sums, trace, 1);
    await this.#put(run, counted);
    await sums.write(this.#session, 'prompt_trace_hours', run);
  }

  async #hasVersions({ project_id, run_id }: RunKey): Promise<boolean> {
    const [row] = await this.#session.sql<{ readonly has_versions: boolean }>(HAS_VERSIONS, [project_id, run_id]);
    return row!.has_versions;
  }

  async #versions({ project_id, run_id }: RunKey, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.#session.sql<Pick<CountedTrace, 'trace_id' | 'prompt_version_ids'>>(VERSIONS_OF_TRACES, [
      project_id,
      run_id,
      toPlainArray(ids),
    ]);
    return new Map(rows.map(({ trace_id, prompt_version_ids }) => [trace_id, prompt_version_ids]));
  }

  /** Traces that this pass does not look at, as they were indexed last; one that is not yet comes with its own pass. */
  #indexed({ project_id, run_id }: RunKey, ids: readonly string[]): Promise<IndexedRow[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.#session.sql<IndexedRow>(
      `select record_id, type, created_at, is_error, numbers, words, prompt_version_id from indexed_records
       where project_id = $1 and record_id = any($2::uuid[]) and (run_id = $3) is true`,
      [project_id, toPlainArray(ids), run_id],
    );
  }

  #takeAll({ project_id, run_id }: RunKey, ids: readonly string[]): Promise<CountedTrace[]> {
    return this.#session.sql<CountedTrace>(
      `delete from prompt_traces where project_id = $1 and run_id = $2 and trace_id = any($3::uuid[])
       returning trace_id, created_at, numbers, prompt_version_ids::text[] as prompt_version_ids`,
      [project_id, run_id, toPlainArray(ids)],
    );
  }

  async #put({ project_id, run_id }: RunKey, traces: readonly CountedTrace[]): Promise<void> {
    if (traces.length === 0) return;
    await this.#session.sql(
      `insert into prompt_traces (project_id, run_id, trace_id, created_at, numbers, prompt_version_ids)
       select $1, $2, trace_id, created_at, numbers, string_to_array(versions, ',')::uuid[]
       from unnest($3::uuid[], $4::timestamptz[], $5::text[], $6::text[]) as row(trace_id, created_at, numbers, versions)`,
      [
        project_id,
        run_id,
        toPlainArray(traces.map(({ trace_id }) => trace_id)),
        toPlainArray(traces.map(({ created_at }) => created_at)),
        toTextArray(traces.map(({ numbers }) => numbers)),
        toTextArray(traces.map(({ prompt_version_ids }) => prompt_version_ids.join(','))),
      ],
    );
  }
}

function toCounted(row: IndexedRow, prompt_version_ids: readonly string[]): CountedTrace {
  const numbers = metricsIn(row).filter(({ name }) => isOfTrace(name));
  return {
    trace_id: row.record_id,
    created_at: toUtc(row.created_at)!,
    numbers: JSON.stringify(Object.fromEntries(numbers.map(({ name, value }) => [name, value]))),
    prompt_version_ids,
  };
}

function addTo(sums: HourSums, { trace_id, numbers, prompt_version_ids, ...trace }: CountedTrace, sign: 1 | -1): void {
  const created_at = toUtc(trace.created_at)!;
  const metrics: RecordMetric[] = Object.entries(JSON.parse(numbers) as Record<string, number>).map(([name, value]) => ({
    ...{ record_id: trace_id, type: 'trace' },
    ...{ name, value, created_at },
  }));
  for (const id of prompt_version_ids) sums.add(id, metrics, sign);
}
