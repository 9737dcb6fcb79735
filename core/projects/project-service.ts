import type { AccessStore } from '../access/access-store.ts';
import type { Visible } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { RecentPrincipals } from '../access/login/recent-principals.ts';
import type { ProjectAction } from '../access/project-action.ts';
import { permissionsFor } from '../access/role.ts';
import { toUserSummary, type UserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';
import type { Permission } from '../kernel/permission.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import { findOrInsert } from './find-or-insert.ts';
import { insertProject, type NewProjectDeps, projectEvent } from './new-project.ts';
import {
  type CreatedProject,
  DEFAULT_PROJECT_TYPE,
  NEWEST_PROJECTS_FIRST,
  type NewProject,
  type Project,
  type ProjectFilter,
  type ProjectSearch,
  type ProjectType,
  type ProjectUpdate,
  projectNotFound,
  type StoredProject,
  type ThinProject,
  type UpdatedProject,
} from './project.ts';
import type { ProjectChanges } from './project-store.ts';
import type { RunRecords } from './run-records.ts';

export interface ProjectDeps extends NewProjectDeps {
  readonly accessStore: AccessStore;
  readonly runRecords: RunRecords;
  readonly recentPrincipals: RecentPrincipals;
}

export interface ProjectPick {
  readonly name?: string | undefined;
  readonly type?: ProjectType | undefined;
}

/** Use cases of projects, which hold runs and their records together. */
export class ProjectService {
  readonly #deps: ProjectDeps;

  constructor(deps: ProjectDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the project that exists already when its type has one of this name that the caller sees. Names are taken
   * in the whole organisation: one that the caller does not see is refused as `conflict`.
   */
  async createProject(caller: Caller, { name, type: chosen, created_by }: NewProject): Promise<CreatedProject> {
    await this.#refuseForeignCreator(caller, created_by);
    const type = chosen ?? DEFAULT_PROJECT_TYPE;
    const wanted = { name, type, type_is_default: !chosen, created_by: created_by ?? caller.user_id };
    const project = await findOrInsert(
      () => this.#seenByName(caller, type, name),
      () => insertProject(this.#deps, caller, wanted),
    );
    return getCreated(project);
  }

  async listProjects(caller: Caller, pick: ProjectPick): Promise<Project[]> {
    const visible = await this.#visible(caller);
    const { filters, keeps } = lookupByName(toFilters(pick));
    const found = await this.#deps.projectStore.listProjects([...filters, ...visible.filters], NEWEST_PROJECTS_FIRST);
    return this.#shown(keeps ? found.filter(keeps).toSorted(chosenTypeFirst) : found, visible, []);
  }

  async listAllProjects(caller: Caller, pick: ProjectPick): Promise<ThinProject[]> {
    const filters = [...toFilters(pick), ...(await this.#visible(caller)).filters];
    const projects = await this.#deps.projectStore.listProjects(filters, NEWEST_PROJECTS_FIRST);
    return projects.map((project) => toThinProject(project, []));
  }

  async searchProjects(
    caller: Caller,
    { filters, sort }: ProjectSearch,
    wanted: PageRequest,
    actions: readonly ProjectAction[],
  ): Promise<PageFields & { projects: Project[] }> {
    const visible = await this.#visible(caller);
    const lookup = lookupByName(filters);
    const slice = lookup.keeps ? undefined : sliceFor(wanted);
    const found = await this.#deps.projectStore.listProjects([...lookup.filters, ...visible.filters], sort, slice);
    const rest = wanted.starting_token;
    const { items, page } = toPage(lookup.keeps ? found.filter(lookup.keeps).slice(rest) : found, wanted);
    return { ...page, projects: await this.#shown(items, visible, actions) };
  }

  async countProjects(caller: Caller, { filters }: ProjectSearch): Promise<number> {
    const { projectStore } = this.#deps;
    const visible = await this.#visible(caller);
    const lookup = lookupByName(filters);
    if (!lookup.keeps) return projectStore.countProjects([...filters, ...visible.filters]);
    const found = await projectStore.listProjects([...lookup.filters, ...visible.filters], NEWEST_PROJECTS_FIRST);
    return found.filter(lookup.keeps).length;
  }

  async getProject(caller: Caller, id: string): Promise<Project> {
    const role = await this.#deps.authorizer.authorize(caller, 'project', id, 'read');
    const project = await this.#deps.projectStore.findProject(id);
    if (!project) throw projectNotFound(id);
    const [shown] = await this.#shown([project], { filters: [], roleOn: () => role }, []);
    return shown!;
  }

  async updateProject(caller: Caller, id: string, update: ProjectUpdate): Promise<UpdatedProject> {
    const { authorizer, projectStore, auditTrail, transactions } = this.#deps;
    await authorizer.authorize(caller, 'project', id, 'update');
    await this.#refuseForeignCreator(caller, update.created_by);
    const changes = toChanges(update);
    const project = await transactions.run(async () => {
      const updated = await projectStore.updateProject(id, { ...changes, updated_at: this.#now() });
      if (!updated) throw projectNotFound(id);
      await auditTrail.note(caller, projectEvent('update', id, { fields: Object.keys(changes).sort().join(' ') }));
      return updated;
    });
    return { ...getCreated(project), labels: project.labels, description: project.description };
  }

  /**
   * Removes the project first and its records last: whoever logs to it meanwhile holds it, so that no record can arrive
   * after its removal.
   */
  async deleteProject(caller: Caller, id: string): Promise<{ message: string }> {
    const { projectStore, runRecords, collaboratorStore, accessStore, authorizer, auditTrail, transactions } = this.#deps;
    await authorizer.authorize(caller, 'project', id, 'delete');
    await transactions.run(async () => {
      if (!(await projectStore.removeProject(id))) throw projectNotFound(id);
      await collaboratorStore.removeObject({ kind: 'project', id });
      await accessStore.removeApiKeysOfProject(id);
      await runRecords.removeAll(id);
      await auditTrail.note(caller, projectEvent('delete', id));
    });
    authorizer.forget();
    this.#deps.recentPrincipals.forget();
    return { message: `project ${id} and its records were deleted` };
  }

  async #seenByName(caller: Caller, type: ProjectType, name: string): Promise<StoredProject | undefined> {
    const project = await this.#deps.projectStore.findProjectByName(type, name);
    return project && (await this.#deps.authorizer.roleOn(caller, 'project', project.id)) ? project : undefined;
  }

  /** Who makes a project owns it; only administrators make one for somebody else. */
  async #refuseForeignCreator(caller: Caller, created_by: string | null | undefined): Promise<void> {
    if (!created_by || created_by === caller.user_id) return;
    if (caller.role !== 'admin') throw new AppError('forbidden', 'role_too_low', 'only administrators name another creator');
    await this.#refuseUnknownUser(created_by);
  }

  #visible(caller: Caller): Promise<Visible> {
    return this.#deps.authorizer.visible(caller, 'project');
  }

  async #refuseUnknownUser(created_by: string): Promise<void> {
    if (await this.#deps.accessStore.findUser(created_by)) return;
    throw new AppError('invalid', 'creator_unknown', `user ${created_by} does not exist`, {
      issues: [{ loc: ['body', 'created_by'], msg: 'no such user', type: 'creator_unknown', input: created_by }],
    });
  }

  async #shown(projects: readonly StoredProject[], visible: Visible, actions: readonly ProjectAction[]): Promise<Project[]> {
    const users = await this.#deps.accessStore.listUsers([...new Set(projects.map(({ created_by }) => created_by))]);
    const creators = new Map(users.map((user) => [user.id, toUserSummary(user)]));
    return projects.map((project) => ({
      ...toThinProject(project, permissionsFor('project', visible.roleOn(project.id), actions)),
      created_by_user: creators.get(project.created_by) ?? nobody(project.created_by),
      description: project.description,
      labels: project.labels,
    }));
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }
}

function toFilters({ name, type }: ProjectPick): ProjectFilter[] {
  const byName: ProjectFilter[] =
    name === undefined ? [] : [{ family: 'string', name: 'name', operator: 'eq', values: [name], case_sensitive: true }];
  const byType: ProjectFilter[] = type === undefined ? [] : [{ family: 'enum', name: 'type', operator: 'eq', values: [type] }];
  return [...byName, ...byType];
}

interface Lookup {
  readonly filters: readonly ProjectFilter[];
  /** Which of the found ones are meant; undefined when all are. */
  readonly keeps: ((project: StoredProject) => boolean) | undefined;
}

/**
 * A project whose type nobody chose is found by its name whatever type is asked for. There is one project of a name and
 * a type, so what has the name is few, and its types are looked at here.
 */
function lookupByName(filters: readonly ProjectFilter[]): Lookup {
  const isName = (one: ProjectFilter) =>
    one.family === 'string' && one.name === 'name' && one.operator === 'eq' && one.case_sensitive;
  const types = filters.filter(asksForTypes);
  if (!filters.some(isName) || types.length === 0) return { filters, keeps: undefined };
  const asked = types.map((one) => ('values' in one ? one.values : []) as readonly string[]);
  const keeps = ({ type, type_is_default }: StoredProject) => type_is_default || asked.every((values) => values.includes(type));
  return { filters: filters.filter((one) => !asksForTypes(one)), keeps };
}

const asksForTypes = (one: ProjectFilter) =>
  one.family === 'enum' && one.name === 'type' && (one.operator === 'eq' || one.operator === 'one_of');
const chosenTypeFirst = (a: StoredProject, b: StoredProject): number => Number(a.type_is_default) - Number(b.type_is_default);

function toChanges({ name, created_by, type, labels, description }: ProjectUpdate): Omit<ProjectChanges, 'updated_at'> {
  return {
    ...(name ? { name } : {}),
    ...(created_by ? { created_by } : {}),
    ...(type ? { type, type_is_default: false } : {}),
    ...(labels ? { labels } : {}),
    ...(typeof description === 'string' ? { description: description || null } : {}),
  };
}

function getCreated({ id, name, type, created_by, created_at, updated_at }: StoredProject): CreatedProject {
  return { id, name, type, created_by, created_at, updated_at };
}

const toThinProject = (project: StoredProject, permissions: Permission[]): ThinProject => ({
  ...getCreated(project),
  permissions,
  runs: [],
  bookmark: false,
});

/** Clients read a creator from every project; that the user is gone must not break them. */
const nobody = (id: string): UserSummary => ({ id, email: '', first_name: null, last_name: null });
