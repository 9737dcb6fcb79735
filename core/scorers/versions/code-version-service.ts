import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import { DEFAULT_NODE_TYPES, KIND_OF, type ScorerRecord, type ScorerVersionRecord } from '../scorer.ts';
import type { CodeSandbox, Program } from '../scoring/code-sandbox.ts';
import { asJson } from '../validation/plan.ts';
import { definitionHash, type SampleTrialDeps, tryOnSamples } from '../validation/sample-trial.ts';
import { getScoreType } from '../validation/task-result.ts';
import type { Candidate, Validation } from '../validation/validation.ts';
import { codeInvalid, type Verdict, verdictIn } from '../validation/validation-result.ts';
import type { ValidationStore } from '../validation/validation-store.ts';
import { addVersion, type NewVersionDeps, ownScorer, toContent } from './new-version.ts';
import type { ScorerVersion } from './scorer-version.ts';
import { toScorerVersion } from './scorer-version-views.ts';
import { codeRefused, type SourceFile, toProgram, toSourceRefusal } from './source-file.ts';
import { scorerWithVersion } from './version-lookup.ts';

export interface CodeVersionDeps extends NewVersionDeps, SampleTrialDeps {
  readonly codeSandbox: CodeSandbox;
  readonly validationStore: ValidationStore;
}

/** What comes with an uploaded source. */
export interface CodeFacts {
  /** What a trial came to: then there is none here. */
  readonly validation_result?: string | undefined;
  /** The trial that the version is made from. */
  readonly validation_id?: string | undefined;
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

  /**
   * Adds a version. A program that does not compile or defines no scorer is always refused; one that nobody has tried is tried on
   * samples. The version keeps what the trial came to, and takes over the id of the candidate in it.
   */
  async add(caller: Caller, scorer_id: string, file: SourceFile, facts: CodeFacts = {}): Promise<ScorerVersion> {
    const scorer = await ownScorer(this.#deps, caller, scorer_id, 'code');
    const program = toProgram(file);
    const [outcome] = await this.#deps.codeSandbox.run(program, [PROBE], { project_id: caller.user_id, scorer_id });
    if (outcome?.kind === 'refused') throw codeRefused(toSourceRefusal(program.source, outcome.message));
    if (facts.validation_result === undefined) {
      const trial = await this.#trial(caller, scorer, program);
      const score_type = getScoreType(trial.evidence?.outputs.map(({ score }) => score) ?? []);
      return this.#insert(caller, scorer, program, { score_type }, { ...trial, is_new: true });
    }
    const verdict = verdictIn(facts.validation_result);
    const trial = await this.#trialBy(caller, verdict.validation_id ?? facts.validation_id, program);
    return this.#insert(caller, scorer, program, verdict, trial && { ...trial, is_new: false });
  }

  async #insert(
    caller: Caller,
    scorer: ScorerRecord,
    program: Program,
    { score_type, scoreable_node_types }: Pick<Verdict, 'score_type' | 'scoreable_node_types'>,
    trial: (Validation & { readonly is_new: boolean }) | undefined,
  ): Promise<ScorerVersion> {
    const { validationStore, scorerStore, transactions, newId } = this.#deps;
    const definition = { ...program, ...(score_type ? { score_type } : {}) };
    const content = toContent(scorer, KIND_OF.code, definition, scorer.scoreable_node_types ?? scoreable_node_types ?? null);
    const isTaken = trial !== undefined && (await scorerStore.findVersion(trial.id)) !== undefined;
    const version = await transactions.run(async (): Promise<ScorerVersionRecord> => {
      const added = await addVersion(this.#deps, caller, scorer, content, trial && !isTaken ? trial.id : newId());
      if (trial?.is_new) {
        const { is_new: _is_new, ...kept } = trial;
        await validationStore.insert({ ...kept, scorer_version_id: added.id });
      } else if (trial && !isTaken) await validationStore.link(trial.id, added.id);
      return added;
    });
    return toScorerVersion(version, scorer);
  }

  /** Of this program, by the same person, and over. */
  async #trialBy(caller: Caller, id: string | null | undefined, program: Program): Promise<Validation | undefined> {
    const trial = id ? await this.#deps.validationStore.find(id) : undefined;
    const hash = definitionHash(KIND_OF.code, { ...program }, this.#deps.sha256);
    const isOwn = trial?.created_by === caller.user_id && trial.definition_hash === hash && trial.evidence !== null;
    return isOwn ? trial : undefined;
  }

  async #trial(caller: Caller, scorer: ScorerRecord, program: Program): Promise<Validation> {
    const { newId, clock } = this.#deps;
    const plan = {
      required_scorers: scorer.required_scorers ?? [],
      scoreable_node_types: scorer.scoreable_node_types ?? DEFAULT_NODE_TYPES,
      output_type: scorer.output_type,
    };
    const [id, kind, definition, created_by] = [newId(), KIND_OF.code, { ...program }, caller.user_id];
    const candidate: Candidate = { ...plan, id, kind, definition, created_by };
    const texts = { input: null, output: null };
    const evidence = await tryOnSamples(this.#deps, candidate, texts, new AbortController().signal);
    if (evidence.verdict === 'invalid') throw codeInvalid(evidence.errors[0] ?? '');
    return {
      ...{ id, kind, definition, created_by, evidence },
      definition_hash: evidence.definition_hash,
      plan: asJson({ ...plan, on: { source: 'samples', ...texts } }),
      project_id: null,
      run_id: null,
      scorer_version_id: null,
      created_at: clock().toISOString(),
    };
  }
}
