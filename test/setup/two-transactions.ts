import type { PostgresSession } from '../../adapters/postgres/postgres-session.ts';

const SETTLE_MS = 150;

export interface Meeting<T> {
  /** What the second one got once the first one was over. */
  readonly result: T;
  readonly waited: boolean;
}

/**
 * Starts `second` in a transaction of its own while one is open that did `first`, lets it try for a moment, lets the
 * first do `beforeEnd`, and says whether the second had to wait for its end.
 */
export async function meet<T>(
  session: PostgresSession,
  { first, beforeEnd, second }: { first: () => Promise<unknown>; beforeEnd?: () => Promise<unknown>; second: () => Promise<T> },
): Promise<Meeting<T>> {
  let isOver = false;
  let other: Promise<T> | undefined;
  let waited = true;
  const opened = Promise.withResolvers<void>();
  const done = opened.promise.then(() => session.run(second));
  await session.run(async () => {
    await first();
    opened.resolve();
    other = done.finally(() => {
      waited = isOver;
    });
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    await beforeEnd?.();
    isOver = true;
  });
  return { result: await other!, waited };
}
