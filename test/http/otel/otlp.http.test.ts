import { randomUUID } from 'node:crypto';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { asValue } from 'awilix';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../core/kernel/errors.ts';
import type { OtlpEncoding } from '../../../core/otel/otlp-codec.ts';
import { encodeOtlpBody, toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import type { ShortSpan } from '../../fixtures/otel/short-form.ts';
import { ADMIN, startTestServer, type TestServer, type TestSettings } from '../harness.ts';
import { person } from '../people.ts';
import { logStreamId, newProject, type OtlpReply, oneSpan, records, send, sendBytes, toProject } from './otlp-client.ts';

const SPAN = '00f067aa0ba902b7';
const ENCODINGS: readonly OtlpEncoding[] = ['json', 'protobuf'];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const aProject = (on = server) => toProject(on);

/** The google.rpc.Status of a reply; of protobuf read by hand: code is field 1, message field 2. */
function getStatus({ bytes, headers }: OtlpReply): { code: number; message: string } {
  if (headers.get('content-type') === 'application/json') return JSON.parse(bytes.toString());
  expect(headers.get('content-type')).toBe('application/x-protobuf');
  expect([bytes[0], bytes[2]]).toEqual([0x08, 0x12]);
  return { code: bytes[1]!, message: bytes.subarray(bytes[3]! < 0x80 ? 4 : 5).toString() };
}

describe('the endpoint', () => {
  it.each(['/v1/traces', '/otel/v1/traces', '/otel/traces', '/api/public/otel/v1/traces'])('returns at %s', async (path) => {
    const { id, name } = await aProject();
    for (const encoding of ENCODINGS) {
      const reply = await send(server, oneSpan, { path, encoding, headers: { project: name, logstream: encoding } });
      expect([reply.status, reply.bytes.toString()]).toEqual([200, encoding === 'json' ? '{}' : '']);
      expect(await records(server, id, 'spans', encoding)).toHaveLength(1);
    }
  });

  it('has no other version', async () => {
    expect((await send(server, oneSpan, { path: '/v2/v1/traces' })).status).toBe(404);
  });

  it('takes gzip, and a media type with parameters', async () => {
    const { id, name } = await aProject();
    const body = new Uint8Array(gzipSync(encodeOtlpBody(oneSpan, 'json')));
    const headers = { project: name, 'content-encoding': 'gzip', 'content-type': 'application/json; charset=utf-8' };
    expect((await sendBytes(server, body, { headers })).status).toBe(200);
    expect(await records(server, id, 'spans')).toHaveLength(1);
  });

  it.each([
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
  ])('takes %s', async (coding, compress) => {
    const { id, name } = await aProject();
    const body = new Uint8Array(compress(encodeOtlpBody(oneSpan, 'json')));
    const headers = { project: name, 'content-encoding': coding };
    expect((await sendBytes(server, body, { headers })).status).toBe(200);
    expect(await records(server, id, 'spans')).toHaveLength(1);
    const broken = await sendBytes(server, new Uint8Array([1, 2, 3, 4]), { headers });
    expect(broken.status).toBe(400);
  });

  it('takes an API key as a bearer token, and as the password of a pair of keys', async () => {
    const { id, name } = await aProject();
    const pair = (user: string, secret: string) => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
    const post = async (authorization: string) => {
      const headers = { 'content-type': 'application/json', authorization, project: name };
      const url = `${server.url}/api/public/otel/v1/traces`;
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(oneSpan) })).status;
    };
    expect(await post(`Bearer ${ADMIN.api_key}`)).toBe(200);
    expect(await post(pair('pk-lf-anything', ADMIN.api_key))).toBe(200);
    expect(await post(pair('', ADMIN.api_key))).toBe(200);
    expect(await post(pair('pk-lf-anything', 'wrong'))).toBe(401);
    expect(await post(pair(ADMIN.email, ADMIN.api_key))).toBe(401);
    expect(await post(pair('pk-lf-anything', ADMIN.password))).toBe(401);
    expect(await records(server, id, 'spans')).toHaveLength(1);
  });

  it('says what to set where no project is named', async () => {
    const { status, bytes } = await send(server, oneSpan);
    expect([status, JSON.parse(bytes.toString()).message]).toEqual([404, expect.stringContaining('set the header "project"')]);
  });

  it('takes a request without spans', async () => {
    const { id, name } = await aProject();
    const headers = { project: name };
    expect((await sendBytes(server, new Uint8Array(), { encoding: 'protobuf', headers })).status).toBe(200);
    expect((await send(server, { resourceSpans: [] }, { headers })).status).toBe(200);
    expect(await logStreamId(server, id)).toBeUndefined();
  });

  it('takes every kind of credentials', async () => {
    const { id, name } = await aProject();
    const { access_token } = (await server.request('POST', '/v2/login/api_key', { api_key: ADMIN.api_key })).body;
    const pair = Buffer.from(`${ADMIN.email}:${ADMIN.password}`).toString('base64');
    for (const authorization of [`Bearer ${access_token}`, `Basic ${pair}`]) {
      const headers = { 'content-type': 'application/json', authorization, project: name };
      const reply = await fetch(`${server.url}/v1/traces`, { method: 'POST', headers, body: JSON.stringify(oneSpan) });
      expect(reply.status).toBe(200);
    }
    expect(await records(server, id, 'spans')).toHaveLength(1);
  });
});

