import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PromptUsageSelection, PromptUsageStore, PromptUsageSum } from '../../../core/prompts/prompt-usage-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeText } from '../database/text-codec.ts';
import type { PromptHours } from './prompt-hours.ts';

export class PostgresPromptUsageStore implements PromptUsageStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  sum(selection: PromptUsageSelection, limit: number): Promise<PromptUsageSum[]> {
    return this.#sum('prompt_hours', selection, limit);
  }

  sumTraces(selection: PromptUsageSelection, limit: number): Promise<PromptUsageSum[]> {
    return this.#sum('prompt_trace_hours', selection, limit);
  }

  async #sum(table: PromptHours, selection: PromptUsageSelection, limit: number): Promise<PromptUsageSum[]> {
    const { project_id, prompt_version_ids, from, to, bucket_hours = null } = selection;
    const rows = await this.#session.sql<Omit<PromptUsageSum, 'count'> & { readonly count: string }>(
      `select h.prompt_version_id, bucket.at, h.name, sum(h.count)::text as count, sum(h.sum) as sum
       from unnest($2::uuid[]) as wanted(id)
       join ${table} h on h.project_id = $1 and h.prompt_version_id = wanted.id
         and h.hour >= $3::timestamptz and h.hour < $4::timestamptz
       cross join lateral (select case when $5::int is not null
         then date_bin(make_interval(hours => $5::int), h.hour, timestamptz 'epoch') end as at) as bucket
       group by h.prompt_version_id, bucket.at, h.name order by h.prompt_version_id, bucket.at, h.name collate "C" limit $6`,
      [project_id, [...new Set(prompt_version_ids)], from, to, bucket_hours, limit],
    );
    return rows.map((row) => ({
      ...row,
      at: row.at === null ? null : new Date(toUtc(row.at)!).toISOString(),
      name: decodeText(row.name),
      count: Number(row.count),
    }));
  }
}
