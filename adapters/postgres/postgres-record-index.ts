import type { JsonObject } from '../../core/kernel/json.ts';
import { toUtc } from '../../core/kernel/timestamp.ts';
import type { Score } from '../../core/scorers/score.ts';
import type { RecordType } from '../../core/traces/record.ts';
import { wordsOf } from '../../core/traces/words.ts';
import { type HourlyNumbers, hourlyOf, joined, keepsExtremes, type RecordNumber, without } from '../../core/trends/hourly.ts';
import type { RecordIndex } from '../../core/trends/record-index.ts';
import { numbersOf } from '../../core/trends/record-numbers.ts';
import type { PostgresSession } from './postgres-session.ts';
import { payloadOf } from './record-row.ts';
import { decodeJson, decodeText, encodeText } from './text-codec.ts';

/** One indexer at a time: it joins hours in memory, and two would overwrite each other's. Any number; the word "indexer". */
const LOCK = '7597137519428265330';

interface Change {
  readonly record_ids: readonly string[];
  readonly num_traces: number;
  readonly num_spans: number;
}

interface Run {
  readonly project_id: string;
  readonly run_id: string;
}

interface IndexedRow {
  readonly id: string;
  readonly type: RecordType;
  readonly created_at: string;
  readonly status_code: number | null;
  readonly metrics: object | null;
  readonly name: string;
  readonly input: string;
  readonly output: string | null;
  readonly payload_kinds: number;
}

interface HourRow extends Omit<HourlyNumbers, 'count'> {
  readonly count: string;
}

