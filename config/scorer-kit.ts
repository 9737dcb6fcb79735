import { PluginError, type PluginHost, type ScorerKit } from '../core/plugin-sdk/index.ts';
import type { CodeSandbox } from '../core/scorers/code-sandbox.ts';

export interface ScorerKitDeps {
  readonly codeSandbox: CodeSandbox;
  readonly pluginHost: PluginHost;
}

/** What scorer-kind plugins may use. Nobody's models are lent yet: a run does not say who enabled a scorer. */
export const scorerKitOf = ({ codeSandbox, pluginHost }: ScorerKitDeps): ScorerKit => ({
  ...pluginHost,
  runCode: (program, records) => codeSandbox.run(program, records),
  model: async (alias) => {
    throw new PluginError('unsupported', `no integration offers the model "${alias}"`);
  },
});
