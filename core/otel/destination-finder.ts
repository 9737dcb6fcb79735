import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { Id, Name } from '../kernel/text.ts';
import { findOrInsert } from '../projects/find-or-insert.ts';
import { insertLogStream } from '../projects/new-log-stream.ts';
import { insertProject, type NewProjectDeps } from '../projects/new-project.ts';
import { NEWEST_PROJECTS_FIRST, type ProjectFilter, projectNotFound } from '../projects/project.ts';
import type { RunContext, RunDirectory } from '../projects/run-context.ts';
import type { OtlpDestination, Reference, RunReference } from './destination.ts';

export interface OtlpSettings {
  /** Whether a project that is named and does not exist is made. */
  readonly create_projects: boolean;
  /** Prefixes of attributes that speak to us alone. */
  readonly own_prefixes: readonly string[];
}

export const DEFAULT_OTLP_SETTINGS: OtlpSettings = { create_projects: true, own_prefixes: ['eval.'] };

export interface DestinationDeps extends NewProjectDeps {
  readonly runDirectory: RunDirectory;
  readonly otlpSettings: OtlpSettings;
}

/** Of projects of one name, those that are made by us or by clients of today. */
const PROJECT_TYPE = 'gen_ai';
const DEFAULT_LOG_STREAM = 'default';

/** Budget of projects and runs that one request may name and create: names come with every span, and each new one costs a transaction. */
export class DestinationBudget {
  #destinations = MAX_DESTINATIONS;
  #creations = MAX_CREATIONS;
  /** Ids of projects that the caller may write to, by how the request names them. */
  readonly #projects = new Map<string, string>();

  /** Throws AppError `forbidden` when the request has named as many places as it may. */
  takeDestination(): void {
    this.#destinations -= 1;
    if (this.#destinations < 0) throw new AppError('forbidden', 'otlp_destinations_exceeded', TOO_MANY_NAMED);
  }

  /** Throws AppError `forbidden` when the request has made as much as it may. */
  takeCreation(): void {
    this.requireCreation();
    this.#creations -= 1;
  }

  /** Throws the same before anybody looks again whether there is something to make. */
  requireCreation(): void {
    if (this.#creations === 0) throw new AppError('forbidden', 'otlp_creations_exceeded', TOO_MANY);
  }

  /** The project of a reference, which is looked for once in a request. */
  async project(reference: Reference | undefined, find: () => Promise<string>): Promise<string> {
    const key = JSON.stringify(reference ?? null);
    const id = this.#projects.get(key) ?? (await find());
    this.#projects.set(key, id);
    return id;
  }
}

const NO_PROJECT =
  'no project is named: set the header "project" (OTEL_EXPORTER_OTLP_HEADERS=project=<name>) or "project-id", the resource attribute ' +
  '"eval.project.name" (OTEL_RESOURCE_ATTRIBUTES=eval.project.name=<name>), or use an API key that is made for one project';
const MAX_CREATIONS = 100;
const MAX_DESTINATIONS = 500;
const TOO_MANY_NAMED = `one request goes to no more than ${MAX_DESTINATIONS} log streams and experiments`;
const TOO_MANY = `one request makes no more than ${MAX_CREATIONS} projects and log streams`;

/** Finds the run that a sender means, and makes it where that is allowed. */
export class DestinationFinder {
  readonly #deps: DestinationDeps;

  constructor(deps: DestinationDeps) {
    this.#deps = deps;
  }

  /**
   * Rejects with AppError `not_found` when there is no such run, or the caller does not see it, and with `forbidden`
   * when they may not write there.
   */
  async find(caller: Caller, { project, run }: OtlpDestination, budget: DestinationBudget): Promise<RunContext> {
    budget.takeDestination();
    const project_id = await budget.project(project, async () => {
      const id = await this.#project(caller, project, budget);
      await this.#deps.authorizer.authorize(caller, 'project', id, 'log_data');
      return id;
    });
    return this.#run(caller, project_id, run, budget);
  }

  async #project(caller: Caller, reference: Reference | undefined, budget: DestinationBudget): Promise<string> {
    if (reference?.by === 'name') return this.#projectByName(caller, reference.names, budget);
    if (reference) return getId(reference.id) ?? raise(projectNotFound(reference.id));
    return caller.project_id ?? raise(new AppError('not_found', 'otlp_project_not_found', NO_PROJECT));
  }

  /** Finds a project by its name. One that the caller does not see is not found by its name either. */
  async #projectByName(caller: Caller, names: readonly string[], budget: DestinationBudget): Promise<string> {
    const { filters } = await this.#deps.authorizer.visible(caller, 'project');
    for (const name of names) {
      const byName: ProjectFilter = { family: 'string', name: 'name', operator: 'eq', values: [name], case_sensitive: true };
      const found = await this.#deps.projectStore.listProjects([byName, ...filters], NEWEST_PROJECTS_FIRST);
      const project = found.find(({ type }) => type === PROJECT_TYPE) ?? found[0];
      if (project) return project.id;
    }
    // Percent escapes are undone in the last one: what is made is called what its sender meant.
    return this.#newProject(caller, names.at(-1)!, budget);
  }

  async #newProject(caller: Caller, name: string, budget: DestinationBudget): Promise<string> {
    const { otlpSettings, projectStore, authorizer } = this.#deps;
    if (!otlpSettings.create_projects || !isName(name)) throw projectNotFound(`"${name}"`);
    const project = await findOrInsert(
      async () => {
        const made = await projectStore.findProjectByName(PROJECT_TYPE, name);
        return made && (await authorizer.roleOn(caller, 'project', made.id)) ? made : undefined;
      },
      () => {
        budget.takeCreation();
        return insertProject(this.#deps, caller, { name, type: PROJECT_TYPE, created_by: caller.user_id });
      },
    );
    return project.id;
  }

  async #run(caller: Caller, project_id: string, run: RunReference | undefined, budget: DestinationBudget): Promise<RunContext> {
    const { kind, reference } = run ?? { kind: 'log_stream', reference: { by: 'name', names: [DEFAULT_LOG_STREAM] } };
    const id =
      reference.by === 'id' ? getId(reference.id) : await this.#logStreamByName(caller, project_id, reference.names, budget);
    const found = id && (await this.#deps.runDirectory.findRun(project_id, id));
    if (found && found.kind === kind) return found;
    throw runNotFound(project_id, reference.by === 'id' ? reference.id : id!);
  }

  async #logStreamByName(
    caller: Caller,
    project_id: string,
    names: readonly string[],
    budget: DestinationBudget,
  ): Promise<string> {
    const byName = (name: string) => this.#deps.projectStore.findRunByName(project_id, 'log_stream', name);
    for (const name of names) {
      const run = await byName(name);
      if (run) return run.id;
    }
    const name = names.at(-1)!;
    if (!isName(name)) throw runNotFound(project_id, `"${name}"`);
    budget.requireCreation();
    const made = await findOrInsert(
      () => byName(name),
      () => {
        budget.takeCreation();
        return insertLogStream(this.#deps, caller, project_id, name);
      },
    );
    return made.id;
  }
}

const getId = (text: string): string | undefined => Id.safeParse(text).data;
const isName = (text: string): boolean => Name.safeParse(text).success;

const runNotFound = (project_id: string, run: string): AppError =>
  new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run}`);

function raise(error: AppError): never {
  throw error;
}
