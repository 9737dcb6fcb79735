import type { AccessStore } from '../access/access-store.ts';
import type { AuditEvent } from '../access/audit.ts';
import type { AuditTrail } from '../access/audit-trail.ts';
import type { Authorizer, Visible } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { CollaboratorStore } from '../access/collaborator-store.ts';
import { permissionsFor } from '../access/role.ts';
import { summaryOf, type UserSummary } from '../access/user.ts';
import { AppError } from '../kernel/errors.ts';
import { type PageFields, type PageRequest, pageOf, sliceFor } from '../kernel/page.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { NEWEST_PROJECTS_FIRST } from '../projects/project.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import type { ColumnMapping } from './column-mapping.ts';
import type { ContentStore } from './content-store.ts';
import {
  type Dataset,
  type DatasetAction,
  type DatasetUpdate,
  type DeletedDatasets,
  datasetExists,
  datasetNotFound,
  type NewDataset,
  type ProjectOfDataset,
  type StoredDataset,
} from './dataset.ts';
import type { DatasetFilter, DatasetSearch } from './dataset-query.ts';
import type { DatasetStore } from './dataset-store.ts';
import { freeName, takeFreeName } from './free-name.ts';
import { mapColumns } from './mapped-columns.ts';
import { NextVersion } from './next-version.ts';
import type { RowSource } from './row.ts';
import { rowSourceOf } from './stored-rows.ts';
import { versionNotFound } from './version.ts';
import { writeRows } from './write-rows.ts';

export interface DatasetDeps {
  readonly datasetStore: DatasetStore;
  readonly contentStore: ContentStore;
  readonly projectStore: ProjectStore;
  readonly accessStore: AccessStore;
  readonly collaboratorStore: CollaboratorStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly blockSize: number;
}

/** A version of another dataset, the current one without an index. */
export interface CopiedVersion {
  readonly dataset_id: string;
  readonly version_index: number | null;
}

/** Datasets as wholes: what holds versions together. */
export class DatasetService {
  readonly #deps: DatasetDeps;

  constructor(deps: DatasetDeps) {
    this.#deps = deps;
  }

  /**
   * Rejects with `forbidden`, `not_found` of the project or `conflict` of the name before the first row is read; whatever
   * goes wrong while rows are read leaves nothing.
   */
  async create(caller: Caller, wanted: NewDataset, rows: RowSource): Promise<Dataset> {
    await this.refuseCreation(caller, wanted);
    return this.#create(caller, wanted, rows, {});
  }

  /** What `create` finds out before it reads rows, for whoever has work to do before there are any. */
  async refuseCreation(caller: Caller, { name, append_suffix_if_duplicate, project_id }: NewDataset): Promise<void> {
    const { authorizer, datasetStore } = this.#deps;
    authorizer.demandInOrganization(caller, 'create_object');
    if (project_id !== null) await authorizer.demand(caller, 'project', project_id, 'update');
    if (!append_suffix_if_duplicate && (await datasetStore.takenNames([name])).length > 0) throw datasetExists();
  }

  async copy(caller: Caller, wanted: NewDataset, { dataset_id, version_index }: CopiedVersion): Promise<Dataset> {
    const { authorizer, contentStore } = this.#deps;
    await this.refuseCreation(caller, wanted);
    await authorizer.demand(caller, 'dataset', dataset_id, 'export');
    const version = await contentStore.findVersion(dataset_id, version_index ?? undefined);
    if (!version) throw version_index === null ? datasetNotFound(dataset_id) : versionNotFound(version_index);
    const blocks = await contentStore.listBlocks(dataset_id, version.version_index);
    const details = { from: dataset_id, from_version: version.version_index };
    return this.#create(caller, wanted, rowSourceOf(contentStore, version, blocks), details);
  }

