import type { AccessStore } from '../access/access-store.ts';
import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { CollaboratorStore } from '../access/groups/collaborator-store.ts';
import { deleteEach } from '../kernel/delete-each.ts';
import { freeName, wantedName } from '../kernel/free-name.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import { NEWEST_PROJECTS_FIRST } from '../projects/project.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import type { ColumnMapping } from './column-mapping.ts';
import {
  type Dataset,
  type DatasetAction,
  type DatasetUpdate,
  type DeletedDatasets,
  datasetEvent,
  datasetNotFound,
  type ProjectOfDataset,
  type StoredDataset,
} from './dataset.ts';
import type { DatasetContentStore } from './dataset-content-store.ts';
import type { DatasetFilter, DatasetSearch } from './dataset-query.ts';
import type { DatasetStore } from './dataset-store.ts';
import { DatasetViews } from './dataset-views.ts';
import { mapColumns } from './mapped-columns.ts';
import { NextVersion } from './next-version.ts';

export interface DatasetDeps {
  readonly datasetStore: DatasetStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly projectStore: ProjectStore;
  readonly accessStore: AccessStore;
  readonly collaboratorStore: CollaboratorStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly datasetBlockSize: number;
}

/** Datasets as wholes: what holds versions together. */
export class DatasetService {
  readonly #deps: DatasetDeps;
  readonly #views: DatasetViews;

  constructor(deps: DatasetDeps) {
    this.#deps = deps;
    this.#views = new DatasetViews(deps);
  }

  async search(
    caller: Caller,
    { filters, sort }: DatasetSearch,
    wanted: PageRequest,
    actions: readonly DatasetAction[],
  ): Promise<PageFields & { datasets: Dataset[] }> {
    const { authorizer, datasetStore } = this.#deps;
    const visible = await authorizer.visible(caller, 'dataset');
    const projects = await this.#views.visibleProjects(caller);
    const all = [...filters, ...visible.filters];
    const isNowhere = all.some((filter) => filter.name === 'used_in_project' && isHidden(filter, projects));
    const kept = all.filter((filter) => filter.name !== 'not_in_project' || !isHidden(filter, projects));
    const known = sort.name === 'project_last_used_at' && projects && !projects.includes(sort.value) ? BY_ID : sort;
    const datasets = isNowhere ? [] : await datasetStore.list(kept, known, projects, sliceFor(wanted));
    const { items, page } = toPage(datasets, wanted);
    return { ...page, datasets: await this.#views.many(items, visible.roleOn, projects, actions) };
  }

  async get(caller: Caller, id: string): Promise<Dataset> {
    const role = await this.#deps.authorizer.authorize(caller, 'dataset', id, 'read');
    const dataset = await this.#deps.datasetStore.find(id);
    if (!dataset) throw datasetNotFound(id);
    return this.#views.one(caller, dataset, role);
  }

  /** A mapping makes a new version. */
  async update(caller: Caller, id: string, update: DatasetUpdate): Promise<Dataset> {
    const { authorizer, datasetContentStore, datasetStore, auditTrail } = this.#deps;
    const isRenamedOnly = !update.column_mapping && (update.draft ?? null) === null;
    const role = await authorizer.authorize(caller, 'dataset', id, isRenamedOnly ? 'rename' : 'update');
    const dataset = await datasetContentStore.exclusively(id, async () => {
      const before = await datasetStore.find(id);
      if (!before) throw datasetNotFound(id);
      const version_index = update.column_mapping ? await this.#map(caller, id, update.column_mapping) : null;
      const changes = await this.#toChanges(before, update);
      const updated = await datasetStore.update(id, { ...changes, updated_at: this.#now() });
      const details = { fields: Object.keys(changes).sort().join(' '), version_index };
      await auditTrail.note(caller, datasetEvent('update', id, details));
      return updated!;
    });
    return this.#views.one(caller, dataset, role);
  }

  async delete(caller: Caller, id: string): Promise<{ message: string }> {
    const { authorizer, datasetContentStore, datasetStore, collaboratorStore, auditTrail } = this.#deps;
    await authorizer.authorize(caller, 'dataset', id, 'delete');
    await datasetContentStore.exclusively(id, async () => {
      if (!(await datasetStore.remove(id))) throw datasetNotFound(id);
      await collaboratorStore.removeObject({ kind: 'dataset', id });
      await auditTrail.note(caller, datasetEvent('delete', id));
    });
    authorizer.forget();
    return { message: `dataset ${id} and its versions were deleted` };
  }

  async deleteMany(caller: Caller, dataset_ids: readonly string[]): Promise<DeletedDatasets> {
    return deleteEach({
      ids: dataset_ids,
      called: 'datasets',
      remove: (id) => this.delete(caller, id),
      failed: async (dataset_id, { kind, message }) => {
        const seen = kind === 'not_found' ? undefined : await this.#deps.datasetStore.find(dataset_id);
        return { dataset_id, dataset_name: seen?.name ?? '', reason: message };
      },
    });
  }

  /** Projects that use the dataset, as far as the caller sees them, newest first. */
  async listProjects(caller: Caller, id: string, wanted: PageRequest): Promise<PageFields & { projects: ProjectOfDataset[] }> {
    const { authorizer, datasetStore, projectStore } = this.#deps;
    await authorizer.authorize(caller, 'dataset', id, 'read');
    const uses = await datasetStore.listUses([id]);
    const visible = await authorizer.visible(caller, 'project');
    const used = { family: 'id', name: 'id', operator: 'one_of', values: uses.map(({ project_id }) => project_id) } as const;
    const projects = await projectStore.listProjects([used, ...visible.filters], NEWEST_PROJECTS_FIRST, sliceFor(wanted));
    const { items, page } = toPage(projects, wanted);
    const users = await this.#views.users(items.map(({ created_by }) => created_by));
    return {
      ...page,
      projects: items.map(({ id: project_id, name, created_at, updated_at, created_by }) => {
        return { id: project_id, name, created_at, updated_at, created_by_user: users.get(created_by) ?? null };
      }),
    };
  }

  async #map(caller: Caller, id: string, mapping: ColumnMapping): Promise<number> {
    const { datasetContentStore, newId, datasetBlockSize } = this.#deps;
    const head = await datasetContentStore.findHead(id);
    if (!head) throw datasetNotFound(id);
    const next = new NextVersion(datasetContentStore, id, head, {
      user_id: caller.user_id,
      at: this.#now(),
      newId,
      blockSize: datasetBlockSize,
    });
    const { columns, change } = mapColumns(head.version.columns, mapping, () => next.columns.newKey());
    next.columns.replace(columns);
    if (change) await next.changeAll(change);
    return (await next.finish()).version_index;
  }

  async #toChanges(
    before: StoredDataset,
    { name, draft }: DatasetUpdate,
  ): Promise<Partial<Pick<StoredDataset, 'name' | 'draft'>>> {
    const wanted = name && wantedName(name);
    const changes = draft === false ? { draft: false } : {};
    if (!wanted || wanted.value === before.name) return changes;
    return { ...changes, name: await freeName(this.#deps.datasetStore, wanted.value, wanted.append_suffix_if_duplicate) };
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }
}

/** In the place of an order that would tell of a project which the caller does not see. */
const BY_ID = { name: 'project_last_used_at', ascending: true, value: '00000000-0000-0000-0000-000000000000' } as const;

const isHidden = (filter: DatasetFilter, projects: readonly string[] | undefined): boolean =>
  filter.family === 'custom_uuid' && projects !== undefined && !projects.includes(filter.value);
