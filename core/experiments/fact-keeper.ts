import type { DatasetStore } from '../datasets/dataset-store.ts';
import type { RunOriginStore } from '../projects/run-origin-store.ts';
import type { TemplateStore } from '../prompts/template-store.ts';
import type { ExperimentFacts } from './experiment-facts.ts';
import type { ExperimentStore } from './experiment-store.ts';

export interface FactKeeperDeps {
  readonly experimentStore: ExperimentStore;
  readonly runOriginStore: RunOriginStore;
  readonly datasetStore: DatasetStore;
  readonly templateStore: TemplateStore;
}

/** Stores what an experiment is made of, here and wherever else that is asked for. Joins the transaction under way. */
export async function keepFacts(deps: FactKeeperDeps, facts: ExperimentFacts, at: string): Promise<void> {
  const { experimentStore, runOriginStore, datasetStore, templateStore } = deps;
  const { project_id, run_id, dataset, prompt } = facts;
  await experimentStore.put(facts);
  const from = { dataset_id: dataset?.dataset_id ?? null, dataset_version_index: dataset?.version_index ?? null };
  const scored = { scorer_id: null, scorer_version_id: null, source_run_id: null };
  await runOriginStore.put({ project_id, run_id, ...from, ...scored });
  if (dataset) await datasetStore.use({ dataset_id: dataset.dataset_id, project_id }, at);
  if (prompt) await templateStore.use(prompt.prompt_template_id, project_id);
}
