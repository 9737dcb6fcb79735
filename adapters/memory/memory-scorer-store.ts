import { AppError } from '../../core/kernel/errors.ts';
import { matchesAll } from '../../core/kernel/filter-matching.ts';
import type { PageRequest } from '../../core/kernel/page.ts';
import { type Sort, sorted } from '../../core/kernel/sort.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../../core/scorers/scorer.ts';
import type { ScorerListFilter, ScorerStore } from '../../core/scorers/scorer-store.ts';

export class MemoryScorerStore implements ScorerStore {
  readonly #scorers = new Map<string, ScorerRecord>();
  readonly #versions = new Map<string, ScorerVersionRecord>();

  async insert(scorer: ScorerRecord): Promise<void> {
    const { id, name, scorer_type } = scorer;
    const taken = [...this.#scorers.values()].some(
      (other) => other.id === id || (other.name === name && other.scorer_type === scorer_type),
    );
    if (taken) throw new AppError('conflict', 'scorer_exists', `a ${scorer_type} scorer is named "${name}" already`);
    this.#scorers.set(id, structuredClone(scorer));
  }

  async find(id: string): Promise<ScorerRecord | undefined> {
    return structuredClone(this.#scorers.get(id));
  }

  async findMany(ids: readonly string[]): Promise<ScorerRecord[]> {
    return structuredClone([...this.#scorers.values()].filter(({ id }) => ids.includes(id)));
  }

  async list(
    filters: readonly ScorerListFilter[],
    sort: Sort<'name'>,
    { starting_token, limit }: PageRequest,
  ): Promise<ScorerRecord[]> {
    const passing = [...this.#scorers.values()].filter((scorer) =>
      matchesAll(filters, (name) => {
        if (name === 'label') return scorer.name;
        return name === 'creator' ? scorer.created_by : scorer[name];
      }),
    );
    return structuredClone(sorted(passing, sort.ascending, ({ name }) => name).slice(starting_token, starting_token + limit + 1));
  }

  async setDefaultVersion(id: string, version_id: string, updated_at: string): Promise<void> {
    const scorer = this.#scorers.get(id);
    if (scorer) this.#scorers.set(id, { ...scorer, default_version_id: version_id, updated_at });
  }

  async insertVersion(version: Omit<ScorerVersionRecord, 'version'>): Promise<ScorerVersionRecord> {
    if (!this.#scorers.has(version.scorer_id)) {
      throw new AppError('not_found', 'scorer_not_found', `scorer ${version.scorer_id} does not exist`);
    }
    const numbered = { ...version, version: (this.#newest(version.scorer_id)?.version ?? 0) + 1 };
    this.#versions.set(version.id, structuredClone(numbered));
    return numbered;
  }

  async findVersion(id: string): Promise<ScorerVersionRecord | undefined> {
    return structuredClone(this.#versions.get(id));
  }

  async findVersionOf(scorer_id: string, version?: number): Promise<ScorerVersionRecord | undefined> {
    if (version === undefined) return structuredClone(this.#newest(scorer_id));
    return structuredClone([...this.#versions.values()].find((one) => one.scorer_id === scorer_id && one.version === version));
  }

  async latestVersions(scorer_ids: readonly string[]): Promise<ScorerVersionRecord[]> {
    return structuredClone(scorer_ids.map((id) => this.#newest(id)).filter((version) => version !== undefined));
  }

  #newest(scorer_id: string): ScorerVersionRecord | undefined {
    const own = [...this.#versions.values()].filter((version) => version.scorer_id === scorer_id);
    return own.sort((a, b) => b.version - a.version)[0];
  }
}
