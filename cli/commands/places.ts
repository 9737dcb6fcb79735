import { CommandError } from './command-error.ts';
import type { ServiceClient } from './service-client.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** A run, as requests about records name it. */
export type RunOf = { readonly log_stream_id: string } | { readonly experiment_id: string };

export interface Place {
  readonly project_id: string;
  readonly run: RunOf;
}

export interface PlaceOptions {
  readonly project: string;
  readonly logStream?: string;
  readonly experiment?: string;
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** By id or by name. Rejects when there is none. */
export async function findProject(client: ServiceClient, project: string): Promise<string> {
  const found = ID.test(project) ? project : await lookUpProject(client, project);
  if (found === undefined) throw new CommandError(`there is no project called ${project}`);
  return found;
}

/** As `findProject`, and makes the project where nobody has one of that name. */
export async function findOrMakeProject(client: ServiceClient, project: string): Promise<string> {
  const found = ID.test(project) ? project : await lookUpProject(client, project);
  if (found !== undefined) return found;
  return (await client.call<Named>('POST', '/v2/projects', { json: { name: project, type: 'gen_ai' } })).id;
}

/** A run that records are read from. The first log stream unless another run is named. */
export async function findPlace(client: ServiceClient, options: PlaceOptions): Promise<Place> {
  const project_id = await findProject(client, options.project);
  if (options.experiment !== undefined)
    return { project_id, run: { experiment_id: await findExperiment(client, project_id, options.experiment) } };
  const found = await findLogStream(client, project_id, options.logStream);
  if (found === undefined) throw new CommandError(`there is no log stream called ${options.logStream ?? 'default'}`);
  return { project_id, run: { log_stream_id: found } };
}

/** A run that records are written to; a log stream is made, with its project, where it is missing. */
export async function findOrMakePlace(client: ServiceClient, options: PlaceOptions): Promise<Place> {
  if (options.experiment !== undefined) return findPlace(client, options);
  const { project, logStream } = options;
  const project_id = await findOrMakeProject(client, project);
  const found = await findLogStream(client, project_id, logStream);
  if (found !== undefined) return { project_id, run: { log_stream_id: found } };
  const name = logStream ?? 'default';
  const made = await client.call<Named>('POST', `/v2/projects/${project_id}/log_streams`, { json: { name } });
  return { project_id, run: { log_stream_id: made.id } };
}

export async function findExperiment(client: ServiceClient, project_id: string, experiment: string): Promise<string> {
  if (ID.test(experiment)) return experiment;
  const filters = [{ name: 'name', operator: 'eq', value: experiment }];
  const path = `/v2/projects/${project_id}/experiments/search`;
  const { experiments } = await client.call<{ experiments: Named[] }>('POST', path, { json: { filters, limit: 2 } });
  return theOnly(experiments, 'experiment', experiment);
}

export async function findScorer(client: ServiceClient, scorer: string): Promise<string> {
  if (ID.test(scorer)) return scorer;
  const filters = [{ name: 'name', operator: 'eq', value: scorer, case_sensitive: true }];
  const { scorers } = await client.call<{ scorers: Named[] }>('POST', '/v2/scorers/list', { json: { filters } });
  return theOnly(scorers, 'scorer', scorer);
}

export async function findDataset(client: ServiceClient, dataset: string): Promise<string> {
  const found = await lookUpDataset(client, dataset);
  if (found === undefined) throw new CommandError(`there is no dataset called ${dataset}`);
  return found;
}

/** Undefined when there is none of that name; an id is taken as it is. */
export async function lookUpDataset(client: ServiceClient, dataset: string): Promise<string | undefined> {
  if (ID.test(dataset)) return dataset;
  const filters = [{ name: 'name', operator: 'eq', value: dataset, case_sensitive: true }];
  const { datasets } = await client.call<{ datasets: Named[] }>('POST', '/v2/datasets/query', { json: { filters } });
  return datasets.length === 0 ? undefined : theOnly(datasets, 'dataset', dataset);
}

async function lookUpProject(client: ServiceClient, name: string): Promise<string | undefined> {
  const filters = [{ name: 'name', operator: 'eq', value: name, case_sensitive: true }];
  const { projects } = await client.call<{ projects: Named[] }>('POST', '/v2/projects/paginated', { json: { filters } });
  return projects.length === 0 ? undefined : theOnly(projects, 'project', name);
}

async function findLogStream(client: ServiceClient, project_id: string, wanted?: string): Promise<string | undefined> {
  if (wanted !== undefined && ID.test(wanted)) return wanted;
  const streams = await client.call<Named[]>('GET', `/v2/projects/${project_id}/log_streams`);
  return (wanted === undefined ? streams[0] : streams.find(({ name }) => name === wanted))?.id;
}

function theOnly(found: readonly Named[], what: string, name: string): string {
  const [first, second] = found;
  if (!first) throw new CommandError(`there is no ${what} called ${name}`);
  if (second) throw new CommandError(`${name} is the name of several: name the ${what} by its id`);
  return first.id;
}
