import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { datasetNotFound } from '../datasets/dataset.ts';
import type { DatasetContentStore } from '../datasets/dataset-content-store.ts';
import type { DatasetStore } from '../datasets/dataset-store.ts';
import { versionNotFound } from '../datasets/version.ts';
import type { JsonObject } from '../kernel/json.ts';
import { templateVersionNotFound } from '../prompts/template.ts';
import type { TemplateStore } from '../prompts/template-store.ts';
import type { UsedDataset, UsedPrompt } from './experiment-facts.ts';

export interface ExperimentSourceDeps {
  readonly datasetStore: DatasetStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly templateStore: TemplateStore;
  readonly authorizer: Authorizer;
}

/** Finds the sources of experiments, as far as the caller sees them. */
export class ExperimentSources {
  readonly #deps: ExperimentSourceDeps;

  constructor(deps: ExperimentSourceDeps) {
    this.#deps = deps;
  }

  /** The current version without an index. Rejects with AppError `not_found`. */
  async dataset(caller: Caller, dataset_id: string, version_index?: number): Promise<UsedDataset> {
    const { authorizer, datasetStore, datasetContentStore } = this.#deps;
    await authorizer.authorize(caller, 'dataset', dataset_id, 'read');
    const dataset = await datasetStore.find(dataset_id);
    if (!dataset) throw datasetNotFound(dataset_id);
    const version = await datasetContentStore.findVersion(dataset_id, version_index);
    if (!version) throw versionNotFound(version_index ?? dataset.current_version_index);
    return { dataset_id, version_index: version.version_index, name: dataset.name };
  }

  /** Rejects with AppError `not_found`. */
  async prompt(caller: Caller, version_id: string): Promise<{ readonly prompt: UsedPrompt; readonly settings: JsonObject }> {
    const version = await this.#deps.templateStore.findVersionById(version_id);
    const role = version && (await this.#deps.authorizer.roleOn(caller, 'template', version.template_id));
    const template = role && (await this.#deps.templateStore.find(version.template_id));
    if (!version || !template) throw templateVersionNotFound(version_id);
    const { template_id: prompt_template_id, template: content, raw, settings } = version;
    const facts = { prompt_template_id, prompt_template_version_id: version.id, version_index: version.version };
    return { prompt: { ...facts, name: template.name, content, raw }, settings };
  }
}
