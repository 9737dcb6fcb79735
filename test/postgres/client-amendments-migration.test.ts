import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';
import { PostgresRunTagStore } from '../../adapters/postgres/experiments/postgres-run-tag-store.ts';
import { PostgresProjectStore } from '../../adapters/postgres/projects/postgres-project-store.ts';
import { createTestDatabase } from '../setup/database.ts';

it('a database whose runs have several tags of a key keeps the newest of each, and the types of its projects as chosen ones', async () => {
  const database = await createTestDatabase();
  const orm = await openOrm({ url: database.url, poolSize: 2 });
  const session = new PostgresSession({ orm });
  await orm.migrator.up({ to: 'm0022-health-figures' });
  const [project_id, run_id, other_run] = [randomUUID(), randomUUID(), randomUUID()];
  await session.sql(
    `insert into projects (id, name, type, labels, created_at, updated_at) values ($1, 'p', 'gen_ai', '[]', now(), now())`,
    [project_id],
  );
  const tag = (run: string, key: string, value: string, day: number) =>
    session.sql(`insert into run_tags values ($1, $2, $3, $4, $5, 'generic', $1, now(), $6)`, [
      project_id,
      run,
      randomUUID(),
      key,
      value,
      `2026-01-0${day}T00:00:00Z`,
    ]);
  await tag(run_id, 'branch', 'old', 1);
  await tag(run_id, 'branch', 'new', 3);
  await tag(run_id, 'branch', 'middle', 2);
  await tag(run_id, 'commit', 'c', 1);
  await tag(other_run, 'branch', 'other', 1);
  await orm.migrator.up();
  const store = new PostgresRunTagStore({ session });
  const left = await store.list(project_id, [run_id, other_run]);
  expect(left.map(({ key, value }) => `${key} ${value}`).toSorted()).toEqual(['branch new', 'branch other', 'commit c']);
  expect(await new PostgresProjectStore({ session }).findProject(project_id)).toMatchObject({ type_is_default: false });
  await orm.close();
  await database.drop();
});
