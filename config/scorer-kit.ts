import type { PluginHost } from '../core/plugin-sdk/index.ts';
import type { CodeLanguages } from '../core/scorers/languages/code-languages.ts';
import type { JudgeFiles } from '../core/scorers/scoring/judge-files.ts';
import type { JudgeModels } from '../core/scorers/scoring/judge-models.ts';
import type { ScorerKits } from '../core/scorers/scoring/scorer-kits.ts';
import type { Strikes } from '../core/scorers/scoring/strikes.ts';
import { checkProgram, runWatched } from '../core/scorers/scoring/watched-run.ts';

export interface ScorerKitDeps {
  readonly codeLanguages: CodeLanguages;
  readonly pluginHost: PluginHost;
  readonly judgeModels: JudgeModels;
  readonly judgeFiles: JudgeFiles;
  readonly strikes: Strikes;
}

/** Makes the services that scorer-kind plugins may use. */
export const makeScorerKits = ({ codeLanguages, pluginHost, judgeModels, judgeFiles, strikes }: ScorerKitDeps): ScorerKits => ({
  forJob: () => {
    const open = judgeModels.forJob();
    return (use, signal) => ({
      ...pluginHost,
      runCode: (program, records) => runWatched({ codeLanguages, strikes }, use, { program, records, signal }),
      checkCode: (program) => checkProgram(codeLanguages, use, program, signal),
      model: (alias, choice) => open(use, alias, choice),
      files: (ids) => judgeFiles.describe(use.project_id, ids),
    });
  },
});
