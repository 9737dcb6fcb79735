import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresQuietSessions } from '../../adapters/postgres/postgres-quiet-sessions.ts';
import type { ScoringJob } from '../../core/scorers/scoring-queue.ts';
import { quietSessionsContract } from '../contracts/quiet-sessions.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../setup/migrated-database.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

quietSessionsContract('PostgreSQL', openPostgresStores);

describe('a project in which sessions cannot be released', () => {
  let database: MigratedDatabase;
  beforeAll(async () => {
    database = await openMigratedDatabase();
  });
  afterAll(() => database.close());

  it('does not keep those of others waiting, and is told of', async () => {
    const [ill, well, other] = [randomUUID(), randomUUID(), randomUUID()];
    const enqueued: ScoringJob[] = [];
    const enqueueWithin = async (_sql: unknown, jobs: readonly ScoringJob[]) => {
      if (jobs.some(({ project_id }) => project_id === ill)) throw new Error('no room in the queue');
      enqueued.push(...jobs);
    };
    const sessions = new PostgresQuietSessions({ session: database.session, enqueueWithin });
    for (const project_id of [well, ill, other]) await sessions.note(project_id, randomUUID(), [randomUUID()]);
    await expect(sessions.release(-1)).rejects.toThrow('no room in the queue');
    expect(enqueued.map(({ project_id }) => project_id).toSorted()).toEqual([well, other].toSorted());
  });
});
