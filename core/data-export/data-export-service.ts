import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, Transactions } from '../kernel/ports.ts';
import type { ObjectStore } from '../object-storage/object-store.ts';
import { type DataExport, type DataExportUpdate, EXPORT_KINDS } from './data-export.ts';
import type { DataExportStore, StoredExport } from './data-export-store.ts';

export interface DataExportServiceDeps {
  readonly dataExportStore: DataExportStore;
  readonly exportTarget: ObjectStore | undefined;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

const NEVER_SET: StoredExport = {
  is_enabled: false,
  content: EXPORT_KINDS,
  is_unfinished: false,
  num_waiting: 0,
  waiting_since: null,
  num_files: 0,
  num_rows: 0,
  num_bytes: 0,
  last_file: null,
  failure: null,
  failures: 0,
  failing_since: null,
  due_at: '',
};

/** Settings and progress of the export of projects. */
export class DataExportService {
  readonly #deps: DataExportServiceDeps;

  constructor(deps: DataExportServiceDeps) {
    this.#deps = deps;
  }

  async get(caller: Caller, project_id: string): Promise<DataExport> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return this.#show((await this.#deps.dataExportStore.find(project_id)) ?? NEVER_SET);
  }

  /** For owners alone: what is exported leaves the reach of the project's roles. */
  async set(caller: Caller, project_id: string, { is_enabled, content }: DataExportUpdate): Promise<DataExport> {
    const { authorizer, auditTrail, transactions, dataExportStore, exportTarget, clock } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'set_data_export');
    if (is_enabled && !exportTarget)
      throw new AppError('conflict', 'data_export_not_configured', 'this installation has no target of exports');
    const kinds = EXPORT_KINDS.filter((kind) => content.includes(kind));
    await transactions.run(async () => {
      await dataExportStore.set(project_id, { is_enabled, content: kinds }, clock().toISOString());
      const details = { is_enabled, content: kinds.join(', ') };
      await auditTrail.note(caller, { action: 'data_export.set', object_kind: 'project', object_id: project_id, details });
    });
    return this.#show((await dataExportStore.find(project_id)) ?? NEVER_SET);
  }

  #show(stored: StoredExport): DataExport {
    const {
      is_enabled,
      content,
      is_unfinished,
      num_waiting,
      waiting_since,
      failure,
      failures,
      failing_since,
      due_at,
      ...progress
    } = stored;
    const ageMs = waiting_since === null ? 0 : this.#deps.clock().getTime() - Date.parse(waiting_since);
    const isBehind = is_unfinished || num_waiting > 0;
    const isFailing = is_enabled && failure !== null && failing_since !== null;
    return {
      ...progress,
      is_enabled,
      content: [...content],
      target: this.#deps.exportTarget?.location ?? null,
      status: isFailing ? 'failing' : !is_enabled ? 'off' : isBehind ? 'behind' : 'up_to_date',
      lag_seconds: is_enabled && waiting_since !== null ? Math.max(0, ageMs / 1_000) : null,
      num_waiting: is_enabled ? num_waiting : 0,
      failure: isFailing ? { reason: failure, attempts: failures, failing_since, next_attempt_at: due_at } : null,
    };
  }
}
