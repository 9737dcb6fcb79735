import { AppError } from '../../../core/kernel/errors.ts';
import { matchesAll } from '../../../core/kernel/query/filter-matching.ts';
import type { PageRequest, Slice } from '../../../core/kernel/query/page.ts';
import { compareText, sorted } from '../../../core/kernel/query/sort.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../../../core/scorers/scorer.ts';
import type { ScorerListFilter, ScorerOrder } from '../../../core/scorers/scorer-query.ts';
import type { ScorerChanges, ScorerStore } from '../../../core/scorers/scorer-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export class MemoryScorerStore implements ScorerStore {
  readonly #scorers: Table<string, ScorerRecord>;
  readonly #versions: Table<string, ScorerVersionRecord>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#scorers = database.table();
    this.#versions = database.table();
  }

  async insert(scorer: ScorerRecord): Promise<void> {
    if (this.#scorers.has(scorer.id)) throw exists(scorer);
    this.#refuseTakenName(scorer);
    this.#scorers.set(scorer.id, structuredClone(scorer));
  }

  async find(id: string): Promise<ScorerRecord | undefined> {
    return structuredClone(this.#scorers.get(id));
  }

  async findMany(ids: readonly string[]): Promise<ScorerRecord[]> {
    return structuredClone([...this.#scorers.values()].filter(({ id }) => ids.includes(id)));
  }

  async list(
    filters: readonly ScorerListFilter[],
    order: ScorerOrder,
    { starting_token, limit }: PageRequest,
  ): Promise<ScorerRecord[]> {
    const passing = [...this.#scorers.values()].filter((scorer) =>
      matchesAll(filters, (name) => {
        return name === 'creator' ? scorer.created_by : scorer[name];
      }),
    );
    return structuredClone(inOrder(passing, order).slice(starting_token, starting_token + limit + 1));
  }

  async update(id: string, changes: ScorerChanges): Promise<ScorerRecord | undefined> {
    const before = this.#scorers.get(id);
    if (!before) return undefined;
    const after = structuredClone({ ...before, ...changes });
    this.#refuseTakenName(after);
    this.#scorers.set(id, after);
    return structuredClone(after);
  }

  async remove(id: string): Promise<boolean> {
    for (const version of [...this.#versions.values()]) if (version.scorer_id === id) this.#versions.delete(version.id);
    return this.#scorers.delete(id);
  }

  async tags(): Promise<string[]> {
    return [...new Set([...this.#scorers.values()].flatMap(({ tags }) => tags))].sort(compareText);
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

  async listVersions(scorer_id: string, { offset, limit }: Slice, ids?: readonly string[]): Promise<ScorerVersionRecord[]> {
    const own = [...this.#versions.values()].filter((one) => one.scorer_id === scorer_id && (!ids || ids.includes(one.id)));
    return structuredClone(own.sort((a, b) => b.version - a.version).slice(offset, offset + limit));
  }

  async latestVersions(scorer_ids: readonly string[]): Promise<ScorerVersionRecord[]> {
    return structuredClone(scorer_ids.map((id) => this.#newest(id)).filter((version) => version !== undefined));
  }

  #refuseTakenName(scorer: ScorerRecord): void {
    const { id, name, scorer_type } = scorer;
    const others = [...this.#scorers.values()].filter((other) => other.id !== id);
    if (others.some((other) => other.name === name && other.scorer_type === scorer_type)) throw exists(scorer);
  }

  #newest(scorer_id: string): ScorerVersionRecord | undefined {
    const own = [...this.#versions.values()].filter((version) => version.scorer_id === scorer_id);
    return own.sort((a, b) => b.version - a.version)[0];
  }
}

function inOrder(scorers: readonly ScorerRecord[], order: ScorerOrder): ScorerRecord[] {
  const byName = sorted(scorers, order.name === 'name' ? order.ascending : true, ({ name }) => name);
  if (order.name === 'name') return byName;
  const direction = order.ascending ? 1 : -1;
  const isEnabled = ({ id }: ScorerRecord) => Number(order.enabled.includes(id));
  return byName.sort((a, b) => direction * (isEnabled(a) - isEnabled(b)));
}

const exists = ({ name, scorer_type }: ScorerRecord): AppError =>
  new AppError('conflict', 'scorer_exists', `a ${scorer_type} scorer is named "${name}" already`);
