import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { CodeSandbox } from './code-sandbox.ts';
import { addVersion, contentOf, type NewVersionDeps, ownScorer } from './new-version.ts';
import { KIND_OF } from './scorer.ts';
import type { ScorerVersion } from './scorer-version.ts';
import { versionOf } from './scorer-version-views.ts';
import { codeRefused, programOf, refusalOf, type SourceFile } from './source-file.ts';
import { scorerWithVersion } from './version-lookup.ts';

export interface CodeVersionDeps extends NewVersionDeps {
  readonly codeSandbox: CodeSandbox;
}

/** A record that every scorer has to survive without the sandbox refusing the program. */
const PROBE = JSON.stringify({
  type: 'trace',
  id: '',
  name: '',
  input: '',
  output: '',
  tags: [],
  metrics: {},
  user_metadata: {},
});

/** Versions of code scorers, and their source. */
export class CodeVersionService {
  readonly #deps: CodeVersionDeps;

  constructor(deps: CodeVersionDeps) {
    this.#deps = deps;
  }

  /** The source of a code version, as it was uploaded. */
  async getCode(_caller: Caller, scorer_id: string, number?: number): Promise<string> {
    const { version } = await scorerWithVersion(this.#deps.scorerStore, scorer_id, number);
    const { source } = version.definition;
    if (typeof source === 'string') return source;
    throw new AppError('not_found', 'scorer_version_not_found', 'this version has no code');
  }

  /** Adds a version, unless its program does not compile or defines no scorer. */
  async add(caller: Caller, scorer_id: string, file: SourceFile): Promise<ScorerVersion> {
    const scorer = await ownScorer(this.#deps, caller, scorer_id, 'code');
    const program = programOf(file);
    const [outcome] = await this.#deps.codeSandbox.run(program, [PROBE]);
    if (outcome?.kind === 'refused') throw codeRefused(refusalOf(program, outcome.message));
    const content = contentOf(scorer, KIND_OF.code, { ...program }, null);
    return versionOf(await addVersion(this.#deps, caller, scorer, content), scorer);
  }
}
