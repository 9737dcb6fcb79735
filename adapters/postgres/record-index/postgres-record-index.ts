import type { RecordMetric } from '../../../core/record-index/hourly.ts';
import type { RecordIndex } from '../../../core/record-index/record-index.ts';
import { isCounted } from '../../../core/record-index/record-metrics.ts';
import { IS_EXPORTED, noteForExport } from '../data-export/export-notes.ts';
import { toPlainArray, toTextArray } from '../database/array-text.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { PromptRollUp } from '../prompts/prompt-roll-up.ts';
import { type RatedRow, ratedSql } from '../ratings/rating-sql.ts';
import { WordBlocks } from '../traces/word-blocks.ts';
import { HourlyRollUp } from '../trends/hourly-roll-up.ts';
import {
  type IndexedRecord,
  type IndexedRow,
  metricsIn,
  type RecordSource,
  type RunKey,
  type ScoreSource,
  toIndexedRecord,
} from './record-index-rows.ts';

/** The rows that the indexer looks up are few among many, so it goes by keys, one by one, also on tables without statistics. */
const BEGIN = `
select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true)`;
/** One indexer of a run at a time: it joins hours in memory, and two would overwrite each other's. Any number; the word "indexer". */
const LOCK = 'pg_try_advisory_xact_lock(hashtextextended(run_id::text || project_id::text, 7597137519428265330))';
/** The run whose change waits longest. */
const TAKE_OLDEST = `
select project_id, run_id, ${LOCK} as held from (select project_id, run_id from record_changes order by sequence limit 1) as oldest`;
/**
 * Others, when another indexer is at that one: loose index scan, one look into the index for each run that has changes. The run
 * whose change waits longest first; the lock is tried behind the inner limit, row by row, until it is got.
 */
const TAKE_ANOTHER = `
with recursive waiting as (
  (select project_id, run_id, sequence from record_changes order by project_id, run_id, sequence limit 1)
  union all
  select next.* from waiting cross join lateral (
    select project_id, run_id, sequence from record_changes
    where (project_id, run_id) > (waiting.project_id, waiting.run_id) order by project_id, run_id, sequence limit 1
  ) as next
)
select project_id, run_id from (select * from waiting order by sequence limit 64 offset 0) as oldest where ${LOCK} limit 1`;
const REPLACE_ROW = `
on conflict (project_id, record_id, run_id) do update set type = excluded.type, created_at = excluded.created_at,
  is_error = excluded.is_error, numbers = excluded.numbers, words = excluded.words, block = excluded.block, prompt_version_id = excluded.prompt_version_id`;
/** Short enough that requests, which the same process serves, do not wait for their words. */
const READ_AT_ONCE = 128;
/** Entries that are looked at for one piece of work. */
const CHANGES_AT_ONCE = 100;
/** Ids of one entry for rules: what a rule looks at in one go is made of whole entries. */
const NOTED_AT_ONCE = 1_000;
const NOTE_FOR_RULES = `
insert into dataset_rule_changes (project_id, rule_id, run_id, record_ids)
select project_id, id, run_id, $3::uuid[] from dataset_rules where project_id = $1 and run_id = $2 and is_enabled for key share
returning sequence`;

interface Change {
  readonly record_ids: readonly string[];
  readonly num_traces: number;
  readonly num_spans: number;
}

type StoredRow = IndexedRow & { readonly block: string };

/** Difference between the indexed and the present state of the records that were changed. */
interface Difference {
  readonly taken: readonly RecordMetric[];
  readonly added: readonly RecordMetric[];
}

