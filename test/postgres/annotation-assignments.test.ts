import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresAnnotationQueueStore } from '../../adapters/postgres/annotation/postgres-annotation-queue-store.ts';
import { migrate, withMigrationLock } from '../../adapters/postgres/database/migrate.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../setup/migrated-database.ts';

describe('a database whose annotation items held claims and ends', () => {
  let database: MigratedDatabase;
  beforeAll(async () => {
    database = await openMigratedDatabase();
  });
  afterAll(() => database.close());

  it('has them as assignments once it is migrated', async () => {
    const { session, url, orm } = database;
    const [project_id, queue_id, run_id, ann, bob] = Array.from({ length: 5 }, () => randomUUID()) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const [open, claimed, done, skipped] = Array.from({ length: 4 }, () => randomUUID());
    await session.sql(`delete from schema_migrations where name = 'm0018-annotation-assignments'`);
    await session.sql('drop table annotation_assignments');
    await session.sql(`alter table annotation_queues drop column assignee_ids, drop column reviewer_ids,
      drop column answers_required, drop column review, drop column order_by, drop column reservation_seconds`);
    await session.sql(`alter table annotation_items drop column record_created_at, add column claimed_by uuid,
      add column claimed_until timestamptz(6), add column ended_by uuid, add column ended_at timestamptz(6)`);
    await session.sql(
      `insert into annotation_queues (project_id, id, run_id, name, template_ids, created_at) values ($1, $2, $3, 'q', '[]', now())`,
      [project_id, queue_id, run_id],
    );
    const item = `insert into annotation_items
      (project_id, queue_id, run_id, record_id, position, status, claimed_by, claimed_until, ended_by, ended_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
    const [until, end] = ['2026-01-01T00:30:00Z', '2026-01-01T00:10:00Z'];
    const key = [project_id, queue_id, run_id];
    await session.sql(item, [...key, open, 1, 'pending', null, null, null, null]);
    await session.sql(item, [...key, claimed, 2, 'pending', ann, until, null, null]);
    await session.sql(item, [...key, done, 3, 'done', ann, until, bob, end]);
    await session.sql(item, [...key, skipped, 4, 'skipped', ann, until, ann, end]);

    await withMigrationLock(url, () => migrate(orm));
    const store = new PostgresAnnotationQueueStore({ session });
    expect(await store.find(project_id, queue_id)).toMatchObject({ answers_required: 1, review: 'none', num_pending: 2 });
    expect(await store.listItems(project_id, queue_id, undefined, { offset: 0, limit: 10 })).toMatchObject([
      { record_id: open, assignments: [] },
      {
        record_id: claimed,
        assignments: [{ annotator_id: ann, status: 'reserved', reserved_until: '2026-01-01T00:30:00.000Z' }],
      },
      { record_id: done, assignments: [{ annotator_id: bob, status: 'answered', ended_at: '2026-01-01T00:10:00.000Z' }] },
      { record_id: skipped, assignments: [{ annotator_id: ann, status: 'skipped' }] },
    ]);
  });
});
