import { type Api, dataOf } from './service.ts';

export interface LogStreamPlace {
  readonly project_id: string;
  readonly log_stream_id: string;
}

/** Ids of the project and of the log stream, looked up once by their names. */
export class Places {
  readonly #api: Api;
  readonly #project: string;
  readonly #logStream: string;
  #projectId: Promise<string> | undefined;
  #place: Promise<LogStreamPlace> | undefined;

  constructor(api: Api, project: string, logStream: string) {
    this.#api = api;
    this.#project = project;
    this.#logStream = logStream;
  }

  project(): Promise<string> {
    this.#projectId ??= this.#findProject().catch((error) => {
      this.#projectId = undefined;
      throw error;
    });
    return this.#projectId;
  }

  logStream(): Promise<LogStreamPlace> {
    this.#place ??= this.#findLogStream().catch((error) => {
      this.#place = undefined;
      throw error;
    });
    return this.#place;
  }

  async #findProject(): Promise<string> {
    const filters = [{ name: 'name' as const, operator: 'eq' as const, value: this.#project, case_sensitive: true }];
    const { projects } = await dataOf(this.#api.POST('/v2/projects/paginated', { body: { filters } }));
    if (projects[0]) return projects[0].id;
    const body = { name: this.#project, type: 'gen_ai' as const };
    return (await dataOf(this.#api.POST('/v2/projects', { body }))).id;
  }

  async #findLogStream(): Promise<LogStreamPlace> {
    const project_id = await this.project();
    const params = { path: { project_id } };
    const streams = await dataOf(this.#api.GET('/v2/projects/{project_id}/log_streams', { params }));
    const found = streams.find(({ name }) => name === this.#logStream);
    if (found) return { project_id, log_stream_id: found.id };
    const body = { name: this.#logStream };
    const made = await dataOf(this.#api.POST('/v2/projects/{project_id}/log_streams', { params, body }));
    return { project_id, log_stream_id: made.id };
  }
}
