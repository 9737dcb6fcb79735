import { PluginError, type PluginHost } from '../core/plugin-sdk/index.ts';
import type { CodeSandbox } from '../core/scorers/code-sandbox.ts';
import type { ScorerKits } from '../core/scorers/scorer-kits.ts';

export interface ScorerKitDeps {
  readonly codeSandbox: CodeSandbox;
  readonly pluginHost: PluginHost;
}

/** What scorer-kind plugins may use. */
export const scorerKitsOf = ({ codeSandbox, pluginHost }: ScorerKitDeps): ScorerKits => ({
  forJob: () => () => ({
    ...pluginHost,
    runCode: (program, records) => codeSandbox.run(program, records),
    model: async (alias) => {
      throw new PluginError('unsupported', `no integration offers the model "${alias}"`);
    },
  }),
});
