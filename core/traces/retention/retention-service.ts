import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Clock, Log, Transactions } from '../../kernel/ports.ts';
import type { ProjectStore } from '../../projects/project-store.ts';
import { NEWEST_RUNS_FIRST } from '../../projects/run.ts';
import type { RecordScan } from '../read/record-scan.ts';
import type { RecordSelection } from '../record-query.ts';
import { addRemovalCounts, NOTHING_REMOVED, type RecordRemoval, type RemovalCounts } from './record-removal.ts';
import { computeCutoff, type Retention, type RetentionPreview, type RetentionRule, type RetentionUpdate } from './retention.ts';
import type { RetentionStore } from './retention-store.ts';

/** Numbers that are kept of a run beside its records, by the hour. */
interface ExpiringHours {
  removeHoursBefore(project_id: string, run_id: string, time: string): Promise<void>;
}

/** Traces of a log stream that are too old: those that began before a time. */
type Overdue = RecordSelection & { readonly before: string };

export interface RetentionDeps {
  readonly retentionStore: RetentionStore;
  readonly recordScan: RecordScan;
  readonly recordRemoval: RecordRemoval;
  readonly metricSeriesStore: ExpiringHours;
  readonly projectStore: ProjectStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly log: Log;
}

const TRACES_AT_ONCE = 200;
/** Of one pass: some seconds of work. */
const MAX_TRACES = 4_000;
const KIND = 'log_stream';

/** Removing what has been kept long enough. */
export class RetentionService {
  readonly #deps: RetentionDeps;

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
  }

  async get(caller: Caller, project_id: string, log_stream_id: string | null): Promise<Retention> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    await this.#authorizeRun(project_id, log_stream_id);
    return this.#shown(project_id, log_stream_id);
  }

  async set(caller: Caller, project_id: string, log_stream_id: string | null, { days }: RetentionUpdate): Promise<Retention> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'delete_data');
    await this.#authorizeRun(project_id, log_stream_id);
    const event = { action: 'retention.set', object_kind: 'project', object_id: project_id, details: { log_stream_id, days } };
    await this.#deps.transactions.run(async () => {
      await this.#deps.retentionStore.setRule(project_id, log_stream_id, days);
      await this.#deps.auditTrail.note(caller, event);
    });
    return this.#shown(project_id, log_stream_id);
  }

  /** Counts the records that the next pass would remove, if it came now. */
  async preview(caller: Caller, project_id: string, log_stream_id: string | null): Promise<RetentionPreview> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    await this.#authorizeRun(project_id, log_stream_id);
    const { selections } = await this.#overdue(project_id);
    const asked = selections.filter(({ run_id }) => log_stream_id === null || run_id === log_stream_id);
    let counts: RetentionPreview = NOTHING_REMOVED;
    for (const selection of asked) counts = addRemovalCounts(counts, await this.#deps.retentionStore.preview(selection));
    return counts;
  }

  /**
   * One pass over all projects, which ends with `more` once it has removed `limit` traces. What fails in one project is
   * told to the log and does not keep the others waiting.
   */
  async run(limit = MAX_TRACES): Promise<RemovalCounts & { readonly more: boolean }> {
    let counts = NOTHING_REMOVED;
    for (const project_id of await this.#deps.retentionStore.listProjects()) {
      try {
        counts = addRemovalCounts(counts, await this.#runProject(project_id, limit - counts.traces));
      } catch (error) {
        this.#deps.log.error('retention failed', { project_id, error: error instanceof Error ? error.message : String(error) });
      }
      if (counts.traces >= limit) return { ...counts, more: true };
    }
    return { ...counts, more: false };
  }

  async #runProject(project_id: string, limit: number): Promise<RemovalCounts> {
    const { selections, orphans } = await this.#overdue(project_id);
    for (const { run_id } of orphans) await this.#deps.retentionStore.setRule(project_id, run_id, null);
    let counts = NOTHING_REMOVED;
    for (const selection of selections) {
      await this.#deps.metricSeriesStore.removeHoursBefore(project_id, selection.run_id, selection.before);
      counts = addRemovalCounts(counts, await this.#removeSome(selection, limit - counts.traces));
      if (counts.traces >= limit) break;
    }
    return counts;
  }

  async #removeSome(selection: RecordSelection, limit: number): Promise<RemovalCounts> {
    const { project_id, run_id } = selection;
    let counts = NOTHING_REMOVED;
    try {
      for await (const keys of this.#deps.recordScan.keys(selection, Math.min(limit, TRACES_AT_ONCE))) {
        const ids = keys.map(({ id }) => id);
        counts = addRemovalCounts(counts, await this.#deps.recordRemoval.removeTraces(project_id, run_id, ids));
        if (counts.traces >= limit) break;
      }
    } finally {
      if (counts.traces + counts.spans > 0) await this.#note(selection, counts);
    }
    return counts;
  }

  async #note({ project_id, run_id }: RecordSelection, counts: RemovalCounts): Promise<void> {
    const event = { action: 'records.expire', object_kind: 'project', object_id: project_id };
    this.#deps.log.info('records expired', { project_id, run_id, ...counts });
    await this.#deps.transactions.run(() =>
      this.#deps.auditTrail.noteUnknown(undefined, { ...event, details: { run_id, ...counts } }),
    );
  }

  /** The traces that are too old, by log stream, and rules of what is not there any more. */
  async #overdue(project_id: string): Promise<{ selections: Overdue[]; orphans: RetentionRule[] }> {
    const rules = await this.#deps.retentionStore.listRules(project_id);
    const runs = await this.#deps.projectStore.listRuns(project_id, KIND, [], NEWEST_RUNS_FIRST);
    const isGone = runs.length === 0 && !(await this.#deps.projectStore.findProject(project_id));
    const known = new Set(runs.map(({ id }) => id));
    const now = this.#deps.clock();
    const selections = runs.flatMap(({ id: run_id }): Overdue[] => {
      const days = computeDays(rules, run_id);
      if (days === null) return [];
      const value = computeCutoff(days, now);
      const where = { filter: { type: 'date', column_id: 'created_at', operator: 'lt', value } } as const;
      return [{ project_id, run_id, level: 'trace', where, before: value }];
    });
    return { selections, orphans: rules.filter(({ run_id }) => (run_id === null ? isGone : !known.has(run_id))) };
  }

  async #shown(project_id: string, log_stream_id: string | null): Promise<Retention> {
    const rules = await this.#deps.retentionStore.listRules(project_id);
    const days = rules.find(({ run_id }) => run_id === log_stream_id)?.days ?? null;
    return { project_id, log_stream_id, days, effective_days: computeDays(rules, log_stream_id) };
  }

  async #authorizeRun(project_id: string, id: string | null): Promise<void> {
    if (id === null || (await this.#deps.projectStore.findRun(project_id, KIND, id))) return;
    throw new AppError('not_found', 'log_stream_not_found', `log stream ${id} does not exist`);
  }
}

const computeDays = (rules: readonly RetentionRule[], id: string | null): number | null =>
  (rules.find(({ run_id }) => run_id === id) ?? rules.find(({ run_id }) => run_id === null))?.days ?? null;
