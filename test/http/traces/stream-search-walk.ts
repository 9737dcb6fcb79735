import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import type { TestServer, TestSettings } from '../harness.ts';
import { records, send } from '../otel/otlp-client.ts';
import { type Person, person, withKey } from '../people.ts';

/** The walk of a search over log streams by HTTP, on a service with any stores. */
export function streamSearchWalk(adapter: string, start: (settings?: TestSettings) => Promise<TestServer>): void {
  describe(`on ${adapter}`, () => {
    let server: TestServer;
    let [owner, stranger]: Person[] = [];
    /** Two projects of the owner, the first with two log streams, and one that is somebody else's. */
    let [shop, ship, foreign]: string[] = [];
    let [orders, refunds, voyages, theirs]: string[] = [];

    const find = (text: string, facts: object = {}, who = owner!) => who.request('POST', '/v2/search', { text, ...facts });
    const names = async (text: string, facts: object = {}, who = owner!): Promise<string[]> =>
      (await find(text, facts, who)).body.hits.map(({ name }: { name: string }) => name);
    const makeProject = async (who: Person, name: string): Promise<string> =>
      (await who.request('POST', '/v2/projects', { name })).body.id;
    const makeStream = async (who: Person, project: string, name: string): Promise<string> =>
      (await who.request('POST', `/v2/projects/${project}/log_streams`, { name })).body.id;
    const log = async (who: Person, project: string, log_stream_id: string, ...traces: object[]) =>
      expect((await who.request('POST', `/v2/projects/${project}/traces`, { log_stream_id, traces })).status).toBe(200);
    const at = (second: number): string => `2026-11-20T10:00:${String(second).padStart(2, '0')}Z`;
    const settle = async (): Promise<void> => {
      while ((await server.cradle.recordIndex.advance(50)) > 0);
    };

    beforeAll(async () => {
      server = await start();
      [owner, stranger] = await Promise.all([person(server), person(server)]);
      [shop, ship] = [await makeProject(owner, 'Shop'), await makeProject(owner, 'Ship')];
      foreign = await makeProject(stranger, 'Foreign');
      [orders, refunds] = [await makeStream(owner, shop, 'orders'), await makeStream(owner, shop, 'refunds')];
      [voyages, theirs] = [await makeStream(owner, ship, 'voyages'), await makeStream(stranger, foreign, 'theirs')];
      await log(owner, shop, orders, { name: 'first', created_at: at(1), input: 'Where is my refund?', output: 'On its way.' });
      await log(owner, shop, refunds, {
        ...{ name: 'second', created_at: at(2), input: 'a', output: 'b' },
        spans: [{ type: 'tool', name: 'pay', created_at: at(2), input: 'refund 12', output: 'rate limit exceeded' }],
      });
      await log(owner, ship, voyages, {
        name: 'third',
        created_at: at(3),
        input: '我要退款',
        output: 'the password is a refund',
      });
      await log(stranger, foreign, theirs, { name: 'hidden', created_at: at(4), input: 'a refund' });
      await settle();
    });
    afterAll(() => server.close());

    describe('a search over log streams', () => {
      it('finds a text in all projects that the caller may read, the newest first, with what stands around it', async () => {
        const { status, body } = await find('refund');
        expect(status).toBe(200);
        expect(body.hits).toEqual([
          {
            ...{ project_id: ship, project_name: 'Ship', log_stream_id: voyages, log_stream_name: 'voyages' },
            ...{ record_id: expect.any(String), record_type: 'trace', trace_id: expect.any(String), name: 'third' },
            created_at: at(3).replace('Z', '.000Z'),
            snippet: { field: 'output', text: 'the password is a refund' },
          },
          expect.objectContaining({ name: 'second', snippet: null }),
          expect.objectContaining({ name: 'first', snippet: { field: 'input', text: 'Where is my refund?' } }),
        ]);
        expect(body).toMatchObject({ next_cursor: null, num_searched: 3, is_complete: true });
        const hits = body.log_streams.map((one: Record<string, unknown>) => [one.log_stream_name, one.num_hits, one.state]);
        expect(hits.toSorted()).toEqual([
          ['orders', 1, 'searched'],
          ['refunds', 1, 'searched'],
          ['voyages', 1, 'searched'],
        ]);
        expect(await names('refund', {}, stranger!)).toEqual(['hidden']);
      });

      it('is of one project, of log streams, of spans or of a time', async () => {
        expect(await names('refund', { project_id: shop })).toEqual(['second', 'first']);
        expect(await names('refund', { project_id: shop, log_stream_ids: [orders] })).toEqual(['first']);
        expect(await names('refund', { record_type: 'span' })).toEqual(['pay']);
        expect(await names('refund', { created_from: at(2), created_until: at(2) })).toEqual(['second']);
        expect((await find('refund', { project_id: foreign })).status).toBe(404);
        expect(await find('refund', { project_id: shop, log_stream_ids: [voyages] })).toMatchObject({
          status: 404,
          body: { code: 'run_not_found' },
        });
        const key = await withKey(server, owner!, { project_id: shop! });
        expect(await names('refund', {}, key)).toEqual(['second', 'first']);
      });

      it('finds phrases, two characters of any script and parts of words', async () => {
        expect(await names('"rate limit"')).toEqual(['second']);
        expect(await names('"limit rate"')).toEqual([]);
        expect(await names('limit rate')).toEqual(['second']);
        expect(await names('退款')).toEqual(['third']);
        expect([await names('passwor'), await names('passwor', { match: 'part' })]).toEqual([[], ['third']]);
        expect(await names('re', { match: 'part', record_type: 'span' })).toEqual(['pay']);
      });

      it('goes on behind the last hit of a page, also among records of the same time', async () => {
        const log_stream_id = await makeStream(owner!, ship!, 'storm');
        const traces = Array.from({ length: 250 }, (_, number) => ({
          name: `wave ${number}`,
          created_at: at(9),
          input: 'high wave',
        }));
        await log(owner!, ship!, log_stream_id, ...traces);
        await log(owner!, shop!, orders!, { name: 'calm', created_at: at(5), input: 'no wave' });
        await settle();
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const { body }: { body: { hits: { name: string }[]; next_cursor: string | null; log_streams: object[] } } = await find(
            'wave',
            {
              cursor,
              limit: 60,
            },
          );
          seen.push(...body.hits.map(({ name }) => name));
          if (cursor === null)
            expect(body.log_streams).toContainEqual(expect.objectContaining({ num_hits: 100, has_more_hits: true }));
          cursor = body.next_cursor;
        } while (cursor !== null);
        expect(new Set(seen).size).toBe(251);
        expect(seen.length).toBe(251);
        expect(seen.at(-1)).toBe('calm');
      });

      it('finds what came by OpenTelemetry, and no more once it is deleted', async () => {
        const span = { spanId: '00f067aa0ba902b7', name: 'beacon', attributes: { 'input.value': 'lighthouse' } };
        const headers = { project: 'Ship', logstream: 'signals' };
        expect((await send(server, toRequest({ spans: [span] }), { headers })).status).toBe(200);
        await settle();
        const { body } = await server.request('POST', '/v2/search', { text: 'lighthouse', record_type: 'span' });
        expect(body.hits).toMatchObject([{ name: 'beacon', log_stream_name: 'signals', snippet: { text: 'lighthouse' } }]);
        const { project_id, log_stream_id, trace_id } = body.hits[0];
        expect(await records(server, project_id, 'spans', 'signals')).toHaveLength(1);
        const filters = [{ type: 'id', column_id: 'id', operator: 'eq', value: trace_id }];
        await server.request('POST', `/v2/projects/${project_id}/traces/delete`, { log_stream_id, filters });
        expect((await server.request('POST', '/v2/search', { text: 'lighthouse' })).body.hits).toEqual([]);
      });

      it('is refused without a text to look for, and with a cursor of nothing', async () => {
        for (const text of ['', 'a', '  ', ' x ', 'a\0b', 'x'.repeat(1001), Array.from({ length: 21 }, () => 'ab').join(' ')])
          expect((await find(text)).status, JSON.stringify(text)).toBe(422);
        for (const cursor of ['x', `${at(1)} ${randomUUID()} x`, `soon ${randomUUID()}`])
          expect(await find('refund', { cursor })).toMatchObject({ status: 422, body: { code: 'cursor_invalid' } });
        expect((await find('refund', { limit: 101 })).status).toBe(422);
      });
    });

    describe('a search over more than one request may look at', () => {
      it('leaves out log streams that are too large and says so, where a time range helps', async () => {
        const small = await start({ maxQueryRows: 5 });
        try {
          const project = (await small.request('POST', '/v2/projects', { name: 'p' })).body.id;
          const streams = await Promise.all(
            ['large', 'little'].map(
              async (name) => (await small.request('POST', `/v2/projects/${project}/log_streams`, { name })).body.id,
            ),
          );
          const send = (log_stream_id: string, count: number) =>
            small.request('POST', `/v2/projects/${project}/traces`, {
              log_stream_id,
              traces: Array.from({ length: count }, (_, second) => ({ name: 'x', input: 'a refund', created_at: at(second) })),
            });
          await send(streams[0]!, 8);
          await send(streams[1]!, 2);
          while ((await small.cradle.recordIndex.advance(50)) > 0);
          const { body } = await small.request('POST', '/v2/search', { text: '"a refund"' });
          expect(body).toMatchObject({ num_searched: 1, is_complete: false });
          expect(body.hits).toHaveLength(2);
          expect(body.log_streams).toContainEqual(
            expect.objectContaining({ log_stream_name: 'large', state: 'too_many_records', num_hits: 0 }),
          );
        } finally {
          await small.close();
        }
      });
    });
  });
}