export class PostgresRecordIndex implements RecordIndex {
  readonly #session: PostgresSession;
  readonly #hours: HourlyRollUp;
  readonly #blocks: WordBlocks;
  readonly #prompts: PromptRollUp;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
    this.#hours = new HourlyRollUp({ session });
    this.#blocks = new WordBlocks({ session });
    this.#prompts = new PromptRollUp({ session });
  }

  advance(limit: number): Promise<number> {
    return this.#session.run(async () => {
      await this.#session.sql(BEGIN);
      const run = await this.#take();
      return run ? this.#fold(run, limit) : 0;
    });
  }

  async #take(): Promise<RunKey | undefined> {
    const [oldest] = await this.#session.sql<RunKey & { readonly held: boolean }>(TAKE_OLDEST);
    if (!oldest || oldest.held) return oldest;
    const [another] = await this.#session.sql<RunKey>(TAKE_ANOTHER);
    return another;
  }

  async backlog(): Promise<number> {
    const [row] = await this.#session.sql<{ total: number }>('select count(*)::int as total from record_changes');
    return row!.total;
  }

  /**
   * One run in a transaction, held first: who deletes it holds it too, so nothing is indexed of a run that is going, and
   * neither waits for the other twice. Takes entries until they are of `limit` records, and at least one.
   */
  async #fold(run: RunKey, limit: number): Promise<number> {
    const { project_id, run_id } = run;
    const [held] = await this.#session.sql<{ is_exported: boolean }>(
      `select ${IS_EXPORTED} from runs where project_id = $1 and id = $2 for key share`,
      [project_id, run_id],
    );
    const changes = await this.#session.sql<Change>(
      `delete from record_changes where project_id = $1 and run_id = $2 and sequence in (
         select sequence from (
           select sequence, sum(size) over (order by sequence) - size as before from (
             select sequence, pg_column_size(record_ids) / 16 as size from record_changes
             where project_id = $1 and run_id = $2 order by sequence limit ${CHANGES_AT_ONCE}
           ) as next
         ) as counted where before < $3
       ) returning record_ids, num_traces, num_spans`,
      [project_id, run_id, limit],
    );
    if (held && changes.length > 0) await this.#index(run, changes, held.is_exported);
    return changes.length;
  }

  async #index(run: RunKey, changes: readonly Change[], isExported: boolean): Promise<void> {
    await this.#count(run, changes);
    const ids = [...new Set(changes.flatMap(({ record_ids }) => record_ids))].sort();
    await this.#noteForRules(run, ids);
    const records = await this.#read(run, ids);
    const before = new Map((await this.#stored(run, ids)).map((row) => [row.record_id, row]));
    await this.#indexNumbers(run, computeDifference([...before.values()], records));
    await this.#prompts.change(
      run,
      [...before.values()],
      records.map(({ row, trace_id }) => ({ ...row, trace_id })),
    );
    await this.#keep(run, records, before);
    await this.#forget(run, new Set(before.keys()).difference(new Set(records.map(({ row }) => row.record_id))));
    const known = [...records.map(({ row }) => row), ...before.values()];
    if (isExported) await noteForExport(this.#session, run, ids, known);
  }

  async #count({ project_id, run_id }: RunKey, changes: readonly Change[]): Promise<void> {
    const sum = (name: 'num_traces' | 'num_spans') => changes.reduce((total, change) => total + change[name], 0);
    await this.#session.sql(
      `insert into run_counts (project_id, run_id, num_traces, num_spans) values ($1, $2, $3, $4)
       on conflict (project_id, run_id) do update
       set num_traces = run_counts.num_traces + excluded.num_traces, num_spans = run_counts.num_spans + excluded.num_spans`,
      [project_id, run_id, sum('num_traces'), sum('num_spans')],
    );
  }

  /** For the rules that fill datasets from the run. They are held, so that nothing is noted for one that is going. */
  async #noteForRules({ project_id, run_id }: RunKey, ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += NOTED_AT_ONCE) {
      const noted = await this.#session.sql(NOTE_FOR_RULES, [project_id, run_id, ids.slice(at, at + NOTED_AT_ONCE)]);
      if (noted.length === 0) return;
    }
  }

  /** The next records are on their way while the words of those that are here are looked for. */
  async #read(run: RunKey, ids: readonly string[]): Promise<IndexedRecord[]> {
    const scores = Map.groupBy(await this.#scores(run, ids), ({ record_id }) => record_id);
    const ratings = Map.groupBy(await this.#ratings(run, ids), ({ record_id }) => record_id);
    const records: IndexedRecord[] = [];
    let next = this.#sources(run, ids.slice(0, READ_AT_ONCE));
    for (let at = READ_AT_ONCE; ; at += READ_AT_ONCE) {
      const sources = await next;
      const isLast = at >= ids.length;
      if (!isLast) next = this.#sources(run, ids.slice(at, at + READ_AT_ONCE));
      for (const source of sources)
        records.push(toIndexedRecord(source, scores.get(source.id) ?? [], ratings.get(source.id) ?? []));
      if (isLast) return records;
    }
  }

  #sources({ project_id, run_id }: RunKey, ids: readonly string[]): Promise<RecordSource[]> {
    return this.#session.sql<RecordSource>(
      `select r.* from unnest($2::uuid[]) as wanted(id) cross join lateral (
         select id, trace_id, type, created_at, status_code, metrics, name, input, output, payload_kinds,
           attributes ->> 'prompt_version_id' as prompt_version_id from records
         where project_id = $1 and id = wanted.id and (run_id = $3) is true offset 0
       ) as r`,
      [project_id, toPlainArray(ids), run_id],
    );
  }

  #scores({ project_id, run_id }: RunKey, ids: readonly string[]): Promise<ScoreSource[]> {
    return this.#session.sql<ScoreSource>(
      `select s.* from unnest($2::uuid[]) as wanted(id) cross join lateral (
         select record_id, metric_name, status_type, value, scored_at, scorer_version_id from scores
         where project_id = $1 and record_id = wanted.id and (run_id = $3) is true offset 0
       ) as s order by s.scored_at, s.scorer_version_id`,
      [project_id, toPlainArray(ids), run_id],
    );
  }

  /** Of ratings those that are numbers, or yes and no. */
  #ratings({ project_id, run_id }: RunKey, ids: readonly string[]): Promise<RatedRow[]> {
    return this.#session.rows(ratedSql({ project_id, run_id }, ids));
  }

  #stored({ project_id, run_id }: RunKey, ids: readonly string[]): Promise<StoredRow[]> {
    return this.#session.sql<StoredRow>(
      `select record_id, type, created_at, is_error, numbers, words, block, prompt_version_id from indexed_records
       where project_id = $1 and record_id = any($2::uuid[]) and (run_id = $3) is true`,
      [project_id, toPlainArray(ids), run_id],
    );
  }

  async #indexNumbers(run: RunKey, { taken, added }: Difference): Promise<void> {
    const [gone, come] = [taken, added].map((numbers) => numbers.filter(({ name }) => !isCounted(name)));
    if (gone!.length > 0)
      await this.#session.sql(
        `delete from record_numbers n using unnest($3::text[], $4::timestamptz[], $5::uuid[]) as gone(name, created_at, record_id)
         where n.project_id = $1 and n.run_id = $2 and n.name = gone.name and n.created_at = gone.created_at and n.record_id = gone.record_id`,
        [run.project_id, run.run_id, ...toKeyColumns(gone!)],
      );
    if (come!.length > 0)
      await this.#session.sql(
        `insert into record_numbers (project_id, run_id, name, created_at, record_id, type, value)
         select $1, $2, * from unnest($3::text[], $4::timestamptz[], $5::uuid[], $6::text[], $7::double precision[]) as row(name, created_at)
         order by name, created_at`,
        [
          run.project_id,
          run.run_id,
          ...toKeyColumns(come!),
          toTextArray(come!.map(({ type }) => type)),
          toPlainArray(come!.map(({ value }) => value)),
        ],
      );
    await this.#hours.change(run, taken, added);
  }

  async #keep(run: RunKey, records: readonly IndexedRecord[], before: ReadonlyMap<string, StoredRow>): Promise<void> {
    const changed = records.filter(({ row }) => before.get(row.record_id)?.words !== row.words);
    const added = await this.#blocks.add(
      run,
      changed.map(({ row }) => row),
    );
    const blocks = new Map(changed.map(({ row }, at) => [row.record_id, added[at]!]));
    const rows = records.map(({ row }) => ({ ...row, block: blocks.get(row.record_id) ?? before.get(row.record_id)!.block }));
    const [fresh, known] = [
      rows.filter(({ record_id }) => !before.has(record_id)),
      rows.filter(({ record_id }) => before.has(record_id)),
    ];
    // Nobody else indexes this run, so there is no conflict to look for.
    await this.#putRows(run, fresh, '');
    await this.#putRows(run, known, REPLACE_ROW);
    const left = changed.map(({ row }) => before.get(row.record_id)?.block).filter((block) => block !== undefined);
    await this.#blocks.dropEmpty(run, [...new Set(left)]);
  }

  async #putRows({ project_id, run_id }: RunKey, rows: readonly StoredRow[], onConflict: string): Promise<void> {
    if (rows.length === 0) return;
    await this.#session.sql(
      `insert into indexed_records (project_id, run_id, record_id, type, created_at, is_error, block, prompt_version_id, numbers, words)
       select $1, $2, * from rows from (unnest($3::uuid[], $4::text[], $5::timestamptz[], $6::boolean[], $7::bigint[], $8::uuid[]), string_to_table($9, E'\\n'), string_to_table($10, E'\\n'))
       ${onConflict}`,
      [
        project_id,
        run_id,
        toPlainArray(rows.map(({ record_id }) => record_id)),
        toTextArray(rows.map(({ type }) => type)),
        toPlainArray(rows.map(({ created_at }) => created_at)),
        toPlainArray(rows.map(({ is_error }) => is_error)),
        toPlainArray(rows.map(({ block }) => block)),
        toPlainArray(rows.map(({ prompt_version_id }) => prompt_version_id ?? 'null')),
        rows.map(({ numbers }) => numbers).join('\n'),
        rows.map(({ words }) => words).join('\n'),
      ],
    );
  }

  async #forget(run: RunKey, ids: ReadonlySet<string>): Promise<void> {
    if (ids.size === 0) return;
    const left = await this.#session.sql<{ block: string }>(
      `delete from indexed_records where project_id = $1 and record_id = any($2::uuid[]) and (run_id = $3) is true returning block`,
      [run.project_id, [...ids], run.run_id],
    );
    await this.#blocks.dropEmpty(run, [...new Set(left.map(({ block }) => block))]);
  }
}

function computeDifference(before: readonly IndexedRow[], now: readonly IndexedRecord[]): Difference {
  const getKey = ({ record_id, name, type, value, created_at }: RecordMetric): string =>
    JSON.stringify([record_id, name, type, value, created_at]);
  if (before.length === 0) return { taken: [], added: now.flatMap(({ numbers }) => numbers) };
  const stored = new Map(before.flatMap(metricsIn).map((number) => [getKey(number), number]));
  const wanted = new Map(now.flatMap(({ numbers }) => numbers).map((number) => [getKey(number), number]));
  return {
    taken: [...stored].filter(([key]) => !wanted.has(key)).map(([, number]) => number),
    added: [...wanted].filter(([key]) => !stored.has(key)).map(([, number]) => number),
  };
}

const toKeyColumns = (metrics: readonly RecordMetric[]): string[] => [
  toTextArray(metrics.map(({ name }) => name)),
  toPlainArray(metrics.map(({ created_at }) => created_at)),
  toPlainArray(metrics.map(({ record_id }) => record_id)),
];