describe.each(ENCODINGS)('a refusal (%s)', (encoding) => {
  const refused = async (status: number, code: number, reply: OtlpReply) => {
    expect([reply.status, getStatus(reply)]).toEqual([status, { code, message: expect.stringMatching(/\w/) }]);
    expect(reply.headers.get('x-request-id')).toMatch(/\w/);
    return reply;
  };

  it('is 401 without good credentials', async () => {
    const reply = await send(server, oneSpan, { encoding, headers: { 'service-api-key': 'wrong' } });
    expect((await refused(401, 16, reply)).headers.get('www-authenticate')).toContain('Bearer');
  });

  it('is 405 for other methods', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const reply = await sendBytes(server, undefined, { method, encoding });
      expect((await refused(405, 12, reply)).headers.get('allow')).toBe('POST');
    }
  });

  it('is 400 for what cannot be decoded', async () => {
    const headers = { project: 'x' };
    await refused(400, 3, await sendBytes(server, new Uint8Array([0xff, 1, 2]), { encoding, headers }));
  });

  it('is 400 for what is not gzip and says it is', async () => {
    const headers = { project: 'x', 'content-encoding': 'gzip' };
    await refused(400, 3, await send(server, oneSpan, { encoding, headers }));
  });

  it.each(['br', 'compress', 'gzip, gzip'])('is 415 for content encoded as %s', async (coding) => {
    await refused(415, 3, await send(server, oneSpan, { encoding, headers: { 'content-encoding': coding } }));
  });

  it('is 404 when no destination can be found, 403 when none may be written to', async () => {
    const { id, name } = await aProject();
    const viewer = await person(server);
    await server.request('POST', `/v2/projects/${id}/users`, [{ user_id: viewer.id, role: 'viewer' }]);
    const to = (headers: Record<string, string>) => send(server, oneSpan, { encoding, headers });
    await refused(404, 5, await to({ project: 'x'.repeat(300) }));
    await refused(404, 5, await to({ 'project-id': randomUUID() }));
    await refused(404, 5, await to({ 'project-id': 'no id' }));
    await refused(404, 5, await to({}));
    await refused(404, 5, await to({ project: name, 'logstream-id': randomUUID() }));
    await refused(404, 5, await to({ project: name, experimentid: randomUUID() }));
    await refused(403, 7, await to({ project: name, 'service-api-key': viewer.api_key }));
    await refused(403, 7, await to({ 'project-id': id, 'service-api-key': viewer.api_key }));
    const stranger = await person(server, { role: 'read_only' });
    await refused(403, 7, await to({ project: name, 'service-api-key': stranger.api_key }));
    await refused(403, 7, await to({ project: randomUUID(), 'service-api-key': stranger.api_key }));
    expect(await logStreamId(server, id)).toBeUndefined();
  });

  it('is 413 for more than 20,000 spans', async () => {
    const empty = encodeOtlpBody(toRequest({ spans: [] }), encoding);
    expect(empty.length).toBeGreaterThan(0);
    const many = Array.from({ length: 20_001 }, (_, at) => ({ spanId: at.toString(16).padStart(16, '1') }));
    await refused(413, 3, await send(server, toRequest({ spans: many }), { encoding, headers: { project: 'x' } }));
  });
});

