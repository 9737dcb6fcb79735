import type { Pool, PoolClient } from 'pg';

const nothing = (): void => {};

/**
 * Gives a connection back to its pool, which drops it, when it ends while somebody holds it. The query builder gives back
 * the connection of a transaction only once its commit or rollback has succeeded, which it cannot on one that has ended:
 * each would be missing from the pool for good, until nobody gets a connection any more.
 */
export function releaseEnded(pool: Pool): void {
  const held = new Set<PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!held.has(client)) return;
      const { release } = client;
      // Whoever holds it may still give it back.
      client.release = nothing;
      release(true);
    });
  });
}
