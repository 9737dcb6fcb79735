import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../setup/timing.ts';
import { ADMIN, type Reply, startTestServer, type TestServer } from './harness.ts';
import { type Person, person } from './people.ts';

const MAX_BODY = 200_000;
let server: TestServer;
let at: string;
let log_stream_id: string;
beforeAll(async () => {
  server = await startTestServer({ maxBodyBytes: MAX_BODY, maxBytesInFlight: 3 * MAX_BODY });
  at = `/v2/projects/${(await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id}`;
  log_stream_id = (await server.request('POST', `${at}/log_streams`, { name: 'default' })).body.id;
});
afterAll(() => server.close());

type Bytes = Uint8Array<ArrayBuffer>;
const JSON_TYPE = { 'content-type': 'application/json' };
const send = (raw: string | Bytes, headers: Record<string, string> = JSON_TYPE) =>
  server.request('POST', `${at}/traces`, undefined, { raw, headers });
const body = (trace = '{}') => `{"log_stream_id":"${log_stream_id}","traces":[${trace}]}`;
const bytes = (text: string): Bytes => new TextEncoder().encode(text);
const counts = async () => {
  const of = async (level: string) => (await server.request('POST', `${at}/${level}s/count`, { log_stream_id })).body.total_count;
  return [await of('trace'), await of('span')];
};

/** The one form of errors: a list of issues for 422, a text for everything else. */
function expectRefusal({ status, body: error, headers }: Reply, expected: number): void {
  expect([status, error]).toEqual([
    expected,
    expect.objectContaining({ code: expect.stringMatching(/^[a-z0-9_]+$/), request_id: headers.get('x-request-id') }),
  ]);
  if (status !== 422) expect(error.detail).toEqual(expect.any(String));
  else
    expect(error.detail).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ loc: expect.any(Array), msg: expect.any(String), type: expect.any(String) }),
      ]),
    );
  expect(JSON.stringify(error).length).toBeLessThan(60_000);
}

describe('a body that is accepted', () => {
  it.each<[string, (raw: Bytes) => Bytes, Record<string, string>]>([
    ['plain', (raw) => raw, {}],
    ['gzip', (raw) => new Uint8Array(gzipSync(raw)), { 'content-encoding': 'gzip' }],
    ['x-gzip', (raw) => new Uint8Array(gzipSync(raw)), { 'content-encoding': 'X-GZIP' }],
    ['deflate', (raw) => new Uint8Array(deflateSync(raw)), { 'content-encoding': 'deflate' }],
    ['br', (raw) => new Uint8Array(brotliCompressSync(raw)), { 'content-encoding': 'br' }],
    ['zstd', (raw) => new Uint8Array(zstdCompressSync(raw)), { 'content-encoding': 'zstd' }],
    ['identity', (raw) => raw, { 'content-encoding': 'identity' }],
    ['UTF-8 by name', (raw) => raw, { 'content-type': 'application/json; charset="UTF-8"' }],
    ['JSON by suffix', (raw) => raw, { 'content-type': 'application/vnd.api+json' }],
  ])('%s', async (_what, encode, headers) => {
    const id = randomUUID();
    const reply = await send(encode(bytes(body(`{"id":"${id}","input":"\u00fc\u{1f99c}\\u0000\\ud83e"}`))), {
      ...JSON_TYPE,
      ...headers,
    });
    expect(reply.status).toBe(200);
    expect((await server.request('GET', `${at}/traces/${id}`)).body.input).toBe('\u00fc\u{1f99c}\0\ud83e');
  });

  it('in pieces, without a length', async () => {
    const id = randomUUID();
    const parts = [body(`{"id":"${id}"}`).slice(0, 30), body(`{"id":"${id}"}`).slice(30)];
    const stream = new ReadableStream<Bytes>({
      start(controller) {
        for (const part of parts) controller.enqueue(bytes(part));
        controller.close();
      },
    });
    const init = { method: 'POST', headers: { ...JSON_TYPE, 'service-api-key': ADMIN.api_key }, body: stream, duplex: 'half' };
    const reply = await fetch(`${server.url}${at}/traces`, init as RequestInit);
    expect(reply.status).toBe(200);
    expect((await server.request('GET', `${at}/traces/${id}`)).status).toBe(200);
  });

  it('nested as deep as it may be', async () => {
    const id = randomUUID();
    const deep = `${'['.repeat(120)}${']'.repeat(120)}`;
    expect((await send(body(`{"id":"${id}","user_metadata":{"deep":${deep}}}`))).status).toBe(200);
    expect(JSON.stringify((await server.request('GET', `${at}/traces/${id}`)).body.user_metadata.deep)).toBe(deep);
  });
});

