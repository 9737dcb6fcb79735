import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import { stackOf } from '../../kernel/failure.ts';
import { type DefinitionFile, PluginError, type ScorerKindPlugin, type UploadHost } from '../../plugin-sdk/index.ts';
import type { Definition, FileKind } from '../kinds/scorer-kinds.ts';
import type { CodeLanguages } from '../languages/code-languages.ts';
import { DEFAULT_NODE_TYPES, type ScorerRecord, type ScorerVersionRecord } from '../scorer.ts';
import { NO_PROJECT } from '../scoring/scorer-kits.ts';
import { asJson } from '../validation/plan.ts';
import { definitionHash, type SampleTrialDeps, tryOnSamples } from '../validation/sample-trial.ts';
import { getScoreType } from '../validation/task-result.ts';
import type { Candidate, Validation } from '../validation/validation.ts';
import { codeInvalid, type Verdict, verdictIn } from '../validation/validation-result.ts';
import type { ValidationStore } from '../validation/validation-store.ts';
import { addVersion, fitDefinition, type NewVersionDeps, ownScorer, present, toContent } from './new-version.ts';
import type { ScorerVersion } from './scorer-version.ts';
import { scorerWithVersion } from './version-lookup.ts';
import { toScorerVersion } from './version-view.ts';

export interface KindVersionDeps extends NewVersionDeps, SampleTrialDeps {
  readonly validationStore: ValidationStore;
  readonly codeLanguages: CodeLanguages;
}

/** Facts about a definition that is an uploaded file. */
export interface UploadFacts {
  /** Result of an earlier trial, by the client's word: only the trial that it names spares another. */
  readonly validation_result?: string | undefined;
  /** The trial that the version is made from. */
  readonly validation_id?: string | undefined;
  /** Fields of the kind's own. */
  readonly [field: string]: unknown;
}

type Trial = Validation & { readonly is_new: boolean };

/** Makes versions of scorers in the way that their kind declares. */
export class KindVersionService {
  readonly #deps: KindVersionDeps;
  readonly #uploadHost: UploadHost;

  constructor(deps: KindVersionDeps) {
    this.#deps = deps;
    this.#uploadHost = { selectLanguage: (file, named) => deps.codeLanguages.select(file, named) };
  }

