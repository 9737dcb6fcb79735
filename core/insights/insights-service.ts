import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, Transactions } from '../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import { requireRun } from '../projects/known-run.ts';
import type { RunDirectory } from '../projects/run-context.ts';
import type { WorkList } from '../trends/work-list.ts';
import type { Insight, InsightStatus, InsightUpdate } from './insight.ts';
import type { InsightStore } from './insight-store.ts';
import {
  type InsightsSettings,
  type InsightsSettingsUpdate,
  NOT_ENABLED,
  type StoredInsightsSettings,
} from './insights-settings.ts';

export interface InsightsDeps {
  readonly insightStore: InsightStore;
  readonly workList: WorkList;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

/** Of which run a request is. */
export interface RunPath {
  readonly project_id: string;
  readonly run_id: string;
}

/** Whether a run is looked at for insights, and what was found. */
export class InsightsService {
  readonly #deps: InsightsDeps;

  constructor(deps: InsightsDeps) {
    this.#deps = deps;
  }

  async getSettings(caller: Caller, run: RunPath): Promise<InsightsSettings> {
    await this.#authorize(caller, run, 'read');
    return settingsView(run, await this.#settings(run));
  }

  /** The first look comes at once. */
  async updateSettings(caller: Caller, run: RunPath, { insights }: InsightsSettingsUpdate): Promise<InsightsSettings> {
    await this.#authorize(caller, run, 'update');
    const { insightStore, workList, auditTrail, transactions, clock } = this.#deps;
    const { project_id, run_id } = run;
    const before = await this.#settings(run);
    const enabled = insights?.logstream?.enabled ?? before.enabled;
    const now = clock().toISOString();
    const settings = { enabled, start_time: before.start_time ?? (enabled ? now : null) };
    const work = { kind: 'insights', project_id, id: run_id } as const;
    const details = { run_id, enabled };
    await transactions.run(async () => {
      await insightStore.setSettings(project_id, run_id, settings);
      await (enabled ? workList.put(work, now) : workList.remove(work));
      await auditTrail.note(caller, {
        action: 'insights_settings.update',
        object_kind: 'project',
        object_id: project_id,
        details,
      });
    });
    return settingsView(run, settings);
  }

  async listInsights(
    caller: Caller,
    run: RunPath,
    { status, ...page }: PageRequest & { readonly status?: InsightStatus | undefined },
  ): Promise<PageFields & { insights: Insight[] }> {
    await this.#authorize(caller, run, 'read');
    const found = await this.#deps.insightStore.list(run.project_id, run.run_id, status, sliceFor(page));
    const { items, page: fields } = toPage(found, page);
    return { ...fields, insights: items };
  }

  async updateInsight(caller: Caller, run: RunPath, id: string, { status }: InsightUpdate): Promise<Insight> {
    await this.#authorize(caller, run, 'dismiss_alert');
    const insight = await this.#deps.insightStore.setStatus(run.project_id, run.run_id, id, status);
    if (!insight) throw new AppError('not_found', 'insight_not_found', `insight ${id} does not exist`);
    return insight;
  }

  async #settings({ project_id, run_id }: RunPath): Promise<StoredInsightsSettings> {
    return (await this.#deps.insightStore.findSettings(project_id, run_id)) ?? NOT_ENABLED;
  }

  async #authorize(caller: Caller, { project_id, run_id }: RunPath, action: 'read' | 'update' | 'dismiss_alert'): Promise<void> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, action);
    await requireRun(this.#deps.runDirectory, project_id, run_id, true);
  }
}

const settingsView = ({ run_id }: RunPath, { enabled, start_time }: StoredInsightsSettings): InsightsSettings => ({
  run_id,
  insights: { logstream: { enabled, start_time } },
});