export class PostgresRecordIndex implements RecordIndex {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  advance(limit: number): Promise<number> {
    return this.#session.run(async () => {
      const [lock] = await this.#session.sql<{ held: boolean }>('select pg_try_advisory_xact_lock($1::bigint) as held', [LOCK]);
      if (!lock?.held) return 0;
      const [next] = await this.#session.sql<Run>('select project_id, run_id from record_changes order by sequence limit 1');
      return next ? this.#fold(next, limit) : 0;
    });
  }

  async backlog(): Promise<number> {
    const [row] = await this.#session.sql<{ total: number }>('select count(*)::int as total from record_changes');
    return row!.total;
  }

  /**
   * One run in a transaction, held first: who deletes it holds it too, so nothing is indexed of a run that is going, and
   * neither waits for the other twice.
   */
  async #fold(run: Run, limit: number): Promise<number> {
    const { project_id, run_id } = run;
    const held = await this.#session.sql('select from runs where project_id = $1 and id = $2 for key share', [
      project_id,
      run_id,
    ]);
    const changes = await this.#session.sql<Change>(
      `delete from record_changes where project_id = $1 and run_id = $2 and sequence in (
         select sequence from record_changes where project_id = $1 and run_id = $2 order by sequence limit $3
       ) returning record_ids, num_traces, num_spans`,
      [project_id, run_id, limit],
    );
    if (held.length > 0 && changes.length > 0) await this.#index(run, changes);
    return changes.length;
  }

  async #index(run: Run, changes: readonly Change[]): Promise<void> {
    const { project_id, run_id } = run;
    await this.#count(run, changes);
    const ids = [...new Set(changes.flatMap(({ record_ids }) => record_ids))];
    const rows = await this.#session.sql<IndexedRow>(
      `select id, type, created_at, status_code, metrics, name, input, output, payload_kinds from records
       where project_id = $1 and id = any($2::uuid[]) and (run_id = $3) is true`,
      [project_id, ids, run_id],
    );
    await this.#indexWords(run, ids, rows);
    await this.#indexNumbers(run, ids, rows);
  }

  async #count({ project_id, run_id }: Run, changes: readonly Change[]): Promise<void> {
    const sum = (name: 'num_traces' | 'num_spans') => changes.reduce((total, change) => total + change[name], 0);
    await this.#session.sql(
      `insert into run_counts (project_id, run_id, num_traces, num_spans) values ($1, $2, $3, $4)
       on conflict (project_id, run_id) do update
       set num_traces = run_counts.num_traces + excluded.num_traces, num_spans = run_counts.num_spans + excluded.num_spans`,
      [project_id, run_id, sum('num_traces'), sum('num_spans')],
    );
  }

  async #indexWords({ project_id, run_id }: Run, ids: readonly string[], rows: readonly IndexedRow[]): Promise<void> {
    const gone = new Set(ids).difference(new Set(rows.map(({ id }) => id)));
    if (gone.size > 0)
      await this.#session.sql('delete from record_words where project_id = $1 and record_id = any($2::uuid[]) and run_id = $3', [
        project_id,
        [...gone],
        run_id,
      ]);
    const words = rows.map((row) => ({
      record_id: row.id,
      words: wordsOf({ name: decodeText(row.name), input: payloadOf(row, 'input'), output: payloadOf(row, 'output') }),
    }));
    await this.#session.sql(
      `insert into record_words (project_id, record_id, run_id, words)
       select $1, record_id, $2, words from jsonb_to_recordset($3::jsonb) as row(record_id uuid, words text[])
       on conflict (project_id, record_id, run_id) do update set words = excluded.words
       where record_words.words is distinct from excluded.words`,
      [project_id, run_id, JSON.stringify(words)],
    );
  }

  async #indexNumbers(run: Run, ids: readonly string[], rows: readonly IndexedRow[]): Promise<void> {
    const numbers = await this.#numbersOf(run, rows);
    const before = await this.#session.sql<RecordNumber>(
      `delete from record_numbers where project_id = $1 and record_id = any($2::uuid[]) and run_id = $3
       returning record_id, name, type, value, created_at`,
      [run.project_id, ids, run.run_id],
    );
    await this.#session.sql(
      `insert into record_numbers (project_id, run_id, record_id, name, type, value, created_at)
       select $1, $2, * from unnest($3::uuid[], $4::text[], $5::text[], $6::double precision[], $7::timestamptz[])`,
      [
        run.project_id,
        run.run_id,
        numbers.map(({ record_id }) => record_id),
        numbers.map(({ name }) => name),
        numbers.map(({ type }) => type),
        numbers.map(({ value }) => value),
        numbers.map(({ created_at }) => created_at),
      ],
    );
    const inUtc = before.map((number) => ({ ...number, created_at: toUtc(number.created_at)! }));
    await this.#indexHours(run, hourlyOf(inUtc), hourlyOf(numbers));
  }

  async #numbersOf({ project_id, run_id }: Run, rows: readonly IndexedRow[]): Promise<RecordNumber[]> {
    const scores = await this.#session.sql<Score & { readonly value: string | null }>(
      `select record_id, metric_name, status_type, value from scores
       where project_id = $1 and record_id = any($2::uuid[]) and run_id = $3 order by scored_at, scorer_version_id`,
      [project_id, rows.map(({ id }) => id), run_id],
    );
    const byRecord = Map.groupBy(
      scores.map((score) => ({ ...score, value: score.value === null ? null : JSON.parse(score.value) })),
      ({ record_id }) => record_id,
    );
    return rows.flatMap((row) => {
      const metrics = row.metrics === null ? {} : (decodeJson(row.metrics) as JsonObject);
      const record = { ...row, metrics, created_at: toUtc(row.created_at)! };
      return numbersOf(record, byRecord.get(row.id) ?? []).map((number) => ({ ...number, name: encodeText(number.name) }));
    });
  }

  async #indexHours(run: Run, taken: readonly HourlyNumbers[], added: readonly HourlyNumbers[]): Promise<void> {
    const [takenByKey, addedByKey] = [byKey(taken), byKey(added)];
    const stored = byKey(await this.#holdHours(run, [...takenByKey.keys()].concat([...addedByKey.keys()])));
    const left: HourlyNumbers[] = [];
    const emptied: HourlyNumbers[] = [];
    const uncertain: HourlyNumbers[] = [];
    for (const key of new Set([...takenByKey.keys(), ...addedByKey.keys()])) {
      const [before, minus, plus] = [stored.get(key), takenByKey.get(key), addedByKey.get(key)];
      const rest = before && minus ? without(before, minus) : before;
      const now = rest && plus ? joined(rest, plus) : (plus ?? rest);
      if (!now) emptied.push(minus!);
      else (rest && before && minus && !keepsExtremes(before, minus) ? uncertain : left).push(now);
    }
    await this.#putHours(run, [...left, ...(await this.#withExtremes(run, uncertain))]);
    await this.#removeHours(run, emptied);
  }

  async #holdHours({ project_id, run_id }: Run, keys: readonly string[]): Promise<HourlyNumbers[]> {
    const rows = await this.#session.sql<HourRow>(
      `select name, type, hour, count, sum, min, max, sketch from hourly_numbers
       where project_id = $1 and run_id = $2
         and (name, type, hour) in (select * from jsonb_to_recordset($3::jsonb) as key(name text, type text, hour timestamptz))
       for update`,
      [project_id, run_id, JSON.stringify([...new Set(keys)].map(keyOf))],
    );
    return rows.map((row) => ({ ...row, count: Number(row.count), hour: new Date(toUtc(row.hour)!).toISOString() }));
  }

  /** What was taken away may have been the least or the greatest value: both are looked up among those that are left. */
  async #withExtremes({ project_id, run_id }: Run, hours: readonly HourlyNumbers[]): Promise<HourlyNumbers[]> {
    if (hours.length === 0) return [];
    const rows = await this.#session.sql<{ index: number; min: number; max: number }>(
      `select key.index, extremes.min, extremes.max
       from jsonb_to_recordset($3::jsonb) as key(index integer, name text, type text, hour timestamptz)
       cross join lateral (
         select min(n.value), max(n.value) from record_numbers n
         where n.project_id = $1 and n.run_id = $2 and n.name = key.name and n.type = key.type
           and n.created_at >= key.hour and n.created_at < key.hour + interval '1 hour'
       ) as extremes`,
      [project_id, run_id, JSON.stringify(hours.map(({ name, type, hour }, index) => ({ index, name, type, hour })))],
    );
    return rows.map(({ index, min, max }) => ({ ...hours[index]!, min, max }));
  }

  async #putHours({ project_id, run_id }: Run, hours: readonly HourlyNumbers[]): Promise<void> {
    await this.#session.sql(
      `insert into hourly_numbers (project_id, run_id, name, type, hour, count, sum, min, max, sketch)
       select $1, $2, name, type, hour, count, sum, min, max, sketch from jsonb_to_recordset($3::jsonb)
         as row(name text, type text, hour timestamptz, count bigint, sum double precision, min double precision, max double precision, sketch jsonb)
       on conflict (project_id, run_id, name, type, hour) do update set
         count = excluded.count, sum = excluded.sum, min = excluded.min, max = excluded.max, sketch = excluded.sketch`,
      [project_id, run_id, JSON.stringify(hours)],
    );
  }

  async #removeHours({ project_id, run_id }: Run, hours: readonly HourlyNumbers[]): Promise<void> {
    if (hours.length === 0) return;
    await this.#session.sql(
      `delete from hourly_numbers where project_id = $1 and run_id = $2
         and (name, type, hour) in (select * from jsonb_to_recordset($3::jsonb) as key(name text, type text, hour timestamptz))`,
      [project_id, run_id, JSON.stringify(hours.map(({ name, type, hour }) => ({ name, type, hour })))],
    );
  }
}

const byKey = (hours: readonly HourlyNumbers[]): Map<string, HourlyNumbers> =>
  new Map(hours.map((hour) => [JSON.stringify([hour.name, hour.type, Date.parse(hour.hour)]), hour]));

function keyOf(key: string): { name: string; type: string; hour: string } {
  const [name, type, hour] = JSON.parse(key) as [string, string, number];
  return { name, type, hour: new Date(hour).toISOString() };
}
