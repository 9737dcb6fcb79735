import type { PluginHost } from '../core/plugin-sdk/index.ts';
import type { CodeSandbox } from '../core/scorers/code-sandbox.ts';
import type { ModelLender } from '../core/scorers/lending/model-lender.ts';
import type { ScorerKits } from '../core/scorers/scorer-kits.ts';

export interface ScorerKitDeps {
  readonly codeSandbox: CodeSandbox;
  readonly pluginHost: PluginHost;
  readonly modelLender: ModelLender;
}

/** What scorer-kind plugins may use. */
export const scorerKitsOf = ({ codeSandbox, pluginHost, modelLender }: ScorerKitDeps): ScorerKits => ({
  forJob: () => {
    const lend = modelLender.forJob();
    return (use) => ({
      ...pluginHost,
      runCode: (program, records) => codeSandbox.run(program, records),
      model: (alias) => lend(use, alias),
    });
  },
});