  async search(
    caller: Caller,
    { filters, sort }: DatasetSearch,
    wanted: PageRequest,
    actions: readonly DatasetAction[],
  ): Promise<PageFields & { datasets: Dataset[] }> {
    const { authorizer, datasetStore } = this.#deps;
    const visible = await authorizer.visible(caller, 'dataset');
    const projects = await this.#visibleProjects(caller);
    const all = [...filters, ...visible.filters];
    const isNowhere = all.some((filter) => filter.name === 'used_in_project' && isHidden(filter, projects));
    const kept = all.filter((filter) => filter.name !== 'not_in_project' || !isHidden(filter, projects));
    const known = sort.name === 'project_last_used_at' && projects && !projects.includes(sort.value) ? BY_ID : sort;
    const datasets = isNowhere ? [] : await datasetStore.list(kept, known, projects, sliceFor(wanted));
    const { items, page } = pageOf(datasets, wanted);
    return { ...page, datasets: await this.#shown(items, visible, projects, actions) };
  }

  async get(caller: Caller, id: string): Promise<Dataset> {
    const role = await this.#deps.authorizer.demand(caller, 'dataset', id, 'read');
    const dataset = await this.#deps.datasetStore.find(id);
    if (!dataset) throw datasetNotFound(id);
    return this.#one(caller, dataset, { filters: [], roleOn: () => role });
  }

  /** A mapping makes a new version. */
  async update(caller: Caller, id: string, update: DatasetUpdate): Promise<Dataset> {
    const { authorizer, contentStore, datasetStore, auditTrail } = this.#deps;
    const isRenamedOnly = !update.column_mapping && (update.draft ?? null) === null;
    const role = await authorizer.demand(caller, 'dataset', id, isRenamedOnly ? 'rename' : 'update');
    const dataset = await contentStore.exclusively(id, async () => {
      const before = await datasetStore.find(id);
      if (!before) throw datasetNotFound(id);
      const version_index = update.column_mapping ? await this.#map(caller, id, update.column_mapping) : null;
      const changes = await this.#changesOf(before, update);
      const updated = await datasetStore.update(id, { ...changes, updated_at: this.#now() });
      const details = { fields: Object.keys(changes).sort().join(' '), version_index };
      await auditTrail.note(caller, datasetEvent('update', id, details));
      return updated!;
    });
    return this.#one(caller, dataset, { filters: [], roleOn: () => role });
  }

  async delete(caller: Caller, id: string): Promise<{ message: string }> {
    const { authorizer, contentStore, datasetStore, collaboratorStore, auditTrail } = this.#deps;
    await authorizer.demand(caller, 'dataset', id, 'delete');
    await contentStore.exclusively(id, async () => {
      if (!(await datasetStore.remove(id))) throw datasetNotFound(id);
      await collaboratorStore.removeObject({ kind: 'dataset', id });
      await auditTrail.note(caller, datasetEvent('delete', id));
    });
    authorizer.forget();
    return { message: `dataset ${id} and its versions were deleted` };
  }

  /** Each by itself: those that cannot be deleted do not keep the others. */
  async deleteMany(caller: Caller, dataset_ids: readonly string[]): Promise<DeletedDatasets> {
    const failed_deletions: DeletedDatasets['failed_deletions'] = [];
    const ids = [...new Set(dataset_ids)];
    for (const id of ids) {
      const reason = await this.delete(caller, id).then(() => undefined, reasonOf);
      if (!reason) continue;
      const seen = reason.kind === 'not_found' ? undefined : await this.#deps.datasetStore.find(id);
      failed_deletions.push({ dataset_id: id, dataset_name: seen?.name ?? '', reason: reason.message });
    }
    const deleted_count = ids.length - failed_deletions.length;
    return { deleted_count, failed_deletions, message: `${deleted_count} of ${ids.length} datasets were deleted` };
  }

  /** Projects that use the dataset, as far as the caller sees them, newest first. */
  async listProjects(caller: Caller, id: string, wanted: PageRequest): Promise<PageFields & { projects: ProjectOfDataset[] }> {
    const { authorizer, datasetStore, projectStore } = this.#deps;
    await authorizer.demand(caller, 'dataset', id, 'read');
    const uses = await datasetStore.listUses([id]);
    const visible = await authorizer.visible(caller, 'project');
    const used = { family: 'id', name: 'id', operator: 'one_of', values: uses.map(({ project_id }) => project_id) } as const;
    const projects = await projectStore.listProjects([used, ...visible.filters], NEWEST_PROJECTS_FIRST, sliceFor(wanted));
    const { items, page } = pageOf(projects, wanted);
    const users = await this.#users(items.map(({ created_by }) => created_by));
    return {
      ...page,
      projects: items.map(({ id: project_id, name, created_at, updated_at, created_by }) => {
        return { id: project_id, name, created_at, updated_at, created_by_user: users.get(created_by) ?? null };
      }),
    };
  }

  async #create(caller: Caller, wanted: NewDataset, rows: RowSource, details: AuditEvent['details']): Promise<Dataset> {
    const { datasetStore, contentStore, collaboratorStore, auditTrail, transactions, newId, blockSize } = this.#deps;
    const { draft, hidden, project_id } = wanted;
    const id = newId();
    const at = this.#now();
    const by = { user_id: caller.user_id, at, newId, blockSize };
    await transactions.run(async () => {
      await contentStore.exclusively(id, async () => {
        const first = new NextVersion(contentStore, id, undefined, by);
        await writeRows(first, rows, newId);
        await first.finish();
        // Rows first: a name that was taken meanwhile is refused, and nobody waits for it while they are read.
        const facts = { id, draft, hidden, created_by: caller.user_id, created_at: at };
        const name = await takeFreeName(datasetStore, wanted.name, wanted.append_suffix_if_duplicate, facts);
        if (project_id !== null) await datasetStore.use({ dataset_id: id, project_id }, at);
        const owner = { id: newId(), user_id: caller.user_id, role: 'owner', created_at: at } as const;
        await collaboratorStore.putUsers({ kind: 'dataset', id }, [owner]);
        await auditTrail.note(caller, datasetEvent('create', id, { name, owner: caller.user_id, ...details }));
      });
    });
    const dataset = await datasetStore.find(id);
    return this.#one(caller, dataset!, { filters: [], roleOn: () => 'owner' });
  }

  async #map(caller: Caller, id: string, mapping: ColumnMapping): Promise<number> {
    const { contentStore, newId, blockSize } = this.#deps;
    const head = await contentStore.findHead(id);
    if (!head) throw datasetNotFound(id);
    const next = new NextVersion(contentStore, id, head, { user_id: caller.user_id, at: this.#now(), newId, blockSize });
    const { columns, change } = mapColumns(head.version.columns, mapping, () => next.columns.newKey());
    next.columns.replace(columns);
    if (change) await next.changeAll(change);
    return (await next.finish()).version_index;
  }

  async #changesOf(
    before: StoredDataset,
    { name, draft }: DatasetUpdate,
  ): Promise<Partial<Pick<StoredDataset, 'name' | 'draft'>>> {
    const wanted = typeof name === 'string' ? { value: name, append_suffix_if_duplicate: false } : name;
    const changes = draft === false ? { draft: false } : {};
    if (!wanted || wanted.value === before.name) return changes;
    return { ...changes, name: await freeName(this.#deps.datasetStore, wanted.value, wanted.append_suffix_if_duplicate) };
  }

  /** Undefined stands for all. */
  async #visibleProjects(caller: Caller): Promise<readonly string[] | undefined> {
    return (await this.#deps.authorizer.visible(caller, 'project')).filters[0]?.values;
  }

  async #one(caller: Caller, dataset: StoredDataset, visible: Visible): Promise<Dataset> {
    const [shown] = await this.#shown([dataset], visible, await this.#visibleProjects(caller), []);
    return shown!;
  }

  async #shown(
    datasets: readonly StoredDataset[],
    visible: Visible,
    projects: readonly string[] | undefined,
    actions: readonly DatasetAction[],
  ): Promise<Dataset[]> {
    const users = await this.#users(datasets.map(({ created_by }) => created_by));
    const uses = await this.#deps.datasetStore.listUses(datasets.map(({ id }) => id));
    const counted = projects === undefined ? uses : uses.filter(({ project_id }) => projects.includes(project_id));
    return datasets.map(({ created_by, hidden: _hidden, column_names, ...dataset }) => ({
      ...dataset,
      column_names: [...column_names],
      permissions: permissionsFor('dataset', visible.roleOn(dataset.id), actions),
      project_count: counted.filter(({ dataset_id }) => dataset_id === dataset.id).length,
      created_by_user: users.get(created_by) ?? null,
    }));
  }

  async #users(ids: readonly string[]): Promise<Map<string, UserSummary>> {
    const users = await this.#deps.accessStore.listUsers([...new Set(ids)]);
    return new Map(users.map((user) => [user.id, summaryOf(user)]));
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }
}

/** In the place of an order that would tell of a project which the caller does not see. */
const BY_ID = { name: 'project_last_used_at', ascending: true, value: '00000000-0000-0000-0000-000000000000' } as const;

const isHidden = (filter: DatasetFilter, projects: readonly string[] | undefined): boolean =>
  filter.family === 'custom_uuid' && projects !== undefined && !projects.includes(filter.value);

const datasetEvent = (verb: string, id: string, details: AuditEvent['details'] = {}): AuditEvent => ({
  action: `dataset.${verb}`,
  object_kind: 'dataset',
  object_id: id,
  details,
});

function reasonOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
