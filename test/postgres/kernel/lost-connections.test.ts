import type { MikroORM } from '@mikro-orm/postgresql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isUnavailable } from '../../../adapters/postgres/database/database-failure.ts';
import { openOrm } from '../../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../../adapters/postgres/database/postgres-session.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/database.ts';
import { queryAt } from '../../setup/query-at.ts';

const POOL = 2;
const CONNECT_MS = 2_000;

let database: TestDatabase;
let orm: MikroORM;
let session: PostgresSession;
beforeEach(async () => {
  database = await createTestDatabase();
  orm = await openOrm({ url: database.url, poolSize: POOL, connectMs: CONNECT_MS });
  session = new PostgresSession({ orm });
});
afterEach(async () => {
  // Not waited for: with a connection that never came back it would not end.
  void orm.close(true);
  await database.drop();
});

const processId = async (): Promise<number> => (await session.sql<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid;
const end = (pid: number) => queryAt(database.url, `select pg_terminate_backend(${pid}, 10000)`);

/** One for each connection of the pool, and one more that would find none if they were kept. */
async function inEachConnection(fail: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time <= POOL; time += 1) expect(isUnavailable(await fail().catch((error: unknown) => error))).toBe(true);
}

describe('a connection that ends within a transaction', () => {
  it('goes back to the pool when a statement meets its end', async () => {
    await inEachConnection(() =>
      session.run(async () => {
        await end(await processId());
        await session.sql('select 1');
      }),
    );
    expect(await session.sql('select 1 as one')).toStrictEqual([{ one: 1 }]);
  });

  it('goes back to the pool when the commit meets its end', async () => {
    await inEachConnection(() => session.run(async () => void (await end(await processId()))));
    expect(await session.sql('select 1 as one')).toStrictEqual([{ one: 1 }]);
  });

  it('goes back to the pool when the begin meets its end, and the pool is told first', async () => {
    const pool = await orm.em.getConnection().getNativeClient();
    await inEachConnection(async () => {
      const client = await pool.connect();
      client.release();
      // Ends at once and silently for whoever holds it next, as when the server's word of its end is still on its way.
      client.connection.stream.pause();
      client.connection.stream.destroy();
      await session.run(() => session.sql('select 1'));
    });
    expect(await session.sql('select 1 as one')).toStrictEqual([{ one: 1 }]);
  });

  it('does not hide why the work had failed before', async () => {
    const why = new Error('of the work itself');
    const failing = session.run(async () => {
      await end(await processId());
      throw why;
    });
    await expect(failing).rejects.toBe(why);
  });
});
