import type { CodeInput, CodeOutcome, CodeProgram } from '../../plugin-sdk/index.ts';
import type { CodeLanguages } from '../languages/code-languages.ts';
import type { SandboxUse } from './code-sandbox.ts';
import { type ModelUse, NO_PROJECT } from './scorer-kits.ts';
import type { Strikes } from './strikes.ts';

export interface WatchedRunDeps {
  readonly codeLanguages: Pick<CodeLanguages, 'run'>;
  readonly strikes: Strikes;
}

export interface CodeRun {
  readonly program: CodeProgram;
  readonly records: readonly CodeInput[];
  readonly signal: AbortSignal;
}

/** Runs code of a scorer version and counts its strikes: once it is switched off, the rest of the records is not run. */
export async function runWatched(
  { codeLanguages, strikes }: WatchedRunDeps,
  use: ModelUse,
  { program, records, signal }: CodeRun,
): Promise<CodeOutcome[]> {
  const { project_id, scorer_id, scorer_version_id } = use;
  const watch = strikes.watch({ project_id, scorer_id, scorer_version_id });
  const watched = { ...ownerOf(use), signal, verdictAfter: watch.after };
  const outcomes = await codeLanguages.run(program, records, watched);
  await watch.settled();
  return outcomes;
}

/** Why a program is not run, for its author; undefined when it is. */
export const checkProgram = (
  codeLanguages: Pick<CodeLanguages, 'check'>,
  use: ModelUse,
  program: CodeProgram,
  signal: AbortSignal,
): Promise<string | undefined> => codeLanguages.check(program, { ...ownerOf(use), signal });

/** Trials on samples belong to no project: who tries them takes turns with the others. */
const ownerOf = ({ project_id, scorer_id, user_id }: ModelUse): Pick<SandboxUse, 'project_id' | 'scorer_id'> => ({
  project_id: project_id === NO_PROJECT ? (user_id ?? NO_PROJECT) : project_id,
  scorer_id,
});