describe('a body that is refused', () => {
  const trace = (facts: string): string => body(`{${facts}}`);
  it.each<[string, () => string | Bytes, number, Record<string, string>?]>([
    ['empty', () => '', 422],
    ['cut off', () => body().slice(0, -1), 422],
    ['followed by more', () => `${body()}{}`, 422],
    ['null', () => 'null', 422],
    ['a number', () => '7', 422],
    ['a text', () => '"text"', 422],
    ['a list', () => '[]', 422],
    ['not JSON', () => "{'log_stream_id': 1}", 422],
    ['NaN', () => trace('"status_code":NaN'), 422],
    ['too deep in brackets', () => '['.repeat(90_000), 422],
    ['too deep in braces', () => '{"a":'.repeat(30_000), 422],
    ['too deep in spans', () => body(`${'{"type":"workflow","spans":['.repeat(70)}${']}'.repeat(70)}`), 422],
    ['not UTF-8', () => new Uint8Array([...bytes(body().slice(0, -1)), 0xff, 0x7d]), 422],
    ['a lone surrogate in UTF-8', () => new Uint8Array([...bytes('{"a":"'), 0xed, 0xa0, 0x80, ...bytes('"}')]), 422],
    ['UTF-16', () => new Uint8Array(Buffer.from(body(), 'utf16le')), 422],
    ['UTF-16 by name', () => body(), 415, { 'content-type': 'application/json; charset=utf-16' }],
    ['UTF-7 by name', () => body(), 415, { 'content-type': 'application/json;charset=utf-7' }],
    ['Latin 1 by name', () => body(), 415, { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['text', () => body(), 415, { 'content-type': 'text/plain' }],
    ['a form', () => 'a=b', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['an unknown encoding', () => body(), 415, { ...JSON_TYPE, 'content-encoding': 'compress' }],
    ['plain, called zstd', () => body(), 422, { ...JSON_TYPE, 'content-encoding': 'zstd' }],
    ['two encodings', () => new Uint8Array(gzipSync(gzipSync(body()))), 415, { ...JSON_TYPE, 'content-encoding': 'gzip, gzip' }],
    ['plain, called gzip', () => body(), 422, { ...JSON_TYPE, 'content-encoding': 'gzip' }],
    ['gzip, called br', () => new Uint8Array(gzipSync(body())), 422, { ...JSON_TYPE, 'content-encoding': 'br' }],
    [
      'gzip that is cut off',
      () => new Uint8Array(gzipSync(body()).subarray(0, 40)),
      422,
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
    ],
    ['too large', () => 'x'.repeat(MAX_BODY + 1), 413],
    ['a gzip bomb', () => new Uint8Array(gzipSync(Buffer.alloc(50_000_000))), 413, { ...JSON_TYPE, 'content-encoding': 'gzip' }],
    [
      'a br bomb',
      () => new Uint8Array(brotliCompressSync(Buffer.alloc(50_000_000))),
      413,
      { ...JSON_TYPE, 'content-encoding': 'br' },
    ],
    [
      'a deflate bomb',
      () => new Uint8Array(deflateSync(Buffer.alloc(50_000_000))),
      413,
      { ...JSON_TYPE, 'content-encoding': 'deflate' },
    ],
    ['infinite', () => trace('"metrics":{"a":1e400}'), 422],
    ['infinite in metadata', () => trace('"user_metadata":{"a":[-1e400]}'), 422],
    ['an integer too large', () => trace('"status_code":2147483648'), 422],
    ['a count too large', () => trace('"metrics":{"duration_ns":1e20}'), 422],
    ['a fraction for a count', () => trace('"metrics":{"durationNs":1.5}'), 422],
    ['a NUL in a name', () => trace('"name":"a\\u0000"'), 422],
    ['a lone surrogate in a tag', () => trace('"tags":["\\ud83e"]'), 422],
    ['an id in braces', () => trace(`"id":"{${randomUUID()}}"`), 422],
    ['an id without dashes', () => trace(`"id":"${randomUUID().replaceAll('-', '')}"`), 422],
    ...[
      'infinity',
      'yesterday',
      '+275760-09-13T00:00:00Z',
      '2026-01-01T00:00:60Z',
      '2026-02-30T00:00:00Z',
      '0000-01-01T00:00:00Z',
      'epoch',
    ].map((time): [string, () => string, number] => [`the time ${time}`, () => trace(`"created_at":"${time}"`), 422]),
    ['a name too long', () => trace(`"name":"${'x'.repeat(1_025)}"`), 422],
    ['a hundred thousand mistakes', () => body(`{"tags":[${'1,'.repeat(60_000)}1]}`), 422],
    ['a mistake as long as can be', () => trace(`"id":"${'x'.repeat(100_000)}"`), 422],
    ['good for one record and bad for the next', () => body('{},{"name":7}'), 422],
  ])('%s', async (_what, raw, status, headers = JSON_TYPE) => {
    const before = await counts();
    expectRefusal(await send(raw(), headers), status);
    expect(await counts()).toEqual(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each([
    ['the body', ['body', '__proto__'], '"__proto__":{"polluted":1},"traces":[{}]'],
    ['a trace', ['body', 'traces', 0, '__proto__'], '"traces":[{"__proto__":{"polluted":1}}]'],
    ['a span', ['body', 'traces', 0, 'spans', 0, '__proto__'], '"traces":[{"spans":[{"type":"tool","__proto__":1}]}]'],
  ])('a key __proto__ of %s would be lost, and is refused', async (_what, loc, fields) => {
    const before = await counts();
    const refusal = await send(`{"log_stream_id":"${log_stream_id}",${fields}}`);
    expect(refusal).toMatchObject({ status: 422, body: { detail: [{ loc, type: 'name_reserved' }] } });
    expect(await counts()).toEqual(before);
  });

  it('keys that pollute are data, and pollute nothing', async () => {
    const id = randomUUID();
    const odd = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    expect((await send(`{"log_stream_id":"${log_stream_id}","traces":[{"id":"${id}","user_metadata":${odd}}]}`)).status).toBe(
      200,
    );
    expect(JSON.stringify((await server.request('GET', `${at}/traces/${id}`)).body.user_metadata)).toBe(odd);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('by a sender who goes away is forgotten', async () => {
    const gauge = async () => /^touchstone_body_bytes_in_flight (\d+)/m.exec((await server.request('GET', '/metrics')).body)?.[1];
    const headers = { ...JSON_TYPE, 'service-api-key': ADMIN.api_key, 'content-length': '1000' };
    const half = request(`${server.url}${at}/traces`, { method: 'POST', headers }).on('error', () => {});
    half.write(body().slice(0, 20));
    await eventually(async () => expect(await gauge()).toBe('20'));
    half.destroy();
    await eventually(async () => expect(await gauge()).toBe('0'));
  });
});

describe('a body of very many names', () => {
  const names = (count: number) => `{"name":"Names"${',"a":0'.repeat(count)}}`;

  it('is refused in one clear sentence, before it is parsed', async () => {
    const { status, body: error } = await server.request('POST', '/v2/projects', undefined, {
      raw: names(10_000),
      headers: JSON_TYPE,
    });
    const msg = 'the body has an object of more than 10000 names';
    expect([status, error.code, error.detail]).toEqual([
      422,
      'body_too_many_values',
      [{ loc: ['body'], msg, type: 'body_too_many_values' }],
    ]);
  });

  it('is taken with as many as there may be', async () => {
    const reply = await server.request('POST', '/v2/projects', undefined, { raw: names(9_999), headers: JSON_TYPE });
    expect(reply.status).toBe(200);
  });

  it('is taken with more of them where it holds records', async () => {
    expect((await send(body(`{"user_metadata":${names(10_001)}}`))).status).toBe(200);
  });

  it('is refused when they differ from object to object, and taken when the objects are alike', async () => {
    const named = (prefix: string) => `{${Array.from({ length: 100 }, (_, at) => `"${prefix}${at.toString(36)}":0`).join(',')}}`;
    const create = (prefix: (at: number) => string) => {
      const raw = `{"name":"Forms","extra":[${Array.from({ length: 201 }, (_, at) => named(prefix(at))).join(',')}]}`;
      return server.request('POST', '/v2/projects', undefined, { raw, headers: JSON_TYPE });
    };
    const refused = await create((at) => `${at.toString(36)} `);
    expect([refused.status, refused.body.code]).toEqual([422, 'body_too_many_values']);
    expect(refused.body.detail).toMatchObject([{ msg: expect.stringContaining('more than 20000 different names') }]);
    expect((await create(() => 'p')).status).toBe(200);
  });
});

describe('too many bytes at once', () => {
  const held: ReturnType<typeof request>[] = [];
  const letGo = () => {
    for (const one of held.splice(0)) one.destroy();
  };
  afterEach(letGo);

  /** Sends a body except for the last byte. */
  function hold({ api_key }: Person, path: string, length: number, type: string): void {
    const headers = { 'content-type': type, 'service-api-key': api_key, 'content-length': `${length}` };
    const one = request(`${server.url}${path}`, { method: 'POST', headers }).on('error', () => {});
    one.write(' '.repeat(length - 1));
    held.push(one);
  }

  /** Has several users hold as much as a network may: three quarters of all. */
  async function fill(path: string, type = 'application/json'): Promise<void> {
    const lengths = [MAX_BODY - 1_000, MAX_BODY - 1_000, 50_000];
    for (const [index, length] of lengths.entries()) {
      hold(await person(server), path, length, type);
      const sum = lengths.slice(0, index + 1).reduce((all, one) => all + one - 1, 0);
      await eventually(async () => expect(await gauge()).toBe(sum));
    }
  }
  const gauge = async () =>
    Number(/^touchstone_body_bytes_in_flight (\d+)/m.exec((await server.request('GET', '/metrics')).body)?.[1]);

  it.each([
    ['JSON', () => `${at}/traces`, 'application/json'],
    ['forms', () => `${at}/upload_file`, 'multipart/form-data; boundary=x'],
  ])('of %s are refused with a time to come back, until there is room again', async (_what, path, type) => {
    await fill(path(), type);
    const raw = body(`{"input":"${'x'.repeat(10_000)}"}`);
    const reply = await send(raw);
    expectRefusal(reply, 503);
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect((await server.request('GET', '/healthz')).status).toBe(200);
    letGo();
    await eventually(async () => expect(await gauge()).toBe(0));
    expect((await send(raw)).status).toBe(200);
  });

  describe('that do not say how many they are', () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    afterAll(() => agent.destroy());

    /** Sends so many bytes in pieces, whatever is answered meanwhile. Resolves to the answer, and whose connection it came by. */
    function pour(length: number, headers: Record<string, string> = {}) {
      const options = { method: 'POST', agent, headers: { ...JSON_TYPE, 'service-api-key': ADMIN.api_key, ...headers } };
      const { promise, resolve, reject } = Promise.withResolvers<{
        status: number;
        code: string;
        port: number;
        retry?: string;
      }>();
      const one = request(`${server.url}${at}/traces`, options, async (res) => {
        const { localPort } = res.socket;
        const { code } = JSON.parse(Buffer.concat(await res.toArray()).toString());
        const retry = res.headers['retry-after'];
        resolve({ status: res.statusCode!, code, port: localPort!, ...(retry === undefined ? {} : { retry }) });
      });
      one.on('error', reject);
      for (let sent = 0; sent < length; sent += 50_000) one.write(Buffer.alloc(50_000, ' '));
      one.end();
      return promise;
    }

    it('are refused by what is wrong with them, and their connection goes on', async () => {
      const first = await pour(20 * MAX_BODY);
      expect(first).toMatchObject({ status: 413, code: 'body_too_large' });
      await fill(`${at}/traces`);
      const second = await pour(MAX_BODY - 10_000);
      expect(second).toEqual({ status: 503, code: 'overloaded', port: first.port, retry: '1' });
      const third = await pour(1_000_000, { 'content-encoding': 'gzip' });
      expect(third).toMatchObject({ status: 422, code: 'body_encoding_broken', port: first.port });
    });
  });
});
