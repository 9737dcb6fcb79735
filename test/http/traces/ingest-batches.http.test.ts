import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../core/kernel/errors.ts';
import type { TestServer } from '../harness.ts';
import { startWithLogStream } from '../projects/log-stream-fixture.ts';

let server: TestServer;
let log_stream_id: string;
let at: string;
beforeEach(async () => {
  ({ server, at, log_stream_id } = await startWithLogStream());
});
afterEach(() => server.close());

const post = (path: string, body: unknown, key?: string) =>
  server.request('POST', `${at}/${path}`, body, key === undefined ? {} : { headers: { 'Idempotency-Key': key } });
const log = (traces: unknown, key?: string, query = '') => post(`traces${query}`, { log_stream_id, traces }, key);
const find = (key: string) => server.request('GET', `${at}/ingest/batches/${encodeURIComponent(key)}`);
const count = async (level: string) => (await post(`${level}s/count`, { log_stream_id })).body.total_count;
const search = async () => (await post('traces/search', { log_stream_id })).body.records;
const calls = [
  { type: 'llm', input: 'hi', output: 'ho', metrics: { num_input_tokens: 3, num_output_tokens: 5 } },
  { type: 'tool' },
];

/** The database is lost once records are written, so that the sender does not learn of it. */
function loseNextReply(): void {
  const { ingestBatchStore } = server.cradle;
  const complete = ingestBatchStore.complete.bind(ingestBatchStore);
  ingestBatchStore.complete = async () => {
    ingestBatchStore.complete = complete;
    throw new AppError('unavailable', 'database_unavailable', 'the outcome is unknown', { retryAfterSeconds: 1 });
  };
}

describe('a request with an Idempotency-Key', () => {
  it('is carried out once: sent again, its first reply comes back, and nothing is doubled', async () => {
    const first = await log([{ spans: calls }, {}], 'night/1');
    expect(first.status).toBe(200);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await log([{ spans: calls }, {}], '"night/1"');
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([await count('trace'), await count('span')]).toEqual([2, 2]);
  });

  it('is found by its key, with its reply, by whoever may read the project', async () => {
    expect(await find('night/1')).toMatchObject({ status: 404, body: { code: 'batch_not_found' } });
    const { body } = await log([{ spans: calls }], 'night/1');
    const found = await find('night/1');
    expect(found.status).toBe(200);
    expect(found.body).toMatchObject({ key: 'night/1', status: 'stored', reply: body });
    expect(found.body.stored_at >= found.body.received_at).toBe(true);
    expect(found.body.digest).toBeUndefined();
  });

  it('is refused with another body or for another operation', async () => {
    await log([{ input: 'a' }], 'one');
    expect(await log([{ input: 'b' }], 'one')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await log([{ input: 'a' }], 'one', '?per_item=true')).toMatchObject({ status: 422 });
    expect(await count('trace')).toBe(1);
  });

  it('is refused for the time being while the first one is under way', async () => {
    const { ingestBatchStore } = server.cradle;
    const complete = ingestBatchStore.complete.bind(ingestBatchStore);
    ingestBatchStore.complete = async () => {};
    const { body } = await log([{ spans: calls }], 'one');
    ingestBatchStore.complete = complete;
    expect((await find('one')).body).toMatchObject({ status: 'pending', stored_at: null, reply: null });
    const early = await log([{ spans: calls }], 'one');
    expect(early).toMatchObject({ status: 409, body: { code: 'idempotency_key_in_use' } });
    expect(early.headers.get('retry-after')).toBe('1');
    await ingestBatchStore.giveUp({ project_id: body.project_id, key: 'one' });
    expect((await log([{ spans: calls }], 'one')).body.trace_ids).toEqual(body.trace_ids);
    expect([await count('trace'), await count('span')]).toEqual([1, 2]);
  });

  it('writes the same records again where the outcome of the first attempt was unknown', async () => {
    loseNextReply();
    const lost = await log([{ spans: calls }], 'one');
    expect(lost.status).toBe(503);
    const [stored] = await search();
    const again = await log([{ spans: calls }], 'one');
    expect(again.status).toBe(200);
    expect(again.body.trace_ids).toEqual([stored.id]);
    expect([await count('trace'), await count('span')]).toEqual([1, 2]);
    expect(await search()).toMatchObject([{ id: stored.id, created_at: stored.created_at, metrics: stored.metrics }]);
  });

  it('adds the spans of a request that came twice once, and what they used once', async () => {
    const { trace_ids } = (await log([{}])).body;
    const body = { log_stream_id, trace_id: trace_ids[0], parent_id: trace_ids[0], spans: calls };
    loseNextReply();
    expect((await post('spans', body, 'one')).status).toBe(503);
    expect((await post('spans', body, 'one')).status).toBe(200);
    expect((await post('spans', body, 'one')).headers.get('idempotency-replayed')).toBe('true');
    expect(await count('span')).toBe(2);
    expect(await search()).toMatchObject([{ metrics: { num_input_tokens: 3, num_output_tokens: 5 } }]);
  });

  it('leaves its key free when it was refused', async () => {
    expect((await log([{ tags: 'no list' }], 'one')).status).toBe(422);
    expect((await find('one')).status).toBe(404);
    expect((await log([{ tags: ['a list'] }], 'one')).status).toBe(200);
  });

  it.each(['', 'two words', 'ü', 'x'.repeat(256)])('is refused with the key %j', async (key) => {
    const header = Buffer.from(key).toString('latin1');
    const reply = await log([{}], header);
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ['header', 'Idempotency-Key'] }] } });
    expect(await count('trace')).toBe(0);
  });

  it('is forgotten after a day', async () => {
    const { ingestBatchStore, ingestBatchService } = server.cradle;
    const { project_id } = (await log([{}], 'new')).body;
    const long_ago = '2001-01-01T00:00:00.000Z';
    await ingestBatchStore.claim({ project_id, key: 'old', digest: 'x', received_at: long_ago, lapsed_before: long_ago });
    expect(await ingestBatchService.removeExpired()).toEqual({ more: false });
    expect([(await find('old')).status, (await find('new')).status]).toEqual([404, 200]);
  });

  it('goes with its project', async () => {
    await log([{}], 'one');
    expect((await server.request('DELETE', at)).status).toBeLessThan(300);
    expect((await find('one')).status).toBe(404);
  });
});

