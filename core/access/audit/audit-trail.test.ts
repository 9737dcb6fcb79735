import { describe, expect, it } from 'vitest';
import { MemoryAuditStore } from '../../../adapters/memory/access/memory-audit-store.ts';
import { MemoryDatabase } from '../../../adapters/memory/memory-database.ts';
import { NodeSecrets } from '../../../adapters/security/node-secrets.ts';
import { someone } from '../../../test/setup/access.ts';
import type { AuditEntry } from './audit.ts';
import type { AuditStore } from './audit-store.ts';
import { AuditTrail } from './audit-trail.ts';

const deps = { secrets: new NodeSecrets(), clock: () => new Date('2026-01-02T03:04:05.678Z') };

async function written(count: number): Promise<AuditEntry[]> {
  const auditStore = new MemoryAuditStore({ database: new MemoryDatabase() });
  const trail = new AuditTrail({ auditStore, ...deps });
  for (let number = 1; number <= count; number += 1) {
    const details = { number, name: 'Atlas', empty: null };
    await trail.note(someone(), { action: 'project.create', object_kind: 'project', object_id: String(number), details });
  }
  return auditStore.readAfter(0, count);
}

/** Reads lines that somebody has worked on. */
const reading = (entries: AuditEntry[]): AuditTrail => {
  const auditStore: AuditStore = {
    append: async () => {},
    list: async () => [],
    readAfter: async (sequence, limit) => entries.slice(sequence, sequence + limit),
  };
  return new AuditTrail({ auditStore, ...deps });
};

const brokenAt = async (entries: AuditEntry[]) => (await reading(entries).verify()).broken_at;

describe('the chain of the audit log', () => {
  it('is whole as it was written', async () => {
    const entries = await written(3);
    expect(await reading(entries).verify()).toEqual({ entries: 3, head: entries[2]!.hash, broken_at: null });
    expect(await reading([]).verify()).toEqual({ entries: 0, head: '0'.repeat(64), broken_at: null });
  });

  it('breaks where a fact was changed, whichever it is', async () => {
    const entries = await written(3);
    const other: Partial<AuditEntry> = { ...(await written(1))[0], details: { number: 2, name: 'Other', empty: null } };
    const { sequence: _sequence, previous_hash: _previous, hash: _hash, object_kind: _kind, at: _at, ...facts } = other;
    for (const [name, value] of Object.entries({
      ...facts,
      object_kind: 'dataset',
      at: '2026-01-02T03:04:05.679Z',
      scheme: null,
    })) {
      if (entries[1]![name as keyof AuditEntry] === value) continue;
      expect(await brokenAt(entries.with(1, { ...entries[1]!, [name]: value })), name).toBe(2);
    }
  });

  it('breaks where a line is missing, moved or put in', async () => {
    const [first, second, third] = (await written(3)) as [AuditEntry, AuditEntry, AuditEntry];
    expect(await brokenAt([first, third])).toBe(2);
    expect(await brokenAt([first, third, second])).toBe(2);
    expect(await brokenAt([second, third])).toBe(1);
    expect(await brokenAt([first, second, second, third])).toBe(3);
  });

  it('breaks where a hash was made again for a changed line', async () => {
    const entries = await written(3);
    const forged = { ...entries[1]!, action: 'project.delete', hash: deps.secrets.digest('whatever') };
    expect(await brokenAt(entries.with(1, forged))).toBe(2);
  });
});
