import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';

const LOOK_MS = 10;

export interface Meeting<T> {
  /** Result of the second one once the first one was over. */
  readonly result: T;
  readonly waited: boolean;
}

/**
 * Starts `second` in a transaction of its own while one is open that did `first`, goes on when the second is through or
 * waits for the first, lets the first do `beforeEnd`, and says whether the second had to wait for its end.
 */
export async function meet<T>(
  session: PostgresSession,
  { first, beforeEnd, second }: { first: () => Promise<unknown>; beforeEnd?: () => Promise<unknown>; second: () => Promise<T> },
): Promise<Meeting<T>> {
  const outside = AsyncLocalStorage.snapshot();
  let isOver = false;
  let isThrough = false;
  let other: Promise<T> | undefined;
  let waited = true;
  const opened = Promise.withResolvers<void>();
  const done = opened.promise.then(() => session.run(second));
  await session.run(async () => {
    const [me] = await session.sql<{ pid: number }>('select pg_backend_pid() as pid');
    await first();
    opened.resolve();
    other = done.finally(() => {
      isThrough = true;
      waited = isOver;
    });
    while (!isThrough && !(await outside(() => blocks(session, me!.pid)))) await sleep(LOOK_MS);
    await beforeEnd?.();
    isOver = true;
  });
  return { result: await other!, waited };
}

/** Whether another connection waits for a lock that this one holds. */
async function blocks(session: PostgresSession, pid: number): Promise<boolean> {
  const waiting = 'select pid from pg_stat_activity where datname = current_database() and $1 = any(pg_blocking_pids(pid))';
  return (await session.sql(waiting, [pid])).length > 0;
}
