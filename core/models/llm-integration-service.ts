import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { integrationNotFound } from '../integrations/integration.ts';
import { asPluginError, providerFailure } from '../integrations/provider-failure.ts';
import type { UserIntegrations } from '../integrations/user-integrations.ts';
import { AppError } from '../kernel/errors.ts';
import type { OfferedModel } from '../plugin-sdk/index.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import type { Run, RunKind } from '../projects/run.ts';
import type { IntegrationModels, LlmIntegrations, MultimodalCapability } from './llm-integration.ts';
import type { ModelDirectory } from './model-directory.ts';

export interface LlmIntegrationDeps {
  readonly userIntegrations: UserIntegrations;
  readonly modelDirectory: ModelDirectory;
  readonly projectStore: ProjectStore;
  readonly authorizer: Authorizer;
}

type Capabilities = readonly MultimodalCapability[];
/** By the modality of the input that they are about. */
const CAPABILITIES: ReadonlyMap<string, MultimodalCapability> = new Map([
  ['image', 'vision'],
  ['audio', 'audio'],
]);
const RUN_KINDS: readonly RunKind[] = ['log_stream', 'experiment', 'metrics_testing'];

/** Which models there are to choose from. */
export class LlmIntegrationService {
  readonly #deps: LlmIntegrationDeps;

  constructor(deps: LlmIntegrationDeps) {
    this.#deps = deps;
  }

  listLlmIntegrations(caller: Caller, capabilities: Capabilities): Promise<LlmIntegrations> {
    return this.#getModels(caller.user_id, capabilities);
  }

  /** Those of whoever created the run: its scorers are judged on their account. */
  async listRunLlmIntegrations(
    caller: Caller,
    project_id: string,
    run_id: string,
    capabilities: Capabilities,
  ): Promise<LlmIntegrations> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const { created_by } = await this.#getRun(project_id, run_id);
    return created_by === null ? {} : this.#getModels(created_by, capabilities);
  }

  /** Rejects with `not_found` when the caller has no integration of this provider, or of this name. */
  async listModels(caller: Caller, llm_integration: string): Promise<string[]> {
    return (await this.#offered(caller, llm_integration)).map(({ name }) => name);
  }

  /** As `listModels`, those that may judge. */
  async listScorerModels(caller: Caller, llm_integration: string): Promise<string[]> {
    return scorerModels(await this.#offered(caller, llm_integration));
  }

  async #offered({ user_id }: Caller, llm_integration: string): Promise<readonly OfferedModel[]> {
    const { modelDirectory, userIntegrations } = this.#deps;
    const inForce = (await userIntegrations.inForce(user_id)).find(({ provider }) => provider === llm_integration);
    const integration =
      inForce ??
      (await userIntegrations.usableBy(user_id)).find(({ name, is_disabled }) => name === llm_integration && !is_disabled);
    if (!integration) throw integrationNotFound(llm_integration);
    return modelDirectory.getModels(integration).catch((error: unknown) => {
      throw providerFailure(asPluginError(error));
    });
  }

  /** A provider that does not respond offers nothing now; the others are not held up. */
  async #getModels(user_id: string, capabilities: Capabilities): Promise<LlmIntegrations> {
    const integrations = await this.#deps.userIntegrations.inForce(user_id);
    const listed = await Promise.all(
      integrations.map(async (integration) => {
        const models = await this.#deps.modelDirectory.getModels(integration).catch(() => []);
        return [integration.provider, shown(integration.provider, models, capabilities)] as const;
      }),
    );
    return Object.fromEntries(listed);
  }

  async #getRun(project_id: string, run_id: string): Promise<Run> {
    const found = await Promise.all(RUN_KINDS.map((kind) => this.#deps.projectStore.findRun(project_id, kind, run_id)));
    const run = found.find((one) => one !== undefined);
    if (!run) throw new AppError('not_found', 'run_not_found', `run ${run_id} does not exist`);
    return run;
  }
}

function shown(provider: string, offered: readonly OfferedModel[], capabilities: Capabilities): IntegrationModels {
  const fitting = offered.filter((model) => capabilities.every((capability) => getCapabilities(model).includes(capability)));
  return {
    integration_name: provider,
    models: fitting.map(({ name }) => name),
    scorer_models: scorerModels(fitting),
    supports_num_judges: true,
    recommended_models: {},
    model_properties: fitting.map((model) => {
      const { name, alias = name } = model;
      return { alias, name, input_modalities: getModalities(model), multimodal_capabilities: getCapabilities(model) };
    }),
  };
}

const getModalities = ({ input_modalities = ['text'] }: OfferedModel): string[] => [...input_modalities];

const getCapabilities = (model: OfferedModel): MultimodalCapability[] =>
  getModalities(model).flatMap((modality) => CAPABILITIES.get(modality) ?? []);

const scorerModels = (models: readonly OfferedModel[]): string[] =>
  models.filter(({ for_scorers }) => for_scorers).map(({ name }) => name);
