import { z } from 'zod';
import type { AccessStore } from '../access/access-store.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { toUserSummary, UserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';
import { Permission } from '../kernel/permission.ts';
import { PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import { scorerNotFound } from './scorer.ts';
import type { ScorerStore } from './scorer-store.ts';
import type { ScorerUse, ScorerUseQuery, UsingProject } from './scorer-use.ts';

/** A project, as it is listed for a scorer. */
export const ScorerProject = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    permissions: z.array(Permission),
    bookmark: z.boolean(),
    num_logstreams: z.int(),
    num_experiments: z.int(),
    created_by_user: UserSummary.nullable(),
    description: z.string().nullable(),
    labels: z.array(z.string()),
    /** Those in which the scorer is enabled. */
    log_streams: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .meta({ id: 'ScorerProject' });
export type ScorerProject = z.output<typeof ScorerProject>;

export const ScorerProjectPage = z
  .object({ ...PageFields, projects: z.array(ScorerProject), total_count: z.int() })
  .meta({ id: 'ScorerProjectPage' });
export type ScorerProjectPage = z.output<typeof ScorerProjectPage>;

export interface ScorerProjectDeps {
  readonly scorerStore: ScorerStore;
  readonly scorerUse: ScorerUse;
  readonly accessStore: AccessStore;
  readonly authorizer: Authorizer;
}

/** Which projects use a scorer: those that the caller sees. */
export class ScorerProjectService {
  readonly #deps: ScorerProjectDeps;

  constructor(deps: ScorerProjectDeps) {
    this.#deps = deps;
  }

  async list(caller: Caller, scorer_id: string, wanted: PageRequest): Promise<ScorerProjectPage> {
    if (!(await this.#deps.scorerStore.find(scorer_id))) throw scorerNotFound(scorer_id);
    return this.#page(caller, { scorer_id }, wanted);
  }

  /** Those in which this version is pinned, or runs because it is the default; of that scorer, where one is named. */
  async listOfVersion(
    caller: Caller,
    of_scorer: string | undefined,
    version_id: string,
    wanted: PageRequest,
  ): Promise<ScorerProjectPage> {
    const version = await this.#deps.scorerStore.findVersion(version_id);
    const scorer_id = of_scorer ?? version?.scorer_id;
    const scorer = scorer_id === undefined ? undefined : await this.#deps.scorerStore.find(scorer_id);
    if (of_scorer !== undefined && !scorer) throw scorerNotFound(of_scorer);
    if (!scorer || version?.scorer_id !== scorer.id) throw versionOfScorerNotFound(version_id);
    const is_default = scorer.default_version_id === version_id;
    return this.#page(caller, { scorer_id: scorer.id, version: { id: version_id, is_default } }, wanted);
  }

  async #page(caller: Caller, use: ScorerUseQuery, wanted: PageRequest): Promise<ScorerProjectPage> {
    const { scorerUse, authorizer } = this.#deps;
    const { filters } = await authorizer.visible(caller, 'project');
    const [found, total_count] = await Promise.all([
      scorerUse.projects(use, filters, sliceFor(wanted)),
      scorerUse.countProjects(use, filters),
    ]);
    const { items, page } = toPage(found, wanted);
    return { ...page, projects: await this.#shown(items), total_count };
  }

  async #shown(projects: readonly UsingProject[]): Promise<ScorerProject[]> {
    const users = await this.#deps.accessStore.listUsers([...new Set(projects.map(({ created_by }) => created_by))]);
    const creators = new Map(users.map((user) => [user.id, toUserSummary(user)]));
    return projects.map(({ type: _type, created_by, log_streams, ...project }) => ({
      ...project,
      permissions: [],
      bookmark: false,
      created_by_user: creators.get(created_by) ?? null,
      log_streams: [...log_streams],
    }));
  }
}

const versionOfScorerNotFound = (id: string): AppError =>
  new AppError('not_found', 'scorer_version_not_found', `scorer version ${id} does not exist, or is of another scorer`);
