import { describe, expect, it } from 'vitest';
import type { Route } from '../../adapters/http/route.ts';
import { ACCESS_MATRIX } from '../access/access-matrix.ts';
import { makeProject } from '../access/fixtures/project-fixtures.ts';
import { DELAY_LIMIT_MS, isWithin, readingAttempts } from '../amplification/run-amplification.ts';
import { Stand } from '../amplification/stand.ts';
import { type RecordStores, trace, write } from '../contracts/traces/record-stores.ts';

const NAMES = 5_000;
/** Enough for a quadratic loop to be out of bounds on any machine, however quick: 324 million comparisons. */
const SOUGHT_NAMES = 16_000;
const rows = ACCESS_MATRIX.filter(({ operation }) => operation === 'listTraceColumns').slice(0, 1);

/** How the columns of a run were made once: each name was sought among all names. */
function slowColumns(ids: readonly string[]): object[] {
  const seen = ids.map((column_id) => ({ column_id, type: 'trace' }));
  return ids.map((id) => ({ id, types: seen.filter(({ column_id }) => column_id === id) }));
}

/** Cost of reading the columns of a run one of whose records has very many names. */
async function toColumns(mounted: (routes: readonly Route[]) => readonly Route[]) {
  const stand = await Stand.open({ mounted });
  try {
    const { ids } = await makeProject(stand.fixtureServer, stand.fixtureServer.host_id);
    const user_metadata = Object.fromEntries(Array.from({ length: NAMES }, (_, at) => [`name ${at}`, 'x']));
    const record = trace({ project_id: ids.project_id, run_id: ids.log_stream_id }, { user_metadata });
    await write(stand.server.cradle as unknown as RecordStores, [record]);
    for await (const attempt of readingAttempts(stand, { ids, records: {}, prompt: ids }, rows))
      return await stand.measure(attempt);
    throw new Error('nothing was measured');
  } finally {
    await stand.close();
  }
}

describe('the columns of a run with very many names', () => {
  it('are told within bounds', async () => {
    const result = await toColumns((routes) => routes);
    expect(result).toMatchObject({ status: 200 });
    expect(isWithin(result)).toBe(true);
  });

  it('would be found out of bounds if each name were sought among all', { timeout: 600_000 }, async () => {
    const names = Array.from({ length: SOUGHT_NAMES }, (_, at) => `user_metadata/name ${at}`);
    const slowed = (route: Route): Route => ({
      ...route,
      handle: (input) => {
        slowColumns(names);
        return route.handle(input);
      },
    });
    const broken = (routes: readonly Route[]) =>
      routes.map((route) => (route.operationId === 'listTraceColumns' ? slowed(route) : route));
    const result = await toColumns(broken);
    expect(isWithin(result)).toBe(false);
    // How long others waited is measured, too: this one loop took as long as all of it.
    expect(result.delay_ms).toBeGreaterThan(DELAY_LIMIT_MS);
  });
});
