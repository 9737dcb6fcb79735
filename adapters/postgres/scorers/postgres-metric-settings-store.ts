import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { MetricSettings } from '../../../core/scores/metric-settings.ts';
import type { MetricSettingsStore } from '../../../core/scores/metric-settings-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';

interface SettingsRow {
  readonly metric_settings: MetricSettings;
}

export class PostgresMetricSettingsStore implements MetricSettingsStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async find(project_id: string, run_id: string): Promise<MetricSettings | undefined> {
    const [row] = await this.#session.sql<SettingsRow>('select metric_settings from runs where project_id = $1 and id = $2', [
      project_id,
      run_id,
    ]);
    return row && (decodeJson(row.metric_settings) as MetricSettings);
  }

  /** The row lock waits for the groups being written under the old revision; only then is the clock read. */
  replace(
    project_id: string,
    run_id: string,
    change: (settings: MetricSettings, now: string) => MetricSettings,
  ): Promise<MetricSettings | undefined> {
    return this.#session.run(async () => {
      const [row] = await this.#session.sql<SettingsRow>(
        'select metric_settings from runs where project_id = $1 and id = $2 for update',
        [project_id, run_id],
      );
      if (!row) return undefined;
      const [clock] = await this.#session.sql<{ now: string }>('select clock_timestamp()::text as now');
      const changed = change(decodeJson(row.metric_settings) as MetricSettings, toUtc(clock!.now)!);
      await this.#session.sql(
        'update runs set metric_settings = $3::jsonb, settings_revision = settings_revision + 1, updated_at = clock_timestamp() where project_id = $1 and id = $2',
        [project_id, run_id, JSON.stringify(encodeJson(changed))],
      );
      return changed;
    });
  }
}
