import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../harness.ts';
import { person } from '../people.ts';

/** Records that a query may look at in these tests; there are more. */
export const MAX_ROWS = 10;
const TRACES = 8;

/** Queries that are cheap, that are refused for what they would cost, and that are run all the same, on a service with any stores. */
export function queryCostOf(adapter: string, start: () => Promise<TestServer>): void {
  describe(`the cost of a query, ${adapter}`, () => {
    let server: TestServer;
    let at: string;
    let log_stream_id: string;
    let project_id: string;
    let trace_ids: string[];

    beforeAll(async () => {
      server = await start();
      project_id = (await server.request('POST', '/v2/projects', { name: `costs ${adapter}` })).body.id;
      at = `/v2/projects/${project_id}`;
      log_stream_id = (await server.request('POST', `${at}/log_streams`, { name: 'default' })).body.id;
      const traces = Array.from({ length: TRACES }, (_, index) => ({
        ...{ input: `question ${index}`, name: 'n', created_at: `2026-01-01T0${index}:30:00Z` },
        spans: [
          { type: 'tool', input: 'x' },
          { type: 'tool', input: 'y' },
        ],
      }));
      trace_ids = (await server.request('POST', `${at}/traces`, { log_stream_id, traces })).body.trace_ids;
      expect(trace_ids).toHaveLength(TRACES);
    });
    afterAll(() => server.close());

    const post = (path: string, body: object) => server.request('POST', `${at}/${path}`, { log_stream_id, ...body });
    const byName = { type: 'text', column_id: 'name', operator: 'eq', value: 'n' };
    const expensive: readonly [string, object][] = [
      ['spans/search', { filters: [byName] }],
      ['spans/partial_search', { sort: { column_id: 'name' }, select_columns: { column_ids: ['name'] } }],
      ['spans/count', { filters: [byName] }],
      ['traces/facets', { column_ids: ['name'] }],
      ['export_records', { root_type: 'span' }],
    ];

    it.each(expensive)('%s is refused with the estimate, the bound, and what narrows it', async (path, body) => {
      const refused = await post(path, body);
      expect([refused.status, refused.body.code]).toEqual([422, 'query_too_expensive']);
      const ctx = { estimated_rows: TRACES * 2, max_rows: MAX_ROWS, is_refused: true };
      expect(refused.body.detail).toMatchObject([{ loc: ['body'], type: 'query_too_expensive', ctx }]);
      expect(refused.body.detail[0].ctx.narrow_by).toContain('created_at');
      expect(refused.body.detail[0].msg).toContain(`about ${TRACES * 2} records would be looked at, more than ${MAX_ROWS}`);
    });

    it.each(expensive)('%s tells the estimate and runs nothing with `explain`', async (path, body) => {
      const explained = await post(path, { ...body, explain: true });
      expect(explained.status).toBe(200);
      expect(explained.body.estimate).toMatchObject({ estimated_rows: TRACES * 2, max_rows: MAX_ROWS, is_refused: true });
      expect(explained.body.records ?? explained.body.facets ?? []).toEqual([]);
    });

    it.each(expensive)('%s runs with `allow_expensive`, for whoever may change the project', async (path, body) => {
      const viewer = await person(server);
      await server.request('POST', `/v2/projects/${project_id}/users`, [{ user_id: viewer.id, role: 'viewer' }]);
      const allowed = { ...body, allow_expensive: true };
      expect((await post(path, allowed)).status).toBe(200);
      expect((await viewer.request('POST', `${at}/${path}`, { log_stream_id, ...allowed })).status).toBe(403);
      expect((await viewer.request('POST', `${at}/${path}`, { log_stream_id, ...body })).status).toBe(422);
    });

    it('is not asked of what the indexes have in order, or have counted', async () => {
      const page = await post('spans/search', { limit: 3 });
      expect(page.body.records).toHaveLength(3);
      const next = await post('spans/search', { limit: 3, previous_last_row_id: page.body.last_row_id });
      expect(next.body.records).toHaveLength(3);
      expect((await post('spans/count', {})).body).toEqual({ total_count: TRACES * 2 });
      expect((await post('spans/search', { limit: 3, explain: true })).body.estimate).toMatchObject({
        estimated_rows: 4,
        is_refused: false,
      });
    });

    it('is small where few records are left, or there are few', async () => {
      expect((await post('traces/search', { filters: [byName] })).body.records).toHaveLength(TRACES);
      const ofTrace = { type: 'id', column_id: 'trace_id', operator: 'eq', value: trace_ids[0] };
      expect((await post('spans/search', { filters: [byName, ofTrace] })).body.records).toEqual([]);
      expect((await post('spans/count', { filters: [ofTrace] })).body).toEqual({ total_count: 2 });
      expect((await post('spans/count', { filter_tree: { or: [{ filter: ofTrace }, { filter: byName }] } })).status).toBe(422);
    });
  });
}