describe('a media type that is not taken', () => {
  it.each(['text/plain', 'application/grpc', ''])('%j is refused with 415, in JSON', async (type) => {
    const reply = await sendBytes(server, encodeOtlpBody(oneSpan, 'json'), { headers: { 'content-type': type } });
    expect([reply.status, JSON.parse(reply.bytes.toString()).code]).toEqual([415, 3]);
    expect(reply.headers.get('content-type')).toBe('application/json');
  });
});

describe('bodies', () => {
  let small: TestServer;
  beforeAll(async () => {
    small = await startTestServer({ otlpMaxBodyBytes: 100_000 });
  });
  afterAll(() => small.close());

  it('are bounded as sent', async () => {
    const large = toRequest({ spans: [{ spanId: SPAN, attributes: { a: 'x'.repeat(100_000) } }] });
    expect((await send(small, large)).status).toBe(413);
  });

  it('are bounded after inflating, however well they are packed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    const reply = await sendBytes(small, new Uint8Array(bomb), { headers: { 'content-encoding': 'gzip' } });
    expect([reply.status, getStatus(reply).code]).toEqual([413, 3]);
  });

  it('may be larger than those of other operations', async () => {
    const one = await startTestServer({ maxBodyBytes: 1024 });
    const project = await newProject(one, 'p');
    const large = toRequest({ spans: [{ spanId: SPAN, attributes: { a: 'x'.repeat(100_000) } }] });
    expect((await send(one, large, { headers: { 'project-id': project.id } })).status).toBe(200);
    await one.close();
  });
});

describe('spans that cannot be taken', () => {
  const bad: ShortSpan[] = [{ spanId: SPAN }, { spanId: SPAN, traceId: '0'.repeat(32) }, { spanId: '12345678' }];

  it('are counted and explained, and the others are stored', async () => {
    const { id, name } = await aProject();
    const reply = await send(server, toRequest({ spans: bad }), { headers: { project: name } });
    expect([reply.status, JSON.parse(reply.bytes.toString())]).toEqual([
      200,
      {
        partialSuccess: {
          rejectedSpans: '2',
          errorMessage: '2 spans refused: trace id must be 16 bytes and not zero (1), span id must be 8 bytes and not zero (1)',
        },
      },
    ]);
    expect(await records(server, id, 'spans')).toHaveLength(1);
    const inProtobuf = await send(server, toRequest({ spans: bad }), { encoding: 'protobuf', headers: { project: name } });
    expect([...inProtobuf.bytes.subarray(0, 1), ...inProtobuf.bytes.subarray(2, 4)]).toEqual([0x0a, 0x08, 2]);
    expect(inProtobuf.bytes.toString()).toContain('2 spans refused: trace id must be');
  });

  it('are those whose id another record has', async () => {
    const { id, sent } = await aProject();
    const log_stream_id = (await server.request('POST', `/v2/projects/${id}/log_streams`, { name: 'default' })).body.id;
    const span = { type: 'workflow', id: '69c97120-d558-449c-b567-66ddc3532d85', name: 'mine' };
    await server.request('POST', `/v2/projects/${id}/traces`, { log_stream_id, traces: [{ spans: [span] }] });
    const reply = await sent(toRequest({ spans: [{ spanId: SPAN }, { spanId: '1'.repeat(16) }] }));
    expect(reply.bytes.toString()).toContain('"rejectedSpans":"1"');
    const names = (await records(server, id, 'spans')).map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(['mine', 'workflow']);
  });
});

