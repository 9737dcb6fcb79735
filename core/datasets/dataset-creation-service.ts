import type { AccessStore } from '../access/access-store.ts';
import type { AuditEvent } from '../access/audit/audit.ts';
import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { CollaboratorStore } from '../access/groups/collaborator-store.ts';
import { takeFreeName } from '../kernel/free-name.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { type Dataset, datasetEvent, datasetExists, datasetNotFound, type NewDataset } from './dataset.ts';
import type { DatasetContentStore } from './dataset-content-store.ts';
import type { DatasetStore } from './dataset-store.ts';
import { DatasetViews } from './dataset-views.ts';
import { NextVersion } from './next-version.ts';
import type { RowSource } from './row.ts';
import { toRowSource } from './stored-rows.ts';
import { versionNotFound } from './version.ts';
import { writeRows } from './write-rows.ts';

export interface DatasetCreationDeps {
  readonly datasetStore: DatasetStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly accessStore: AccessStore;
  readonly collaboratorStore: CollaboratorStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly datasetBlockSize: number;
}

/** A version of another dataset, the current one without an index. */
export interface CopiedVersion {
  readonly dataset_id: string;
  readonly version_index: number | null;
}

/** Makes datasets, of rows from wherever they come. */
export class DatasetCreationService {
  readonly #deps: DatasetCreationDeps;
  readonly #views: DatasetViews;

  constructor(deps: DatasetCreationDeps) {
    this.#deps = deps;
    this.#views = new DatasetViews(deps);
  }

  /**
   * Rejects with `forbidden`, `not_found` of the project or `conflict` of the name before the first row is read; whatever
   * goes wrong while rows are read leaves nothing.
   */
  async create(caller: Caller, wanted: NewDataset, rows: RowSource): Promise<Dataset> {
    await this.refuseCreation(caller, wanted);
    return this.#create(caller, wanted, rows, {});
  }

  /** Checks a creation before its rows are read, for whoever has work to do before there are any. */
  async refuseCreation(caller: Caller, { name, append_suffix_if_duplicate, project_id }: NewDataset): Promise<void> {
    const { authorizer, datasetStore } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'create_object');
    if (project_id !== null) await authorizer.authorize(caller, 'project', project_id, 'update');
    if (!append_suffix_if_duplicate && (await datasetStore.takenNames([name])).length > 0) throw datasetExists();
  }

  async copy(caller: Caller, wanted: NewDataset, { dataset_id, version_index }: CopiedVersion): Promise<Dataset> {
    const { authorizer, datasetContentStore } = this.#deps;
    await this.refuseCreation(caller, wanted);
    await authorizer.authorize(caller, 'dataset', dataset_id, 'export');
    const version = await datasetContentStore.findVersion(dataset_id, version_index ?? undefined);
    if (!version) throw version_index === null ? datasetNotFound(dataset_id) : versionNotFound(version_index);
    const blocks = await datasetContentStore.listBlocks(dataset_id, version.version_index);
    const details = { from: dataset_id, from_version: version.version_index };
    return this.#create(caller, wanted, toRowSource(datasetContentStore, version, blocks), details);
  }

  async #create(caller: Caller, wanted: NewDataset, rows: RowSource, details: AuditEvent['details']): Promise<Dataset> {
    const { datasetStore, datasetContentStore, collaboratorStore, auditTrail, transactions, newId, datasetBlockSize } =
      this.#deps;
    const { draft, hidden, project_id } = wanted;
    const id = newId();
    const at = this.#deps.clock().toISOString();
    const by = { user_id: caller.user_id, at, newId, blockSize: datasetBlockSize };
    await transactions.run(async () => {
      await datasetContentStore.exclusively(id, async () => {
        // Before its rows: they are masked by the rules of the projects that use the dataset.
        if (project_id !== null) await datasetStore.use({ dataset_id: id, project_id }, at);
        const first = new NextVersion(datasetContentStore, id, undefined, by);
        await writeRows(first, rows, newId);
        await first.finish();
        // Rows first: a name that was taken meanwhile is refused, and nobody waits for it while they are read.
        const facts = { id, draft, hidden, created_by: caller.user_id, created_at: at };
        const name = await takeFreeName(datasetStore, wanted.name, wanted.append_suffix_if_duplicate, (free) =>
          datasetStore.insert({ ...facts, name: free }),
        );
        const owner = { id: newId(), user_id: caller.user_id, role: 'owner', created_at: at } as const;
        await collaboratorStore.putUsers({ kind: 'dataset', id }, [owner]);
        await auditTrail.note(caller, datasetEvent('create', id, { name, owner: caller.user_id, ...details }));
      });
    });
    const dataset = await datasetStore.find(id);
    return this.#views.one(caller, dataset!, 'owner');
  }
}
