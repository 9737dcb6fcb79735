import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PostgresAuditStore } from '../../../adapters/postgres/access/postgres-audit-store.ts';
import { NodeSecrets } from '../../../adapters/security/node-secrets.ts';
import type { AuditEvent } from '../../../core/access/audit/audit.ts';
import { AuditTrail } from '../../../core/access/audit/audit-trail.ts';
import { auditStoreContract } from '../../contracts/access/audit-store.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

/** Removes the trigger, as an attacker with all rights could, and as the tests need to begin anew. */
async function withoutTrigger(...statements: string[]): Promise<void> {
  await database.session.run(async () => {
    await database.session.sql('alter table audit_log disable trigger refuse_changes');
    for (const statement of statements) await database.session.sql(statement);
    await database.session.sql('alter table audit_log enable trigger refuse_changes');
  });
}

const emptyLog = () => withoutTrigger('truncate audit_log', `update audit_head set sequence = 0, hash = repeat('0', 64)`);

auditStoreContract('PostgreSQL', async () => {
  await emptyLog();
  return { port: new PostgresAuditStore(database), close: async () => {} };
});

describe('the audit log of a database', () => {
  const event = (object_id: string): AuditEvent => {
    return { action: 'project.create', object_kind: 'project', object_id, details: { name: 'x', z: 1, a: null } };
  };
  const opened = () => {
    const auditStore = new PostgresAuditStore(database);
    return new AuditTrail({ auditStore, secrets: new NodeSecrets(), clock: () => new Date() });
  };
  const append = async (count: number) => {
    const trail = opened();
    for (let number = 1; number <= count; number += 1) await trail.noteUnknown(undefined, event(`p${number}`));
    return trail;
  };
  beforeEach(emptyLog);

  it('is a chain without gaps, however many append at once', async () => {
    const trail = opened();
    const one = (_: unknown, number: number) => {
      return database.session.run(async () => {
        await database.session.sql('select pg_sleep(random() / 100)');
        await trail.noteUnknown(undefined, event(`p${number}`));
        await database.session.sql('select pg_sleep(random() / 100)');
      });
    };
    await Promise.all(Array.from({ length: 20 }, one));
    const report = await trail.verify();
    expect(report).toMatchObject({ entries: 20, broken_at: null });
    const objects = await database.session.sql<{ object_id: string }>('select distinct object_id from audit_log');
    expect(objects).toHaveLength(20);
    const [head] = await database.session.sql<{ hash: string }>('select hash from audit_head');
    expect(head!.hash).toBe(report.head);
  });

  it('holds no line of a transaction that was rolled back, and goes on without a gap', async () => {
    const trail = await append(1);
    const failing = database.session.run(async () => {
      await trail.noteUnknown(undefined, event('lost'));
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await trail.noteUnknown(undefined, event('p2'));
    expect(await trail.verify()).toMatchObject({ entries: 2, broken_at: null });
    const rows = await database.session.sql<{ object_id: string }>('select object_id from audit_log order by sequence');
    expect(rows.map(({ object_id }) => object_id)).toEqual(['p1', 'p2']);
  });

  it.each([
    `update audit_log set action = 'project.read'`,
    'update audit_log set action = action where false',
    'delete from audit_log',
    'truncate audit_log',
  ])('refuses "%s"', async (statement) => {
    const trail = await append(2);
    await expect(database.session.sql(statement)).rejects.toMatchObject({ code: '42501' });
    expect(await trail.verify()).toMatchObject({ entries: 2, broken_at: null });
  });

  it.each([
    `update audit_log set details = '{"name": "y", "z": 1, "a": null}' where sequence = 2`,
    `update audit_log set at = at + interval '1 ms' where sequence = 2`,
    `update audit_log set actor_id = 'somebody else' where sequence = 2`,
    `update audit_log set hash = repeat('a', 64) where sequence = 2`,
    `update audit_log set previous_hash = repeat('a', 64) where sequence = 2`,
    'delete from audit_log where sequence = 2',
    'update audit_log set sequence = sequence + 10 where sequence >= 2',
  ])('shows that somebody did "%s"', async (statement) => {
    const trail = await append(5);
    await withoutTrigger(statement);
    expect(await trail.verify()).toMatchObject({ entries: 1, broken_at: 2 });
  });

  it('gives another head when lines were cut off at the end', async () => {
    const trail = await append(3);
    const before = await trail.verify();
    await withoutTrigger('delete from audit_log where sequence = 3');
    const after = await trail.verify();
    expect(after).toMatchObject({ entries: 2, broken_at: null });
    expect(after.head).not.toBe(before.head);
  });

  it('takes no lines once its head is gone', async () => {
    const trail = await append(1);
    await database.session.sql('delete from audit_head');
    await expect(trail.noteUnknown(undefined, event('p2'))).rejects.toThrow('lost its head');
    await database.session.sql('insert into audit_head select sequence, hash from audit_log');
    await trail.noteUnknown(undefined, event('p2'));
    expect(await trail.verify()).toMatchObject({ entries: 2, broken_at: null });
  });
});
