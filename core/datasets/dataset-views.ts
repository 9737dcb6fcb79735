import type { AccessStore } from '../access/access-store.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { type CollaboratorRole, permissionsFor } from '../access/role.ts';
import { toUserSummary, type UserSummary } from '../access/users/user.ts';
import type { Dataset, DatasetAction, StoredDataset } from './dataset.ts';
import type { DatasetStore } from './dataset-store.ts';

export interface DatasetViewDeps {
  readonly datasetStore: DatasetStore;
  readonly accessStore: AccessStore;
  readonly authorizer: Authorizer;
}

/** Shows datasets as a caller may see them. */
export class DatasetViews {
  readonly #deps: DatasetViewDeps;

  constructor(deps: DatasetViewDeps) {
    this.#deps = deps;
  }

  /** Projects whose uses the caller sees; undefined stands for all. */
  async visibleProjects(caller: Caller): Promise<readonly string[] | undefined> {
    return (await this.#deps.authorizer.visible(caller, 'project')).filters[0]?.values;
  }

  async one(caller: Caller, dataset: StoredDataset, role: CollaboratorRole): Promise<Dataset> {
    const [shown] = await this.many([dataset], () => role, await this.visibleProjects(caller), []);
    return shown!;
  }

  async many(
    datasets: readonly StoredDataset[],
    roleOn: (id: string) => CollaboratorRole,
    projects: readonly string[] | undefined,
    actions: readonly DatasetAction[],
  ): Promise<Dataset[]> {
    const users = await this.users(datasets.map(({ created_by }) => created_by));
    const uses = await this.#deps.datasetStore.listUses(datasets.map(({ id }) => id));
    const visible = projects && new Set(projects);
    const counted = visible ? uses.filter(({ project_id }) => visible.has(project_id)) : uses;
    const byDataset = Map.groupBy(counted, ({ dataset_id }) => dataset_id);
    return datasets.map(({ created_by, hidden: _hidden, column_names, ...dataset }) => ({
      ...dataset,
      column_names: [...column_names],
      permissions: permissionsFor('dataset', roleOn(dataset.id), actions),
      project_count: byDataset.get(dataset.id)?.length ?? 0,
      created_by_user: users.get(created_by) ?? null,
    }));
  }

  async users(ids: readonly string[]): Promise<Map<string, UserSummary>> {
    const users = await this.#deps.accessStore.listUsers([...new Set(ids)]);
    return new Map(users.map((user) => [user.id, toUserSummary(user)]));
  }
}