describe('a batch whose traces are taken one by one', () => {
  it('stores those that are valid, and names the others with what is wrong', async () => {
    const [first, last] = [randomUUID(), randomUUID()];
    const traces = [
      { id: first, spans: calls },
      { input: 1, tags: 'no list' },
      'no trace',
      { id: last, spans: [{ type: 'none' }] },
      {},
    ];
    expect((await log(traces)).status).toBe(422);
    expect(await count('trace')).toBe(0);
    const { status, body } = await log(traces, undefined, '?per_item=true');
    expect(status).toBe(200);
    expect(body).toMatchObject({ traces_count: 2, spans_count: 2 });
    expect(body.trace_ids[0]).toBe(first);
    expect(body.refused.map(({ index }: { index: number }) => index)).toEqual([1, 2, 3]);
    expect(body.refused[0].issues).toContainEqual(expect.objectContaining({ loc: ['body', 'traces', 1, 'tags'] }));
    expect(body.refused[2].issues[0].loc).toEqual(['body', 'traces', 3, 'spans', 0, 'type']);
    expect([await count('trace'), await count('span')]).toEqual([2, 2]);
  });

  it('refuses a span that an earlier trace has already, and keeps the earlier one', async () => {
    const id = randomUUID();
    const twice = [{ spans: [{ type: 'tool', id }] }, { spans: [{ type: 'tool', id }] }];
    const { body } = await log(twice, undefined, '?per_item=true');
    expect(body.refused).toEqual([{ index: 1, issues: [expect.objectContaining({ type: 'record_in_other_trace' })] }]);
    expect(await count('trace')).toBe(1);
  });

  it('is refused as a whole when none is valid', async () => {
    const { status, body } = await log([{ tags: 1 }, { tags: 2 }], undefined, '?per_item=true');
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'records_invalid' });
  });

  it('names what it refused again when it is replayed', async () => {
    const send = () => log([{}, { tags: 1 }], 'one', '?per_item=true');
    const first = await send();
    expect(first.body.refused).toHaveLength(1);
    expect((await send()).body).toEqual(first.body);
  });
});
