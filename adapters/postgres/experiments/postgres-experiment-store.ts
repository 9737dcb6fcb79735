import type { ExperimentFacts, UsedPrompt } from '../../../core/experiments/experiment-facts.ts';
import type { ExperimentStore, RunOfDataset } from '../../../core/experiments/experiment-store.ts';
import type { JsonObject } from '../../../core/kernel/json.ts';
import { runNotFound } from '../../../core/projects/run.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, decodeText, encodeJson, encodeText } from '../database/text-codec.ts';

interface Row extends Omit<ExperimentFacts, 'dataset' | 'prompt' | 'prompt_run_settings'> {
  readonly dataset_id: string | null;
  readonly dataset_version_index: number | null;
  readonly dataset_name: string | null;
  readonly prompt: unknown;
  readonly prompt_run_settings: unknown;
}

const COLUMNS = [
  'task_type',
  'dataset_id',
  'dataset_version_index',
  'dataset_name',
  'prompt',
  'prompt_run_settings',
  'playground_id',
  'playground_prompt_id',
  'generated',
];
const GIVEN = COLUMNS.map((column) => `given.${column}`).join(', ');
const REPLACED = COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ');

/** The run is held meanwhile, so that no facts are left behind by a removal under way. */
const PUT = `with held as (select project_id, id from runs where project_id = $1 and id = $2 for key share)
insert into experiments (project_id, run_id, ${COLUMNS.join(', ')})
select held.project_id, held.id, ${GIVEN} from held, jsonb_populate_record(null::experiments, $3::jsonb) as given
on conflict (project_id, run_id) do update set ${REPLACED} returning run_id`;

export class PostgresExperimentStore implements ExperimentStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async put(facts: ExperimentFacts): Promise<void> {
    const { project_id, run_id } = facts;
    const written = await this.#session.sql(PUT, [project_id, run_id, JSON.stringify(toRow(facts))]);
    if (written.length === 0) throw runNotFound(project_id, run_id);
  }

  async find(project_id: string, run_id: string): Promise<ExperimentFacts | undefined> {
    const [facts] = await this.list(project_id, [run_id]);
    return facts;
  }

  async list(project_id: string, run_ids: readonly string[]): Promise<ExperimentFacts[]> {
    const rows = await this.#session.sql<Row>('select * from experiments where project_id = $1 and run_id = any($2::uuid[])', [
      project_id,
      [...run_ids],
    ]);
    return rows.map(toFacts);
  }

  listByDatasets(project_id: string, dataset_ids: readonly string[]): Promise<RunOfDataset[]> {
    return this.#session.sql<RunOfDataset>(
      'select run_id, dataset_id from experiments where project_id = $1 and dataset_id = any($2::uuid[])',
      [project_id, [...dataset_ids]],
    );
  }

  async report(project_id: string, run_id: string, generated: number): Promise<void> {
    await this.#session.sql('update experiments set generated = $3 where project_id = $1 and run_id = $2', [
      project_id,
      run_id,
      generated,
    ]);
  }
}

function toRow({ dataset, prompt, prompt_run_settings, ...facts }: ExperimentFacts): Row {
  return {
    ...facts,
    dataset_id: dataset?.dataset_id ?? null,
    dataset_version_index: dataset?.version_index ?? null,
    dataset_name: dataset ? encodeText(dataset.name) : null,
    prompt: encodeJson(prompt),
    prompt_run_settings: encodeJson(prompt_run_settings),
  };
}

function toFacts({
  dataset_id,
  dataset_version_index,
  dataset_name,
  prompt,
  prompt_run_settings,
  ...facts
}: Row): ExperimentFacts {
  const isOfDataset = dataset_id !== null && dataset_version_index !== null && dataset_name !== null;
  return {
    ...facts,
    dataset: isOfDataset ? { dataset_id, version_index: dataset_version_index, name: decodeText(dataset_name) } : null,
    prompt: decodeJson(prompt) as UsedPrompt | null,
    prompt_run_settings: decodeJson(prompt_run_settings) as JsonObject | null,
  };
}