  /** Adds a version whose definition is the body, apart from what every version has. */
  async add(caller: Caller, scorer_id: string, plugin: ScorerKindPlugin, body: Definition): Promise<ScorerVersion> {
    const scorer = await ownScorer(this.#deps, caller, scorer_id, plugin);
    const { scoreable_node_types, ...sent } = body;
    const completed = this.#completed(plugin, scorer, sent);
    const definition = fitDefinition(this.#deps.scorerKinds, plugin.id, completed);
    const refusal = await this.#refusal(caller, scorer_id, plugin, definition);
    if (refusal !== undefined) throw definitionRefused(refusal);
    const nodeTypes = (scoreable_node_types as readonly string[] | null | undefined) ?? nodeTypesIn(scorer.defaults);
    const version = await addVersion(this.#deps, caller, scorer, toContent(scorer, plugin.id, definition, nodeTypes));
    return toScorerVersion(this.#deps.scorerKinds, version, scorer);
  }

  /**
   * Adds a version whose definition is an uploaded file. One that cannot judge at all is always refused. A result that is brought
   * along counts by the stored trial that it names; whatever that is not a trial of is tried on samples. The version keeps what the
   * trial came to, and takes over the id of the candidate in it.
   */
  async addFile(
    caller: Caller,
    scorer_id: string,
    plugin: FileKind,
    file: DefinitionFile,
    facts: UploadFacts = {},
  ): Promise<ScorerVersion> {
    const scorer = await ownScorer(this.#deps, caller, scorer_id, plugin);
    const definition = this.definitionIn(plugin, file, facts);
    const refusal = await this.#refusal(caller, scorer_id, plugin, definition);
    if (refusal !== undefined) throw codeRefused(refusal);
    const verdict = facts.validation_result === undefined ? undefined : verdictIn(facts.validation_result);
    const tried = { kind: plugin.id, definition };
    const known = await this.#trialBy(caller, verdict?.validation_id ?? facts.validation_id, tried);
    if (known) return this.#insert(caller, scorer, tried, verdict ?? {}, { ...known, is_new: false });
    const trial = await this.#trial(caller, scorer, plugin, definition);
    const score_type = getScoreType(trial.evidence?.outputs.map(({ score }) => score) ?? []);
    return this.#insert(caller, scorer, trial, { ...verdict, score_type }, { ...trial, is_new: true });
  }

  /** The file of a version, as it was uploaded. */
  async getFile(_caller: Caller, scorer_id: string, plugin: FileKind, number?: number): Promise<string> {
    const { version } = await scorerWithVersion(this.#deps.scorerStore, scorer_id, number);
    const parsed = version.kind === plugin.id ? this.#deps.scorerKinds.parse(plugin, version.definition) : undefined;
    if (parsed?.definition) return plugin.upload.text(parsed.definition);
    throw new AppError('not_found', 'scorer_version_not_found', 'this version has no code');
  }

  /** Rejects with AppError `invalid` when there is none in the file. */
  definitionIn(plugin: FileKind, file: DefinitionFile, fields: Definition): Definition {
    try {
      return fitDefinition(this.#deps.scorerKinds, plugin.id, plugin.upload.read(file, fields, this.#uploadHost), [
        'body',
        'file',
      ]);
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (!(error instanceof PluginError)) this.#logDefect(plugin, error);
      throw codeRefused(error instanceof PluginError ? error.message : FAILED, error);
    }
  }

  #completed(plugin: ScorerKindPlugin, scorer: ScorerRecord, sent: Definition): Definition {
    const { output_type, input_type, ground_truth, user_prompt } = scorer;
    const facts = { output_type, input_type, ground_truth, user_prompt, defaults: scorer.defaults ?? {} };
    try {
      return plugin.complete?.(present(sent), facts) ?? present(sent);
    } catch (error) {
      this.#logDefect(plugin, error);
      throw definitionRefused(FAILED);
    }
  }

  async #refusal(
    caller: Caller,
    scorer_id: string,
    plugin: ScorerKindPlugin,
    definition: Definition,
  ): Promise<string | undefined> {
    if (!plugin.refusal) return undefined;
    const use = { project_id: NO_PROJECT, run_id: NO_PROJECT, scorer_id, scorer_version_id: NO_PROJECT };
    const whose = { user_id: caller.user_id, daily_budget: null };
    const { signal } = new AbortController();
    try {
      return await plugin.refusal(this.#deps.scorerKits.forJob()({ ...use, ...whose }, signal), definition);
    } catch (error) {
      if (error instanceof PluginError) return error.message;
      throw error;
    }
  }

  async #insert(
    caller: Caller,
    scorer: ScorerRecord,
    { kind, definition: tried }: Pick<Candidate, 'kind' | 'definition'>,
    { score_type, scoreable_node_types }: Pick<Verdict, 'score_type' | 'scoreable_node_types'>,
    trial: Trial | undefined,
  ): Promise<ScorerVersion> {
    const { validationStore, scorerStore, scorerKinds, transactions, newId } = this.#deps;
    const definition = fitDefinition(scorerKinds, kind, { ...tried, ...(score_type ? { score_type } : {}) });
    const content = toContent(scorer, kind, definition, scorer.scoreable_node_types ?? scoreable_node_types ?? null);
    const isTaken = trial !== undefined && (await scorerStore.findVersion(trial.id)) !== undefined;
    const version = await transactions.run(async (): Promise<ScorerVersionRecord> => {
      const added = await addVersion(this.#deps, caller, scorer, content, trial && !isTaken ? trial.id : newId());
      if (trial?.is_new) {
        const { is_new: _is_new, ...kept } = trial;
        await validationStore.insert({ ...kept, scorer_version_id: added.id });
      } else if (trial && !isTaken) await validationStore.link(trial.id, added.id);
      return added;
    });
    return toScorerVersion(scorerKinds, version, scorer);
  }

  /** Of this definition, by the same person, and over. Rejects with AppError `invalid` when it failed on samples. */
  async #trialBy(
    caller: Caller,
    id: string | null | undefined,
    { kind, definition }: Pick<Candidate, 'kind' | 'definition'>,
  ): Promise<Validation | undefined> {
    const trial = id ? await this.#deps.validationStore.find(id) : undefined;
    const hash = definitionHash(kind, definition, this.#deps.sha256);
    const isOwn = trial?.created_by === caller.user_id && trial.definition_hash === hash && trial.evidence !== null;
    if (!isOwn) return undefined;
    // On samples every record has to pass; on records of their own, people may decide to keep what failed on some.
    if (trial.run_id === null && trial.evidence?.verdict === 'invalid') throw codeInvalid(trial.evidence.errors[0] ?? '');
    return trial;
  }

  async #trial(caller: Caller, scorer: ScorerRecord, plugin: ScorerKindPlugin, definition: Definition): Promise<Validation> {
    const { newId, clock } = this.#deps;
    const plan = {
      required_scorers: scorer.required_scorers ?? [],
      scoreable_node_types: scorer.scoreable_node_types ?? DEFAULT_NODE_TYPES,
      output_type: scorer.output_type,
    };
    const [id, kind, created_by] = [newId(), plugin.id, caller.user_id];
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

  #logDefect({ id }: ScorerKindPlugin, error: unknown): void {
    this.#deps.log.error('the plugin of a scorer kind failed', { plugin: id, error: stackOf(error) });
  }
}

const FAILED = 'the plugin of the scorer failed on this definition';

const nodeTypesIn = (defaults: ScorerRecord['defaults']): readonly string[] | null => defaults?.scoreable_node_types ?? null;

const codeRefused = (msg: string, cause?: unknown): AppError =>
  new AppError('invalid', 'code_refused', msg, { cause, issues: [{ loc: ['body', 'file'], msg, type: 'code_refused' }] });

const definitionRefused = (msg: string): AppError =>
  new AppError('invalid', 'definition_invalid', msg, { issues: [{ loc: ['body'], msg, type: 'definition_invalid' }] });
