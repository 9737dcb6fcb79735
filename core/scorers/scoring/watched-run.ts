import type { CodeSandbox, Outcome, Program, SandboxInput } from './code-sandbox.ts';
import { type ModelUse, NO_PROJECT } from './scorer-kits.ts';
import type { Strikes } from './strikes.ts';

export interface WatchedRunDeps {
  readonly codeSandbox: Pick<CodeSandbox, 'run'>;
  readonly strikes: Strikes;
}

export interface CodeRun {
  readonly program: Program;
  readonly records: readonly SandboxInput[];
  readonly signal: AbortSignal;
}

/** Runs code of a scorer version and counts its strikes: once it is switched off, the rest of the records is not run. */
export async function runWatched(
  { codeSandbox, strikes }: WatchedRunDeps,
  { project_id, scorer_id, scorer_version_id, user_id }: ModelUse,
  { program, records, signal }: CodeRun,
): Promise<Outcome[]> {
  const watch = strikes.watch({ project_id, scorer_id, scorer_version_id });
  // Trials on samples belong to no project: who tries them takes turns with the others.
  const owner_id = project_id === NO_PROJECT ? (user_id ?? NO_PROJECT) : project_id;
  const use = { project_id: owner_id, scorer_id, signal, verdictAfter: watch.after };
  const outcomes = await codeSandbox.run(program, records, use);
  await watch.settled();
  return outcomes;
}
