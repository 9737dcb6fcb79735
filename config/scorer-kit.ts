import type { ModelDirectory } from '../core/integrations/model-directory.ts';
import { PluginError, type PluginHost, type ScorerKit } from '../core/plugin-sdk/index.ts';
import type { CodeSandbox } from '../core/scorers/code-sandbox.ts';

export interface ScorerKitDeps {
  readonly codeSandbox: CodeSandbox;
  readonly pluginHost: PluginHost;
  readonly modelDirectory: ModelDirectory;
}

/**
 * What scorer-kind plugins may use: the sandbox, and the models of whoever enabled the scorer. `enabled_by` is null where
 * that is not known: then there is nobody to pay for a model.
 */
export const scorerKitOf = (
  { codeSandbox, pluginHost, modelDirectory }: ScorerKitDeps,
  enabled_by: string | null,
): ScorerKit => ({
  ...pluginHost,
  runCode: (program, records) => codeSandbox.run(program, records),
  model: async (alias) => {
    if (enabled_by === null) throw new PluginError('unsupported', `no integration offers the model "${alias}"`);
    return modelDirectory.model(enabled_by, alias);
  },
});
