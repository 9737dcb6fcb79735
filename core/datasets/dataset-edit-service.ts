import type { AuditEvent } from '../access/audit/audit.ts';
import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, NewId } from '../kernel/ports.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import { datasetNotFound } from './dataset.ts';
import type { DatasetContentStore } from './dataset-content-store.ts';
import type { ContentEdit, ContentEdits, ContentReplacement } from './edit.ts';
import { applyRows, planRows, positionsFor } from './edit-plan.ts';
import { refuseLosing, type State } from './newer-edits.ts';
import { NextVersion } from './next-version.ts';
import { rowsOfRecords } from './record-rows.ts';
import { toRowSource } from './stored-rows.ts';
import { type StoredVersion, type VersionHead, versionNotFound } from './version.ts';
import { writeRows } from './write-rows.ts';

export interface EditDeps {
  readonly datasetContentStore: DatasetContentStore;
  readonly traceStore: Pick<TraceStore, 'findAll'>;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly datasetBlockSize: number;
}

/** Ids of versions that the caller accepts as the current one; undefined accepts every one. */
export type Expected = readonly string[] | undefined;

/** Changes the content of datasets. One request makes one version, and nobody else's edits get lost in it. */
export class DatasetEditService {
  readonly #deps: EditDeps;

  constructor(deps: EditDeps) {
    this.#deps = deps;
  }

  /** Rejects with `precondition_failed` when the current version is none that was expected; then nothing is applied. */
  async edit(caller: Caller, id: string, { edits }: ContentEdits, expected: Expected): Promise<StoredVersion> {
    const { authorizer, datasetContentStore, newId } = this.#deps;
    await authorizer.authorize(caller, 'dataset', id, 'update');
    for (const edit of edits) await this.#requireRecords(caller, edit);
    return this.#changing(caller, id, 'edit', expected, async (next, head) => {
      const positions = await positionsFor(datasetContentStore, head, edits);
      await applyRows(next, planRows(edits, newId), positions);
      await this.#applyGlobal(next, edits, positions);
      return { edits: edits.length };
    });
  }

  /** Rejects with `conflict` when edits made since the base version would be lost, unless that is forced. */
  async replace(caller: Caller, id: string, wanted: ContentReplacement, expected: Expected): Promise<StoredVersion> {
    await this.#deps.authorizer.authorize(caller, 'dataset', id, 'update');
    const source = wanted.dataset_id ?? id;
    if (source === id) return this.#rollBack(caller, id, wanted, expected);
    await this.#deps.authorizer.authorize(caller, 'dataset', source, 'export');
    return this.#changing(caller, id, 'copy', expected, async (next, head) => {
      const { datasetContentStore } = this.#deps;
      const version = await this.#found(source, wanted.version_index ?? undefined);
      await this.#check(head, wanted, undefined);
      const blocks = await datasetContentStore.listBlocks(source, version.version_index);
      next.clear();
      next.columns.become(version.columns.map(({ name }) => name));
      await writeRows(next, toRowSource(datasetContentStore, version, blocks), this.#deps.newId);
      return { from: source, from_version: version.version_index };
    });
  }

  #rollBack(caller: Caller, id: string, wanted: ContentReplacement, expected: Expected): Promise<StoredVersion> {
    return this.#changing(caller, id, 'rollback', expected, async (next, head) => {
      const index = wanted.rollback_version ?? wanted.version_index ?? head.version.version_index;
      const { version, state } = await this.#state(id, index);
      await this.#check(head, wanted, state);
      next.restore(version, state.blocks);
      return { to_version: index };
    });
  }

  /** The audit note comes last: it keeps all others waiting who have one to make. */
  #changing(
    caller: Caller,
    id: string,
    verb: string,
    expected: Expected,
    change: (next: NextVersion, head: VersionHead) => Promise<AuditEvent['details']>,
  ): Promise<StoredVersion> {
    const { datasetContentStore, auditTrail, clock, newId, datasetBlockSize } = this.#deps;
    return datasetContentStore.exclusively(id, async () => {
      const head = await datasetContentStore.findHead(id);
      if (!head) throw datasetNotFound(id);
      if (expected && !expected.includes(head.version.id)) throw stale(head.version);
      const author = { user_id: caller.user_id, at: clock().toISOString(), newId, blockSize: datasetBlockSize };
      const next = new NextVersion(datasetContentStore, id, head, author);
      const details = await change(next, head);
      const version = await next.finish();
      const facts = { ...details, version_index: version.version_index };
      await auditTrail.note(caller, { action: `dataset.${verb}`, object_kind: 'dataset', object_id: id, details: facts });
      return version;
    });
  }

  async #applyGlobal(next: NextVersion, edits: readonly ContentEdit[], positions: ReadonlyMap<string, number>): Promise<void> {
    const kept = edits.flatMap((edit) => (edit.edit_type === 'filter_rows' ? [new Set(edit.row_ids)] : []));
    const [first, ...others] = kept;
    const ids = first && [...first].filter((id) => others.every((set) => set.has(id)));
    if (ids) await next.keep(new Set(ids.map((id) => positions.get(id)!)));
    for (const [at, edit] of edits.entries()) {
      if (edit.edit_type !== 'copy_record_data') continue;
      const values = await rowsOfRecords(this.#deps.traceStore, edit, at);
      const rows = values.map((row) => ({ row_id: this.#deps.newId(), values: row }));
      await (edit.prepend ? next.prepend(rows) : next.append(rows));
    }
  }

  /** Requires read access to records that are copied out of a project: whoever sees the dataset will see them. */
  async #requireRecords(caller: Caller, edit: ContentEdit): Promise<void> {
    if (edit.edit_type === 'copy_record_data')
      await this.#deps.authorizer.authorize(caller, 'project', edit.project_id, 'export_data');
  }

  async #check(head: VersionHead, { base_version_index, force }: ContentReplacement, target: State | undefined): Promise<void> {
    if (force || !base_version_index) return;
    const base = await this.#state(head.version.dataset_id, base_version_index);
    await refuseLosing(this.#deps.datasetContentStore, head, base.state, target);
  }

  async #state(id: string, version_index: number): Promise<{ version: StoredVersion; state: State }> {
    const version = await this.#found(id, version_index);
    const blocks = await this.#deps.datasetContentStore.listBlocks(id, version_index);
    return { version, state: { columns: version.columns, blocks } };
  }

  async #found(id: string, version_index: number | undefined): Promise<StoredVersion> {
    const version = await this.#deps.datasetContentStore.findVersion(id, version_index);
    if (version) return version;
    throw version_index === undefined ? datasetNotFound(id) : versionNotFound(version_index);
  }
}

const stale = ({ version_index }: StoredVersion): AppError =>
  new AppError('precondition_failed', 'dataset_version_stale', `the dataset is at version ${version_index} by now`);
