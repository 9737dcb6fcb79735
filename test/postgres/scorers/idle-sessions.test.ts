import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresIdleSessions } from '../../../adapters/postgres/scorers/postgres-idle-sessions.ts';
import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import { idleSessionsContract } from '../../contracts/scorers/idle-sessions.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

idleSessionsContract('PostgreSQL', openPostgresStores);

describe('a project in which sessions cannot be released', () => {
  let database: MigratedDatabase;
  beforeAll(async () => {
    database = await openMigratedDatabase();
  });
  afterAll(() => database.close());

  it('does not keep those of others waiting, and is told of', async () => {
    const asked: string[] = [];
    const enqueueWithin = async (_sql: unknown, [job]: readonly ScoringJob[]) => {
      asked.push(job!.project_id);
      if (asked.length === 1) throw new Error('no room in the queue');
    };
    const sessions = new PostgresIdleSessions({ session: database.session, enqueueWithin });
    const projects = [randomUUID(), randomUUID(), randomUUID()];
    for (const project_id of projects) await sessions.note(project_id, randomUUID(), [randomUUID()]);
    await expect(sessions.release(-1)).rejects.toThrow('no room in the queue');
    expect(asked.toSorted()).toEqual(projects.toSorted());
    expect(await sessions.release(-1)).toEqual({ released: 1, more: false });
    expect(asked.at(-1)).toBe(asked[0]);
  });
});
