import type { ModelProviderPlugin, ScorerKindPlugin } from '../core/plugin-sdk/index.ts';
import { anthropic } from '../plugins/model-providers/anthropic/index.ts';
import { azure } from '../plugins/model-providers/azure/index.ts';
import { cloudModelHosting } from '../plugins/model-providers/cloud_model_hosting/index.ts';
import { custom } from '../plugins/model-providers/custom/index.ts';
import { databricks } from '../plugins/model-providers/databricks/index.ts';
import { gateway } from '../plugins/model-providers/gateway/index.ts';
import { managedModelPlatform } from '../plugins/model-providers/managed_model_platform/index.ts';
import { mistral } from '../plugins/model-providers/mistral/index.ts';
import { nvidia } from '../plugins/model-providers/nvidia/index.ts';
import { openai } from '../plugins/model-providers/openai/index.ts';
import { vertexAi } from '../plugins/model-providers/vertex_ai/index.ts';
import { writer } from '../plugins/model-providers/writer/index.ts';
import { registered } from '../plugins/scorer-kinds/registered/index.ts';

/** The installed plugins: one import and one line each. */
export const MODEL_PROVIDERS: readonly ModelProviderPlugin[] = [
  anthropic,
  azure,
  cloudModelHosting,
  custom,
  databricks,
  gateway,
  managedModelPlatform,
  mistral,
  nvidia,
  openai,
  vertexAi,
  writer,
];
export const SCORER_KINDS: readonly ScorerKindPlugin[] = [registered as unknown as ScorerKindPlugin];

export interface LoadedPlugins {
  readonly modelProviders: readonly ModelProviderPlugin[];
  readonly scorerKinds: readonly ScorerKindPlugin[];
}

/**
 * The installed plugins and those of the given modules: every exported value that says of itself what kind of plugin
 * it is. Rejects, naming the module, when one cannot be loaded or holds none: a service that silently lacks a plugin
 * gives wrong answers.
 */
export async function loadPlugins(specifiers: readonly string[]): Promise<LoadedPlugins> {
  const foreign = (await Promise.all(specifiers.map(pluginsIn))).flat();
  return {
    modelProviders: [...MODEL_PROVIDERS, ...foreign.filter((plugin) => plugin.kind === 'model_provider')],
    scorerKinds: [...SCORER_KINDS, ...foreign.filter((plugin) => plugin.kind === 'scorer_kind')],
  };
}

async function pluginsIn(specifier: string): Promise<(ModelProviderPlugin | ScorerKindPlugin)[]> {
  const module = await import(specifier).catch((cause: unknown) => {
    const [why] = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1);
    throw new Error(`plugin module "${specifier}" cannot be loaded: ${why}`, { cause });
  });
  const found = Object.values(module as Record<string, unknown>).filter(isPlugin);
  if (found.length === 0) throw new Error(`plugin module "${specifier}" exports no plugin`);
  return found;
}

function isPlugin(value: unknown): value is ModelProviderPlugin | ScorerKindPlugin {
  const kind = typeof value === 'object' && value !== null ? (value as { kind?: unknown }).kind : undefined;
  return kind === 'model_provider' || kind === 'scorer_kind';
}
