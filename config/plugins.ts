import type { Plugin, PluginKind, PluginKinds } from '../core/kernel/plugin-kinds.ts';
import type { WorkContext } from '../core/kernel/ports.ts';
import { javascript } from '../plugins/code-languages/javascript/index.ts';
import { python } from '../plugins/code-languages/python/index.ts';
import { typescript } from '../plugins/code-languages/typescript/index.ts';
import { openidConnect } from '../plugins/identity-providers/openid_connect/index.ts';
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
import { email } from '../plugins/notification-channels/email/index.ts';
import { pagerduty } from '../plugins/notification-channels/pagerduty/index.ts';
import { slack } from '../plugins/notification-channels/slack/index.ts';
import { webhook } from '../plugins/notification-channels/webhook/index.ts';
import { aiSdk } from '../plugins/otel-dialects/ai_sdk/index.ts';
import { genAi } from '../plugins/otel-dialects/gen_ai/index.ts';
import { langfuse } from '../plugins/otel-dialects/langfuse/index.ts';
import { mlflow } from '../plugins/otel-dialects/mlflow/index.ts';
import { openinference } from '../plugins/otel-dialects/openinference/index.ts';
import { openllmetry } from '../plugins/otel-dialects/openllmetry/index.ts';
import { finetuned } from '../plugins/scorer-kinds/finetuned/index.ts';
import { generated } from '../plugins/scorer-kinds/generated/index.ts';
import { registered } from '../plugins/scorer-kinds/registered/index.ts';
import { pluginsIn } from './plugin-modules.ts';
import { PLUGIN } from './plugin-scope.ts';

/** The list that plugins of each kind are handed on in. */
const LISTS = {
  model_provider: 'modelProviders',
  scorer_kind: 'scorerKinds',
  notification_channel: 'notificationChannels',
  otel_dialect: 'otelDialects',
  code_language: 'codeLanguages',
  identity_provider: 'identityProviders',
} as const satisfies Record<PluginKind, string>;

export type LoadedPlugins = { readonly [K in PluginKind as (typeof LISTS)[K]]: readonly PluginKinds[K][] };

/** The plugins of the repository, of whichever kind: one import and one entry each. */
export const INSTALLED: LoadedPlugins = byKind([
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

  generated,
  registered,
  finetuned,

  email,
  slack,
  pagerduty,
  webhook,

  // Of sources of equal rank the first goes before.
  langfuse,
  genAi,
  openinference,
  openllmetry,
  aiSdk,
  mlflow,

  javascript,
  typescript,
  python,

  openidConnect,
]);
export const { modelProviders: MODEL_PROVIDERS, scorerKinds: SCORER_KINDS, codeLanguages: CODE_LANGUAGES } = INSTALLED;

/**
 * The installed plugins and those of the given modules. Rejects, naming the module, when one cannot be loaded or holds none,
 * or one that is malformed: a service that silently lacks a plugin gives wrong results.
 */
export async function loadPlugins(specifiers: readonly string[], context?: WorkContext): Promise<LoadedPlugins> {
  const load = (specifier: string): Promise<Plugin[]> =>
    context ? context.run({ [PLUGIN]: specifier }, () => pluginsIn(specifier)) : pluginsIn(specifier);
  const foreign = (await Promise.all(specifiers.map(load))).flat();
  return byKind([...Object.values(INSTALLED).flat(), ...foreign]);
}

function byKind(plugins: readonly Plugin[]): LoadedPlugins {
  const lists = Object.entries(LISTS).map(([kind, list]) => [list, plugins.filter((plugin) => plugin.kind === kind)]);
  return Object.fromEntries(lists) as LoadedPlugins;
}
