import type { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { queryAt } from '../setup/query-at.ts';

const POOL_SIZE = 2;
/** More than there is room for in the pool. */
const TIMES = POOL_SIZE + 1;

let database: TestDatabase;
let orm: MikroORM;
let session: PostgresSession;
beforeAll(async () => {
  database = await createTestDatabase();
  orm = await openOrm({ url: database.url, poolSize: POOL_SIZE, connectMs: 5_000 });
  session = new PostgresSession({ orm });
});
afterAll(async () => {
  await orm.close(true);
  await database.drop();
});

async function getPid(): Promise<number> {
  const [row] = await session.sql<{ pid: number }>('select pg_backend_pid() as pid');
  return row!.pid;
}
const endConnection = (pid: number) => queryAt(database.url, 'select pg_terminate_backend($1, 10000)', [pid]);

async function expectRoomForAll(): Promise<void> {
  const pids = Array.from({ length: POOL_SIZE }, () => session.run(getPid));
  expect((await Promise.all(pids)).every((pid) => pid > 0)).toBe(true);
  expect(await orm.isConnected()).toBe(true);
}

describe('connections that end during a transaction leave the pool', () => {
  it('at a statement', async () => {
    for (let time = 0; time < TIMES; time += 1)
      await expect(session.run(() => session.sql('select pg_terminate_backend(pg_backend_pid())'))).rejects.toThrow();
    await expectRoomForAll();
  });

  it('between two statements', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const work = session.run(async () => {
        await endConnection(await getPid());
        await session.sql('select');
      });
      await expect(work).rejects.toThrow();
    }
    await expectRoomForAll();
  });

  it('before it is committed', async () => {
    for (let time = 0; time < TIMES; time += 1)
      await expect(session.run(async () => void (await endConnection(await getPid())))).rejects.toThrow();
    await expectRoomForAll();
  });

  it('while others wait for a connection', async () => {
    const ends = Array.from({ length: POOL_SIZE }, () =>
      session.run(async () => void (await endConnection(await getPid()))).catch(() => 'ended'),
    );
    const waiting = Array.from({ length: TIMES }, () => session.run(getPid));
    expect(await Promise.all(ends)).toStrictEqual(ends.map(() => 'ended'));
    expect((await Promise.all(waiting)).every((pid) => pid > 0)).toBe(true);
  });
});
