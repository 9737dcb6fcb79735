import type { MaskingCount, MaskingDays, MaskingRule } from '../../../core/masking/masking-rule.ts';
import type { MaskingStore, MaskingTally } from '../../../core/masking/masking-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export class MemoryMaskingStore implements MaskingStore {
  readonly #rules: Table<string, readonly MaskingRule[]>;
  readonly #counts: Table<string, readonly MaskingCount[]>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#rules = database.table();
    this.#counts = database.table();
  }

  async list(project_id: string): Promise<MaskingRule[]> {
    return structuredClone([...(this.#rules.get(project_id) ?? [])]);
  }

  async replace(project_id: string, rules: readonly MaskingRule[]): Promise<void> {
    this.#rules.set(project_id, structuredClone(rules));
  }

  async addCounts(project_id: string, day: string, masked: MaskingTally): Promise<void> {
    const counts = this.#counts.get(project_id) ?? [];
    const isNamed = (count: MaskingCount) => count.day === day && masked.has(count.rule);
    const known = new Map(counts.filter(isNamed).map((count) => [count.rule, count.masked]));
    const added = [...masked].map(([rule, more]) => ({ rule, day, masked: (known.get(rule) ?? 0) + more }));
    this.#counts.set(project_id, [...counts.filter((count) => !isNamed(count)), ...added]);
  }

  async listCounts(project_id: string, { from = '', until = '~' }: MaskingDays): Promise<MaskingCount[]> {
    const counts = (this.#counts.get(project_id) ?? []).filter(({ day }) => day >= from && day <= until);
    return counts.map((count) => ({ ...count })).sort((a, b) => (`${a.day} ${a.rule}` < `${b.day} ${b.rule}` ? -1 : 1));
  }

  /** Of a project that is deleted. */
  remove(project_id: string): void {
    this.#rules.delete(project_id);
    this.#counts.delete(project_id);
  }
}
