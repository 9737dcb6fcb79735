import type { MaskingCount, MaskingDays, MaskingRule } from '../../../core/masking/masking-rule.ts';
import type { MaskingStore, MaskingTally } from '../../../core/masking/masking-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, decodeText, encodeJson, encodeText } from '../database/text-codec.ts';

export class PostgresMaskingStore implements MaskingStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async list(project_id: string): Promise<MaskingRule[]> {
    const [row] = await this.#session.sql<{ rules: unknown }>('select rules from masking_rules where project_id = $1', [
      project_id,
    ]);
    return row ? (decodeJson(row.rules) as MaskingRule[]) : [];
  }

  async replace(project_id: string, rules: readonly MaskingRule[]): Promise<void> {
    await this.#session.sql(
      `insert into masking_rules (project_id, rules) values ($1, $2::jsonb)
       on conflict (project_id) do update set rules = excluded.rules`,
      [project_id, JSON.stringify(encodeJson(rules))],
    );
  }

  async addCounts(project_id: string, day: string, masked: MaskingTally): Promise<void> {
    // In one order, so that two that add to the same rules do not wait for each other.
    const sorted = [...masked].sort(([a], [b]) => (a < b ? -1 : 1));
    await this.#session.sql(
      `insert into masking_counts (project_id, day, rule, masked)
       select $1, $2::date, rule, masked from unnest($3::text[], $4::bigint[]) as added(rule, masked)
       on conflict (project_id, day, rule) do update set masked = masking_counts.masked + excluded.masked`,
      [project_id, day, sorted.map(([rule]) => encodeText(rule)), sorted.map(([, count]) => count)],
    );
  }

  async listCounts(project_id: string, { from, until }: MaskingDays): Promise<MaskingCount[]> {
    const rows = await this.#session.sql<{ rule: string; day: string; masked: string }>(
      `select rule, to_char(day, 'YYYY-MM-DD') as day, masked::text as masked from masking_counts
       where project_id = $1 and day >= coalesce($2::date, '-infinity') and day <= coalesce($3::date, 'infinity')
       order by masking_counts.day, rule collate "C"`,
      [project_id, from ?? null, until ?? null],
    );
    return rows.map(({ rule, day, masked }) => ({ rule: decodeText(rule), day, masked: Number(masked) }));
  }
}
