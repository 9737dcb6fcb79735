import type { ScorerGate, ScorerGateStore } from '../../../core/health/scorer-gate.ts';
import { plain } from '../database/columns.ts';
import { FRESH } from '../database/fresh.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { ScorerGateTable } from './health-tables.ts';

export class PostgresScorerGateStore implements ScorerGateStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async put(gate: ScorerGate): Promise<void> {
    await this.#session.em.upsert(ScorerGateTable, gate);
  }

  async find(scorer_id: string): Promise<ScorerGate | undefined> {
    const row = await this.#session.em.findOne(ScorerGateTable, { scorer_id }, FRESH);
    return row ? plain<ScorerGate>(row) : undefined;
  }

  async remove(scorer_id: string): Promise<boolean> {
    return (await this.#session.em.nativeDelete(ScorerGateTable, { scorer_id })) > 0;
  }
}
