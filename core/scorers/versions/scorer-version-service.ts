import type { Caller } from '../../access/caller.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../../kernel/query/page.ts';
import { PRESET } from '../kinds/scorer-kinds.ts';
import { type ScorerRecord, scorerNotFound } from '../scorer.ts';
import { enabledIn, type RunLookupDeps } from '../settings/run-lookup.ts';
import { addVersion, fitDefinition, type NewVersionDeps, ownScorer, present, toContent, typeUnfit } from './new-version.ts';
import type { ScorerVersion } from './scorer-version.ts';
import { scorerWithVersion } from './version-lookup.ts';
import type { NewPresetVersion } from './version-requests.ts';
import { toScorerVersion } from './version-view.ts';

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
    return toScorerVersion(this.#deps.scorerKinds, version, scorer);
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
    return { ...page, versions: items.map((version) => toScorerVersion(this.#deps.scorerKinds, version, scorer)) };
  }

  /** The definition of the latest version of a preset, with other settings. */
  async addPreset(caller: Caller, scorer_id: string, body: NewPresetVersion): Promise<ScorerVersion> {
    const scorer = await ownScorer(this.#deps, caller, scorer_id);
    if (scorer.scorer_type !== PRESET) throw typeUnfit(scorer, PRESET);
    const { version: latest } = await scorerWithVersion(this.#deps.scorerStore, scorer_id);
    const { scoreable_node_types, ...given } = body;
    const { scorerKinds } = this.#deps;
    const definition = fitDefinition(scorerKinds, latest.kind, { ...latest.definition, ...present(given) });
    const nodeTypes = scoreable_node_types ?? latest.scoreable_node_types ?? scorer.defaults?.scoreable_node_types ?? null;
    const content = toContent(scorer, latest.kind, definition, nodeTypes);
    return toScorerVersion(scorerKinds, await addVersion(this.#deps, caller, scorer, content), scorer);
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
    return toScorerVersion(this.#deps.scorerKinds, await addVersion(this.#deps, caller, scorer, content), scorer);
  }

  async #usedIn(caller: Caller, { id, default_version_id }: ScorerRecord, run_id: string): Promise<string[]> {
    const entry = (await enabledIn(this.#deps, caller, run_id)).find((one) => one.id === id);
    const used = entry && (entry.scorer_version_id ?? default_version_id);
    return used ? [used] : [];
  }
}
