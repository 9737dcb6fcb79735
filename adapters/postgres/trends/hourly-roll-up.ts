import { toUtc } from '../../../core/kernel/timestamp.ts';
import {
  groupByHour,
  type HourlyMetrics,
  joined,
  keepsExtremes,
  type RecordMetric,
  without,
} from '../../../core/record-index/hourly.ts';
import { isCounted } from '../../../core/record-index/record-metrics.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import type { RunKey } from '../record-index/record-index-rows.ts';

interface HourRow extends Omit<HourlyMetrics, 'count'> {
  readonly count: string;
}

/** The numbers of a run by the hour. To be used inside a transaction that holds the indexer's lock. */
export class HourlyRollUp {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  /** Takes numbers away and adds others, after `record_numbers` was changed likewise. */
  async change(run: RunKey, taken: readonly RecordMetric[], added: readonly RecordMetric[]): Promise<void> {
    const [takenByKey, addedByKey] = [byKey(groupByHour(taken)), byKey(groupByHour(added))];
    const keys = new Set([...takenByKey.keys(), ...addedByKey.keys()]);
    if (keys.size === 0) return;
    const stored = byKey(await this.#hold(run, keys));
    const left: HourlyMetrics[] = [];
    const emptied: HourlyMetrics[] = [];
    const uncertain: HourlyMetrics[] = [];
    for (const key of keys) {
      const [before, minus, plus] = [stored.get(key), takenByKey.get(key), addedByKey.get(key)];
      const rest = before && minus ? without(before, minus) : before;
      const now = rest && plus ? joined(rest, plus) : (plus ?? rest);
      if (!now) emptied.push(minus!);
      else (rest && before && minus && !keepsExtremes(before, minus) ? uncertain : left).push(now);
    }
    const [counted, measured] = [
      uncertain.filter(({ name }) => isCounted(name)),
      uncertain.filter(({ name }) => !isCounted(name)),
    ];
    await this.#put(run, [...left, ...counted.map(withCountedExtremes), ...(await this.#withExtremes(run, measured))]);
    await this.#remove(run, emptied);
  }

  async #hold({ project_id, run_id }: RunKey, keys: ReadonlySet<string>): Promise<HourlyMetrics[]> {
    const rows = await this.#session.sql<HourRow>(
      `select h.name, h.type, h.hour, h.count, h.sum, h.min, h.max, h.sketch
       from jsonb_to_recordset($3::jsonb) as key(name text, type text, hour timestamptz)
       cross join lateral (
         select * from hourly_numbers
         where project_id = $1 and run_id = $2 and name = key.name and type = key.type and hour = key.hour offset 0
       ) as h`,
      [project_id, run_id, JSON.stringify([...keys].map(getKey))],
    );
    return rows.map((row) => ({ ...row, count: Number(row.count), hour: new Date(toUtc(row.hour)!).toISOString() }));
  }

  /**
   * Finds new extremes. A value that was taken away may have been the least or the greatest: both are looked up among
   * those that are left.
   */
  async #withExtremes({ project_id, run_id }: RunKey, hours: readonly HourlyMetrics[]): Promise<HourlyMetrics[]> {
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

  async #put({ project_id, run_id }: RunKey, hours: readonly HourlyMetrics[]): Promise<void> {
    await this.#session.sql(
      `insert into hourly_numbers (project_id, run_id, name, type, hour, count, sum, min, max, sketch)
       select $1, $2, name, type, hour, count, sum, min, max, sketch from jsonb_to_recordset($3::jsonb)
         as row(name text, type text, hour timestamptz, count bigint, sum double precision, min double precision, max double precision, sketch jsonb)
       on conflict (project_id, run_id, name, type, hour) do update set
         count = excluded.count, sum = excluded.sum, min = excluded.min, max = excluded.max, sketch = excluded.sketch`,
      [project_id, run_id, JSON.stringify(hours)],
    );
  }

  async #remove({ project_id, run_id }: RunKey, hours: readonly HourlyMetrics[]): Promise<void> {
    if (hours.length === 0) return;
    await this.#session.sql(
      `delete from hourly_numbers h using jsonb_to_recordset($3::jsonb) as key(name text, type text, hour timestamptz)
       where h.project_id = $1 and h.run_id = $2 and h.name = key.name and h.type = key.type and h.hour = key.hour`,
      [project_id, run_id, JSON.stringify(hours.map(({ name, type, hour }) => ({ name, type, hour })))],
    );
  }
}

/** Counted numbers are 0 or 1, so their sum says which of the two there are. */
const withCountedExtremes = (hour: HourlyMetrics): HourlyMetrics => ({
  ...hour,
  min: hour.sum === hour.count ? 1 : 0,
  max: hour.sum > 0 ? 1 : 0,
});

const byKey = (hours: readonly HourlyMetrics[]): Map<string, HourlyMetrics> =>
  new Map(hours.map((hour) => [JSON.stringify([hour.name, hour.type, Date.parse(hour.hour)]), hour]));

function getKey(key: string): { name: string; type: string; hour: string } {
  const [name, type, hour] = JSON.parse(key) as [string, string, number];
  return { name, type, hour: new Date(hour).toISOString() };
}
