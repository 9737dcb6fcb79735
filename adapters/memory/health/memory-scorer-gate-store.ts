import type { ScorerGate, ScorerGateStore } from '../../../core/health/scorer-gate.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export class MemoryScorerGateStore implements ScorerGateStore {
  readonly #gates: Table<string, ScorerGate>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#gates = database.table();
  }

  async put(gate: ScorerGate): Promise<void> {
    this.#gates.set(gate.scorer_id, structuredClone(gate));
  }

  async find(scorer_id: string): Promise<ScorerGate | undefined> {
    const gate = this.#gates.get(scorer_id);
    return gate && structuredClone(gate);
  }

  async remove(scorer_id: string): Promise<boolean> {
    return this.#gates.delete(scorer_id);
  }
}
