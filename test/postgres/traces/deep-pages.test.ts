import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RecordListing } from '../../../core/traces/record-query.ts';
import { newRun, type RunKey, span, trace, write } from '../../contracts/traces/record-stores.ts';
import { openPostgresStores, type PostgresStores } from '../../setup/postgres-stores.ts';

const TOTAL = 2_300;
const LIMIT = 500;

/** Pages so deep that the store remembers where they ended. */
describe('deep pages', () => {
  let stores: PostgresStores;
  let run: RunKey;
  beforeAll(async () => {
    stores = await openPostgresStores();
  });
  beforeEach(async () => {
    run = await newRun(stores);
    const traces = Array.from({ length: TOTAL }, (_, at) => trace(run, { created_at: toTimestamp(at >> 1), name: `${at % 2}` }));
    await write(stores, traces);
    await write(stores, [span(traces[0]!), span(traces[1]!)]);
  });
  afterAll(() => stores.close());

  const list = async (starting_token: number, more: Partial<RecordListing> = {}) => {
    const listing = { ...run, level: 'trace', where: { and: [] }, limit: LIMIT, after: undefined, ...more } as const;
    const sort = { column_id: 'created_at', ascending: false };
    return (await stores.traceStore.list({ sort, ...listing, starting_token })).map(({ id }) => id);
  };
  const crawl = async (more: Partial<RecordListing> = {}, between: () => Promise<unknown> = async () => {}) => {
    const ids: string[] = [];
    for (let token = 0, page: string[] = []; token === 0 || page.length > LIMIT; token += LIMIT) {
      page = await list(token, more);
      ids.push(...page.slice(0, LIMIT));
      await between();
    }
    return ids;
  };
  const stored = async (condition: string, order: string) => {
    const rows = await stores.database.session.sql<{ id: string }>(
      `select id from records where run_id = $1 and is_trace and ${condition} order by ${order}`,
      [run.run_id],
    );
    return rows.map(({ id }) => id);
  };

  it('follow each other without gap or overlap, in both directions and with filters', async () => {
    expect(await crawl()).toEqual(await stored('true', 'created_at desc, id desc'));
    const sort = { column_id: 'created_at', ascending: true };
    expect(await crawl({ sort })).toEqual(await stored('true', 'created_at, id'));
    const where = { filter: { type: 'text', column_id: 'name', operator: 'eq', value: '1', case_sensitive: true } } as const;
    expect(await crawl({ where })).toEqual(await stored(`name = '1'`, 'created_at desc, id desc'));
  });

  it('are the same to whoever comes from the page before and to whoever jumps there', async () => {
    await crawl();
    const all = await stored('true', 'created_at desc, id desc');
    for (const token of [1_000, 1_500, 1_501, 2_299]) expect(await list(token)).toEqual(all.slice(token, token + LIMIT + 1));
    expect(await list(TOTAL)).toEqual([]);
    const fresh = { where: { not: { or: [] } } };
    for (const token of [1_200, 2_299]) expect(await list(token, fresh)).toEqual(all.slice(token, token + LIMIT + 1));
  });

  it('go on behind the last row when records arrive meanwhile', async () => {
    const before = await stored('true', 'created_at desc, id desc');
    const arrive = () => write(stores, [trace(run, { id: randomUUID(), created_at: '2027-01-01T00:00:00Z' })]);
    const found = await crawl({}, arrive);
    // Shallow pages are counted: one row moves over each of their two borders.
    expect(new Set(found)).toEqual(new Set(before));
    expect(found.length - before.length).toBeLessThanOrEqual(2);
  });
});

const toTimestamp = (at: number): string => new Date(Date.parse('2026-01-01T00:00:00Z') + at * 1_000).toISOString();
