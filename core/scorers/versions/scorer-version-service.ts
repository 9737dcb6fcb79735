import type { Caller } from '../../access/caller.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../../kernel/query/page.ts';
import { KIND_OF, type ScorerRecord, scorerNotFound } from '../scorer.ts';
import { enabledIn, type RunLookupDeps } from '../settings/run-lookup.ts';
import { addVersion, type Definition, fitDefinition, type NewVersionDeps, ownScorer, toContent } from './new-version.ts';
import type { ScorerVersion } from './scorer-version.ts';
import { toScorerVersion } from './scorer-version-views.ts';
import { scorerWithVersion } from './version-lookup.ts';
import type { NewFinetunedVersion, NewLlmVersion, NewPresetVersion } from './version-requests.ts';

export interface ScorerVersionDeps extends NewVersionDeps, RunLookupDeps {}

/** Versions of scorers: each is written once, and none is put to use but the first until somebody makes it the default. */
export class ScorerVersionService {
  readonly #deps: ScorerVersionDeps;

  constructor(deps: ScorerVersionDeps) {
    this.#deps = deps;
  }

  /** A version by number, or the latest. */
  async get(_caller: Caller, scorer_id: string, number?: number): Promise<ScorerVersion> {
    const { scorer, version } = await scorerWithVersion(this.#deps.scorerStore, scorer_id, number);
    return toScorerVersion(version, scorer);
  }

  /** Newest first. Of a run: the version that it uses, if the caller sees the run and the scorer is enabled there. */
  async list(
    caller: Caller,
    scorer_id: string,
    run_id: string | undefined,
    wanted: PageRequest,
  ): Promise<PageFields & { versions: ScorerVersion[] }> {
    const scorer = await this.#deps.scorerStore.find(scorer_id);
    if (!scorer) throw scorerNotFound(scorer_id);
    const ids = run_id === undefined ? undefined : await this.#usedIn(caller, scorer, run_id);
    const { items, page } = toPage(await this.#deps.scorerStore.listVersions(scorer_id, sliceFor(wanted), ids), wanted);
    return { ...page, versions: items.map((version) => toScorerVersion(version, scorer)) };
  }

  async addJudge(caller: Caller, scorer_id: string, body: NewLlmVersion): Promise<ScorerVersion> {
    const scorer = await ownScorer(this.#deps, caller, scorer_id, 'llm');
    const { scoreable_node_types, ...given } = body;
    const asks = given.chain_poll_template ?? given.user_prompt ?? given.instructions;
    const question = asks ? {} : present({ user_prompt: scorer.user_prompt });
    const definition = { ...judgeDefaults(scorer), ...question, ...present(given) };
    return this.#add(caller, scorer, KIND_OF.llm, definition, scoreable_node_types);
  }

  /** The definition of the latest version of a preset, with other settings. */
  async addPreset(caller: Caller, scorer_id: string, body: NewPresetVersion): Promise<ScorerVersion> {
    const scorer = await ownScorer(this.#deps, caller, scorer_id, 'preset');
    const { version: latest } = await scorerWithVersion(this.#deps.scorerStore, scorer_id);
    const { scoreable_node_types, ...given } = body;
    const definition = { ...latest.definition, ...present(given) };
    return this.#add(caller, scorer, latest.kind, definition, scoreable_node_types ?? latest.scoreable_node_types);
  }

  async addTuned(caller: Caller, scorer_id: string, body: NewFinetunedVersion): Promise<ScorerVersion> {
    const scorer = await ownScorer(this.#deps, caller, scorer_id, 'finetuned');
    const { output_type, input_type } = scorer;
    return this.#add(caller, scorer, KIND_OF.finetuned, present({ output_type, input_type, ...body }), null);
  }

  /** The content of an older version once more, under the next number. */
  async restore(caller: Caller, scorer_id: string, number: number): Promise<ScorerVersion> {
    const scorer = await ownScorer(this.#deps, caller, scorer_id);
    const { version } = await scorerWithVersion(this.#deps.scorerStore, scorer_id, number);
    const {
      id: _id,
      scorer_id: _of,
      version: _number,
      created_by: _by,
      created_at: _at,
      updated_at: _late,
      ...content
    } = version;
    return toScorerVersion(await addVersion(this.#deps, caller, scorer, content), scorer);
  }

  async #add(
    caller: Caller,
    scorer: ScorerRecord,
    kind: string,
    given: Definition,
    nodeTypes: readonly string[] | null | undefined,
  ): Promise<ScorerVersion> {
    const definition = fitDefinition(this.#deps.scorerKinds, kind, given);
    const content = toContent(scorer, kind, definition, nodeTypes ?? scorer.defaults?.scoreable_node_types ?? null);
    return toScorerVersion(await addVersion(this.#deps, caller, scorer, content), scorer);
  }

  async #usedIn(caller: Caller, { id, default_version_id }: ScorerRecord, run_id: string): Promise<string[]> {
    const entry = (await enabledIn(this.#deps, caller, run_id)).find((one) => one.id === id);
    const used = entry && (entry.scorer_version_id ?? default_version_id);
    return used ? [used] : [];
  }
}

/** Settings of a judge whose body does not name them. */
function judgeDefaults({ defaults, output_type, input_type, ground_truth }: ScorerRecord): Definition {
  const { model_name, num_judges, cot_enabled } = defaults ?? {};
  const types = { output_type: defaults?.output_type ?? output_type, input_type: defaults?.input_type ?? input_type };
  return present({ ...types, ground_truth, model_name, num_judges, cot_enabled });
}

/** Without what is absent or null. */
const present = (fields: Definition): Definition =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
