import type { SpanLog } from '../../../core/otel/logs/span-log.ts';
import type { SpanLogSize, SpanLogStore } from '../../../core/otel/logs/span-log-store.ts';
import { toPlainArray } from '../database/array-text.ts';
import { BatchedLookup } from '../database/batched-lookup.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeText, encodeText } from '../database/text-codec.ts';

/** `$1` project, `$2` run, `$3` rows as JSON, `$4` when they came. */
const INSERT = `
insert into span_logs (project_id, run_id, span_id, id, place, log, size, received_at)
select $1, $2, (log ->> 'span_id')::uuid, (log ->> 'id')::uuid, log ->> 'place', log ->> 'log', (log ->> 'size')::int, $4
from jsonb_array_elements($3::jsonb) log
where exists (select from runs where project_id = $1 and id = $2)
order by 3, 4
on conflict do nothing`;

/** `$3` spans. */
const OF_SPANS = 'project_id = $1 and run_id = $2 and span_id = any($3::uuid[])';
const LIST = `select span_id, log from span_logs where ${OF_SPANS} order by span_id, place collate "C", id`;
const SIZE = `
select span_id, count(*)::int as logs, sum(size)::int as characters from span_logs l
where l.project_id = wanted.project_id and l.run_id = wanted.run_id and l.span_id = wanted.id group by span_id`;

/** `$1` a time, `$2` how many. */
const REMOVE = `
with old as materialized (
  select project_id, run_id, span_id, id from span_logs where received_at < $1 order by received_at limit $2
  for update skip locked
), gone as (
  delete from span_logs s using old
  where (s.project_id, s.run_id, s.span_id, s.id) = (old.project_id, old.run_id, old.span_id, old.id) returning 1
)
select count(*)::int as removed from gone`;

export class PostgresSpanLogStore implements SpanLogStore {
  readonly #session: PostgresSession;
  readonly #sizes: BatchedLookup<SpanLogSize & { span_id: string }>;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
    this.#sizes = new BatchedLookup(session, SIZE);
  }

  async insert(project_id: string, run_id: string, logs: readonly SpanLog[], received_at: string): Promise<void> {
    const rows = logs.map((log) => {
      const json = JSON.stringify(log);
      return { span_id: log.span_id, id: log.id, place: log.place, log: encodeText(json), size: json.length };
    });
    await this.#session.sql(INSERT, [project_id, run_id, JSON.stringify(rows), received_at]);
  }

  async list(project_id: string, run_id: string, span_ids: readonly string[]): Promise<Map<string, SpanLog[]>> {
    const rows = await this.#session.sql<{ span_id: string; log: string }>(LIST, [project_id, run_id, toPlainArray(span_ids)]);
    const logs = rows.map(({ log }) => JSON.parse(decodeText(log)) as SpanLog);
    return Map.groupBy(logs, ({ span_id }) => span_id);
  }

  async sizes(project_id: string, run_id: string, span_ids: readonly string[]): Promise<Map<string, SpanLogSize>> {
    const rows = await this.#sizes.find(project_id, run_id, span_ids);
    return new Map(rows.map(({ span_id, logs, characters }) => [span_id, { logs, characters }]));
  }

  async removeReceivedBefore(time: string, limit: number): Promise<number> {
    const [row] = await this.#session.sql<{ removed: number }>(REMOVE, [time, limit]);
    return row!.removed;
  }
}