describe('versions of a span', () => {
  const version = (name: string, endMs: number | null) => toRequest({ spans: [{ spanId: SPAN, name, endMs }] });

  it.each<[string, number | null, number | null, string]>([
    ['that ended later wins', 5, 9, 'second'],
    ['that ended earlier is dropped', 9, 5, 'first'],
    ['that runs is dropped for one that ended', 9, null, 'first'],
    ['that ended at the same time is the newer', 5, 5, 'second'],
  ])('%s', async (_what, first, second, stays) => {
    const { id, sent } = await aProject();
    await sent(version('first', first));
    expect((await sent(version('second', second))).bytes.toString()).toBe('{}');
    expect((await records(server, id, 'spans')).map(({ name }: { name: string }) => name)).toEqual([stays]);
    expect((await records(server, id, 'traces'))[0].name).toBe(stays);
  });

  it('leaves a trace open while one runs', async () => {
    const { id, sent } = await aProject();
    await sent(version('ask', null));
    expect((await records(server, id, 'traces'))[0].is_complete).toBe(false);
    await sent(version('ask', 5));
    expect((await records(server, id, 'traces'))[0].is_complete).toBe(true);
  });
});

describe('what speakers there are', () => {
  it('is told by roles under the names the API uses; a role that is not known stays as it came', async () => {
    const { id, sent } = await aProject();
    const messages = JSON.stringify([
      { role: 'Critic', content: 'no' },
      { role: 'function', content: 'looked up' },
      { role: 'USER', content: 'why' },
    ]);
    await sent(
      toRequest({
        spans: [{ spanId: SPAN, attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': messages } }],
      }),
    );
    const [span] = await records(server, id, 'spans');
    expect(span.input).toEqual([
      { role: 'Critic', content: 'no' },
      { role: 'tool', content: 'looked up' },
      { role: 'user', content: 'why' },
    ]);
    expect((await records(server, id, 'traces'))[0].input).toBe('why');
  });
});

describe('a passing fault', () => {
  let broken: TestServer | undefined;
  afterEach(() => broken?.close());

  const with_ = async (overrides: TestSettings['overrides']) => {
    broken = await startTestServer(overrides ? { overrides } : {});
    return newProject(broken, 'p');
  };
  const down = () => {
    throw new AppError('unavailable', 'database_unavailable', 'the database does not answer', { retryAfterSeconds: 7 });
  };

  it.each(ENCODINGS)('is 503 with the time to wait, and nobody is told that spans are stored (%s)', async (encoding) => {
    const { id } = await with_(undefined);
    const { otelTraceStore } = broken!.cradle;
    const reply = async () => send(broken!, oneSpan, { encoding, headers: { 'project-id': id } });
    const whole = otelTraceStore.standings;
    otelTraceStore.standings = down;
    const first = await reply();
    expect([first.status, getStatus(first).code, first.headers.get('retry-after')]).toEqual([503, 14, '7']);
    otelTraceStore.standings = whole;
    const { reassemble } = otelTraceStore;
    otelTraceStore.reassemble = down;
    expect((await reply()).status).toBe(200);
    const child = toRequest({ spans: [{ spanId: '00f067aa0ba902b8', parentSpanId: '00f067aa0ba902b7', name: 'look up' }] });
    const more = async () => (await send(broken!, child, { encoding, headers: { 'project-id': id } })).status;
    expect(await more()).toBe(503);
    otelTraceStore.reassemble = reassemble;
    expect(await more()).toBe(200);
    expect(await records(broken!, id, 'traces')).toMatchObject([{ name: 'ask', is_complete: true }]);
  });

  it('is not what a bug is', async () => {
    const { id } = await with_({ getPrices: asValue(() => undefined) });
    broken!.cradle.otelTraceStore.standings = () => {
      throw new TypeError('a bug');
    };
    const reply = await send(broken!, oneSpan, { headers: { 'project-id': id } });
    expect([reply.status, getStatus(reply)]).toEqual([500, { code: 13, message: 'internal error' }]);
    expect(broken!.logged.join()).toContain('a bug');
  });
});
