import { compareText } from '../../../core/kernel/query/sort.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { HourlyMetrics, RecordMetric } from '../../../core/record-index/hourly.ts';
import type { Sketch } from '../../../core/record-index/sketch.ts';
import type { MetricSelection, TrendStore } from '../../../core/trends/trend-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeText, encodeText } from '../database/text-codec.ts';

export class PostgresTrendStore implements TrendStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async hourly(selection: MetricSelection, withSketches: boolean): Promise<HourlyMetrics[]> {
    const rows = await this.#session.sql<Omit<HourlyMetrics, 'count' | 'sketch'> & { count: string; sketch?: Sketch }>(
      `select name, type, hour, count, sum, min, max${withSketches ? ', sketch' : ''} from hourly_numbers
       where project_id = $1 and run_id = $2 and name = any($3::text[]) and ($4::text[] is null or type = any($4))
         and hour >= $5::timestamptz and hour < $6::timestamptz
       order by hour, name collate "C", type collate "C"`,
      getParameters(selection),
    );
    return rows.map((row) => ({
      ...row,
      sketch: row.sketch ?? {},
      name: decodeText(row.name),
      count: Number(row.count),
      hour: new Date(toUtc(row.hour)!).toISOString(),
    }));
  }

  async metrics(selection: MetricSelection, limit: number): Promise<RecordMetric[]> {
    const rows = await this.#session.sql<RecordMetric>(
      `select record_id, name, type, value, created_at from record_numbers
       where project_id = $1 and run_id = $2 and name = any($3::text[]) and ($4::text[] is null or type = any($4))
         and created_at >= $5::timestamptz and created_at < $6::timestamptz
       order by created_at, record_id, name collate "C" limit $7`,
      [...getParameters(selection), limit],
    );
    return rows.map((row) => ({ ...row, name: decodeText(row.name), created_at: toUtc(row.created_at)! }));
  }

  async names(project_id: string, run_id: string): Promise<string[]> {
    const rows = await this.#session.sql<{ name: string }>(
      'select name from hourly_numbers where project_id = $1 and run_id = $2 group by name',
      [project_id, run_id],
    );
    return rows.map(({ name }) => decodeText(name)).sort(compareText);
  }
}

const getParameters = ({ project_id, run_id, names, types, from, to }: MetricSelection): unknown[] => [
  project_id,
  run_id,
  names.map(encodeText),
  types ?? null,
  from,
  to,
];
