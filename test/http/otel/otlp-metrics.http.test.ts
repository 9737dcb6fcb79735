import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OtlpEncoding } from '../../../core/otel/otlp-codec.ts';
import { message, text } from '../../fixtures/otel/otlp-bodies.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { sendBytes } from './otlp-client.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const WHY = 'only metrics in the namespace gen_ai are kept, and of these no summaries';

/** The kinds of a metric, by their names in JSON and their numbers in protobuf. */
const KINDS = { gauge: 5, sum: 7, histogram: 9, exponentialHistogram: 10, summary: 11 } as const;
type Kind = keyof typeof KINDS;
interface Metric {
  readonly name: string;
  readonly kind?: Kind;
  readonly points: readonly unknown[];
}

const jsonOf = (metrics: readonly Metric[]) => ({
  resourceMetrics: [
    { scopeMetrics: [{ metrics: metrics.map(({ name, kind = 'sum', points }) => ({ name, [kind]: { dataPoints: points } })) }] },
  ],
});
const protobufOf = (metrics: readonly Metric[]) => {
  const data = ({ kind = 'sum', points }: Metric) => message(KINDS[kind], ...points.map(() => message(1)));
  return message(1, message(2, ...metrics.map((metric) => message(2, text(1, metric.name), data(metric)))));
};
const encode = (metrics: readonly Metric[], encoding: OtlpEncoding) =>
  new Uint8Array(encoding === 'json' ? Buffer.from(JSON.stringify(jsonOf(metrics))) : protobufOf(metrics));

const path = '/v1/metrics';
const post = async (body: Uint8Array<ArrayBuffer>, encoding: OtlpEncoding = 'json', more = {}) => {
  const reply = await sendBytes(server, body, { path, encoding, ...more });
  return { status: reply.status, text: reply.bytes.toString() };
};
const told = async (metrics: readonly Metric[]) => JSON.parse((await post(encode(metrics, 'json'))).text).partialSuccess;
const projects = async () => {
  const { status, body } = await server.request('GET', '/v2/projects/all');
  expect(status).toBe(200);
  return body;
};

/** The partial success of protobuf: no count of refusals, and the text. */
const warning = (errorMessage: string) => message(1, text(2, errorMessage));

describe('metrics that are not of model calls', () => {
  it.each(Object.keys(KINDS) as Kind[])('as a %s are named as not kept, and none counts as refused', async (kind) => {
    const metrics = [{ name: 'http.server.duration', kind, points: [{}, {}] }];
    const errorMessage = `2 data points of http.server.duration not kept: ${WHY}`;
    expect(await told(metrics)).toEqual({ rejectedDataPoints: '0', errorMessage });
    const { bytes, status } = await sendBytes(server, encode(metrics, 'protobuf'), { path, encoding: 'protobuf' });
    expect(status).toBe(200);
    expect(bytes.equals(warning(errorMessage))).toBe(true);
  });

  it('are summaries, too', async () => {
    const name = 'gen_ai.client.operation.duration';
    expect((await told([{ name, kind: 'summary', points: [{}] }])).errorMessage).toBe(`1 data point of ${name} not kept: ${WHY}`);
  });

  it('make no project, also where one is named', async () => {
    const before = await projects();
    const body = encode([{ name: 'requests', points: [{}] }], 'json');
    expect((await post(body, 'json', { headers: { project: 'a project of metrics' } })).status).toBe(200);
    expect(await projects()).toEqual(before);
  });

  it('are named once each, the first twenty, and cut where a name is long', async () => {
    const many = Array.from({ length: 25 }, (_, at) => ({ name: `m${at}`, points: [{}] }));
    const { errorMessage } = await told([...many, ...many]);
    expect(errorMessage).toContain('50 data points of m0, m1,');
    expect(errorMessage).toContain('m19, 5 more not kept');
    expect((await told([{ name: 'n'.repeat(100_000), points: [{}] }])).errorMessage.length).toBeLessThan(300);
  });

  it('without data points need no words', async () => {
    expect(await post(encode([{ name: 'requests', points: [] }], 'json'))).toEqual({ status: 200, text: '{}' });
    expect(await post(new Uint8Array(), 'protobuf')).toEqual({ status: 200, text: '' });
  });

  it('are refused point by point where a point is no object', async () => {
    expect(await told([{ name: 'requests', points: [{}, 7, null] }])).toEqual({
      rejectedDataPoints: '2',
      errorMessage: `2 data points refused: a data point is not an object (2); 1 data point of requests not kept: ${WHY}`,
    });
  });
});

describe('the metric endpoint', () => {
  it('takes gzip at both of its paths, and refuses what the others refuse', async () => {
    const body = encode([{ name: 'requests', points: [{}] }], 'json');
    const packed = new Uint8Array(gzipSync(body));
    for (const at of [path, '/otel/v1/metrics'])
      expect((await post(packed, 'json', { path: at, headers: { 'content-encoding': 'gzip' } })).text).toContain('requests');
    const refused = async (more: object) => (await post(body, 'json', more)).status;
    expect(await refused({ headers: { 'service-api-key': 'wrong' } })).toBe(401);
    expect(await refused({ headers: { 'content-type': 'text/plain' } })).toBe(415);
    expect((await sendBytes(server, undefined, { path, method: 'GET' })).status).toBe(405);
    expect((await post(new Uint8Array([0xff]), 'protobuf')).status).toBe(400);
    expect((await post(new Uint8Array(Buffer.from('{"resourceMetrics": [7]}')))).status).toBe(400);
    expect((await post(new Uint8Array(Buffer.from('{"resourceMetrics": ')))).status).toBe(400);
  });

  it.each(['json', 'protobuf'] as const)('refuses more data points than a request may hold (%s)', async (encoding) => {
    const many = [{ name: 'requests', points: Array.from({ length: 20_001 }, () => ({})) }];
    expect(await post(encode(many, encoding), encoding)).toMatchObject({ status: 413 });
  });
});
