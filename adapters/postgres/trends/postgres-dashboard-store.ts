import type { StoredDashboard } from '../../../core/trends/dashboard.ts';
import type { DashboardStore } from '../../../core/trends/dashboard-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';

interface Row {
  readonly dashboard: StoredDashboard;
}

export class PostgresDashboardStore implements DashboardStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async find(project_id: string, run_id: string): Promise<StoredDashboard | undefined> {
    const [row] = await this.#session.sql<Row>('select dashboard from trend_dashboards where project_id = $1 and run_id = $2', [
      project_id,
      run_id,
    ]);
    return row && (decodeJson(row.dashboard) as StoredDashboard);
  }

  /** By an index of all that dashboards contain. */
  async holdsSection(section_id: string): Promise<boolean> {
    const part = JSON.stringify(encodeJson({ sections: [{ id: section_id }] }));
    const found = await this.#session.sql('select from trend_dashboards where dashboard @> $1::jsonb limit 1', [part]);
    return found.length > 0;
  }

  /**
   * Changes wait for each other at the row of the dashboard, which is put there empty before the first one. The run is held
   * so that it cannot go meanwhile; who writes records to it does not wait.
   */
  change(
    project_id: string,
    run_id: string,
    change: (before: StoredDashboard | undefined) => StoredDashboard,
  ): Promise<StoredDashboard | undefined> {
    const key = [project_id, run_id];
    return this.#session.run(async () => {
      const run = await this.#session.sql('select from runs where project_id = $1 and id = $2 for key share', key);
      if (run.length === 0) return undefined;
      await this.#session.sql(
        `insert into trend_dashboards (project_id, run_id, dashboard) values ($1, $2, '{}') on conflict do nothing`,
        key,
      );
      const [row] = await this.#session.sql<{ dashboard: StoredDashboard | Record<string, never> }>(
        'select dashboard from trend_dashboards where project_id = $1 and run_id = $2 for update',
        key,
      );
      const before = row && 'sections' in row.dashboard ? (decodeJson(row.dashboard) as StoredDashboard) : undefined;
      const changed = change(before);
      await this.#session.sql('update trend_dashboards set dashboard = $3::jsonb where project_id = $1 and run_id = $2', [
        ...key,
        JSON.stringify(encodeJson(changed)),
      ]);
      return changed;
    });
  }
}
