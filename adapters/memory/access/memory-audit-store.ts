import { type AuditEntry, type AuditFacts, FIRST_HASH } from '../../../core/access/audit/audit.ts';
import type { AuditQuery, AuditStore } from '../../../core/access/audit/audit-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { isBefore } from '../../../core/kernel/timestamp.ts';
import { sliced } from '../traces/sliced.ts';

export class MemoryAuditStore implements AuditStore {
  readonly #entries: AuditEntry[] = [];

  async append(facts: AuditFacts, seal: (sequence: number, previous_hash: string) => string): Promise<void> {
    const sequence = this.#entries.length + 1;
    const previous_hash = this.#entries.at(-1)?.hash ?? FIRST_HASH;
    this.#entries.push(structuredClone({ ...facts, sequence, previous_hash, hash: seal(sequence, previous_hash) }));
  }

  async list(query: AuditQuery, slice: Slice): Promise<AuditEntry[]> {
    return structuredClone(sliced(this.#entries.filter((entry) => isAsked(entry, query)).toReversed(), slice));
  }

  async readAfter(sequence: number, limit: number): Promise<AuditEntry[]> {
    return structuredClone(this.#entries.slice(sequence, sequence + limit));
  }
}

function isAsked(entry: AuditEntry, { from, to, ...facts }: AuditQuery): boolean {
  if (from !== undefined && isBefore(entry.at, from)) return false;
  if (to !== undefined && !isBefore(entry.at, to)) return false;
  return Object.entries(facts).every(([name, value]) => value === undefined || entry[name as keyof typeof facts] === value);
}
