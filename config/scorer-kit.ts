import type { PluginHost } from '../core/plugin-sdk/index.ts';
import type { CodeSandbox } from '../core/scorers/scoring/code-sandbox.ts';
import type { JudgeModels } from '../core/scorers/scoring/judge-models.ts';
import type { ScorerKits } from '../core/scorers/scoring/scorer-kits.ts';
import type { Strikes } from '../core/scorers/scoring/strikes.ts';
import { runWatched } from '../core/scorers/scoring/watched-run.ts';

export interface ScorerKitDeps {
  readonly codeSandbox: CodeSandbox;
  readonly pluginHost: PluginHost;
  readonly judgeModels: JudgeModels;
  readonly strikes: Strikes;
}

/** What scorer-kind plugins may use. */
export const makeScorerKits = ({ codeSandbox, pluginHost, judgeModels, strikes }: ScorerKitDeps): ScorerKits => ({
  forJob: () => {
    const open = judgeModels.forJob();
    return (use, signal) => ({
      ...pluginHost,
      runCode: (program, records) => runWatched({ codeSandbox, strikes }, use, { program, records, signal }),
      model: (alias) => open(use, alias),
    });
  },
});
