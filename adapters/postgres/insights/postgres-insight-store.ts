import { type Finding, type Insight, type InsightStatus, PRIORITIES } from '../../../core/insights/insight.ts';
import type { InsightStore } from '../../../core/insights/insight-store.ts';
import type { StoredInsightsSettings } from '../../../core/insights/insights-settings.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson, encodeText } from '../database/text-codec.ts';

interface Row {
  readonly id: string;
  readonly run_id: string;
  readonly status: InsightStatus;
  readonly last_seen_at: string;
  readonly insight: Omit<Insight, 'id' | 'run_id' | 'status' | 'last_seen_at'>;
}

const INSIGHT = 'id, run_id, status, last_seen_at, insight';

export class PostgresInsightStore implements InsightStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async findSettings(project_id: string, run_id: string): Promise<StoredInsightsSettings | undefined> {
    const [row] = await this.#session.sql<StoredInsightsSettings>(
      'select enabled, start_time from insights_settings where project_id = $1 and run_id = $2',
      [project_id, run_id],
    );
    return row && { ...row, start_time: row.start_time && toUtc(row.start_time)! };
  }

  async setSettings(project_id: string, run_id: string, { enabled, start_time }: StoredInsightsSettings): Promise<void> {
    await this.#session.sql(
      `insert into insights_settings (project_id, run_id, enabled, start_time) values ($1, $2, $3, $4)
       on conflict (project_id, run_id) do update set enabled = excluded.enabled, start_time = excluded.start_time`,
      [project_id, run_id, enabled, start_time],
    );
  }

  async record(project_id: string, run_id: string, id: string, { key, ...finding }: Finding, now: string): Promise<void> {
    const insight = { ...finding, priority: PRIORITIES[finding.priority_category], first_seen_at: now };
    await this.#session.sql(
      `insert into insights (project_id, run_id, id, key, status, last_seen_at, insight)
       select $1, $2, $3, $4, 'open', $5, $6::jsonb from runs where project_id = $1 and id = $2
       on conflict (project_id, run_id, key) do update set last_seen_at = excluded.last_seen_at,
         insight = excluded.insight || jsonb_build_object('first_seen_at', insights.insight -> 'first_seen_at')`,
      [project_id, run_id, id, encodeText(key), now, JSON.stringify(encodeJson(insight))],
    );
  }

  async find(project_id: string, run_id: string, id: string): Promise<Insight | undefined> {
    const rows = await this.#session.sql<Row>(
      `select ${INSIGHT} from insights where project_id = $1 and run_id = $2 and id = $3`,
      [project_id, run_id, id],
    );
    return rows.map(toInsight)[0];
  }

  async list(
    project_id: string,
    run_id: string,
    status: InsightStatus | undefined,
    { offset, limit }: Slice,
  ): Promise<Insight[]> {
    const rows = await this.#session.sql<Row>(
      `select ${INSIGHT} from insights where project_id = $1 and run_id = $2 and ($3::text is null or status = $3)
       order by (insight ->> 'priority')::int, last_seen_at desc, id limit $4 offset $5`,
      [project_id, run_id, status ?? null, limit, offset],
    );
    return rows.map(toInsight);
  }

  async setStatus(project_id: string, run_id: string, id: string, status: InsightStatus): Promise<Insight | undefined> {
    const rows = await this.#session.sql<Row>(
      `update insights set status = $4 where project_id = $1 and run_id = $2 and id = $3 returning ${INSIGHT}`,
      [project_id, run_id, id, status],
    );
    return rows.map(toInsight)[0];
  }
}

const toInsight = ({ insight, last_seen_at, ...facts }: Row): Insight => ({
  ...(decodeJson(insight) as Row['insight']),
  ...facts,
  last_seen_at: toUtc(last_seen_at)!,
});
