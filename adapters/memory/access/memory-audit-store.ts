import { type AuditEntry, type AuditFacts, FIRST_HASH } from '../../../core/access/audit/audit.ts';
import type { AuditQuery, AuditStore } from '../../../core/access/audit/audit-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { isBefore } from '../../../core/kernel/timestamp.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';
import { sliced } from '../traces/sliced.ts';

export class MemoryAuditStore implements AuditStore {
  readonly #entries: Table<number, AuditEntry>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#entries = database.table();
  }

  async append(facts: AuditFacts, seal: (sequence: number, previous_hash: string) => string): Promise<void> {
    const sequence = this.#entries.size + 1;
    const previous_hash = this.#entries.get(sequence - 1)?.hash ?? FIRST_HASH;
    const hash = seal(sequence, previous_hash);
    this.#entries.set(sequence, structuredClone({ ...facts, sequence, previous_hash, hash }));
  }

  async list(query: AuditQuery, slice: Slice): Promise<AuditEntry[]> {
    return structuredClone(sliced([...this.#entries.values()].filter((entry) => isAsked(entry, query)).toReversed(), slice));
  }

  async readAfter(sequence: number, limit: number): Promise<AuditEntry[]> {
    return structuredClone([...this.#entries.values()].slice(sequence, sequence + limit));
  }
}

function isAsked(entry: AuditEntry, { from, to, ...facts }: AuditQuery): boolean {
  if (from !== undefined && isBefore(entry.at, from)) return false;
  if (to !== undefined && !isBefore(entry.at, to)) return false;
  return Object.entries(facts).every(
    ([name, wanted]) => wanted === undefined || [wanted].flat().some((value) => entry[name as keyof typeof facts] === value),
  );
}
