import { BinaryReader } from '@bufbuild/protobuf/wire';
import { Client, credentials, type Metadata, Metadata as NewMetadata, type ServiceError, status } from '@grpc/grpc-js';
import { SpanStatusCode } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../core/kernel/errors.ts';
import { encodeOtlpBody, toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import { encodeLogs, toLogRequest } from '../../fixtures/otel/otlp-log-bodies.ts';
import { ADMIN, startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';
import { newProject, oneSpan, records, send, toProject } from './otlp-client.ts';

const MAX_BYTES = 200_000;
const TRACES = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const LOGS = '/opentelemetry.proto.collector.logs.v1.LogsService/Export';
const METRICS = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer({ grpc: true, otlpMaxBodyBytes: MAX_BYTES });
  client = new Client(server.grpcTarget!, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await server.close();
});

interface Replied {
  readonly code: number;
  readonly message: string;
  readonly bytes: Buffer | undefined;
  /** Of `google.rpc.RetryInfo`. */
  readonly retryAfterSeconds: number | undefined;
}

const toMetadata = (headers: Readonly<Record<string, string>>): Metadata => {
  const metadata = new NewMetadata();
  for (const [name, text] of Object.entries(headers)) metadata.set(name, text);
  return metadata;
};

/** Calls as an exporter does, with the administrator's key unless the headers say otherwise. */
function call(
  bytes: Uint8Array,
  { path = TRACES, headers = {}, by = client }: { path?: string; headers?: Readonly<Record<string, string>>; by?: Client } = {},
): Promise<Replied> {
  const metadata = toMetadata({ 'service-api-key': ADMIN.api_key, ...headers });
  const plain = (one: Buffer): Buffer => one;
  return new Promise((resolve) => {
    by.makeUnaryRequest(path, plain, plain, Buffer.from(bytes), metadata, (error: ServiceError | null, reply?: Buffer) => {
      const details = error?.metadata.get('grpc-status-details-bin')[0] as Buffer | undefined;
      resolve({
        code: error?.code ?? status.OK,
        message: error?.details ?? '',
        bytes: reply,
        retryAfterSeconds: details && toRetrySeconds(details),
      });
    });
  });
}

/** Status { details: Any { value: RetryInfo { retry_delay: Duration { seconds } } } }: fields 3, 2, 1 and 1. */
function toRetrySeconds(bytes: Uint8Array): number {
  const field = (within: Uint8Array, wanted: number): Uint8Array => {
    const reader = new BinaryReader(within);
    while (reader.pos < reader.len) {
      const [number, type] = reader.tag();
      if (number === wanted) return reader.bytes();
      reader.skip(type);
    }
    throw new Error(`there is no field ${wanted}`);
  };
  const duration = new BinaryReader(field(field(field(bytes, 3), 2), 1));
  duration.tag();
  return Number(duration.int64());
}

const spansIn = (...names: string[]): Uint8Array =>
  encodeOtlpBody(toRequest({ spans: names.map((name, at) => ({ spanId: `00f067aa0ba902b${at}`, name })) }), 'protobuf');

describe('an exporter of OpenTelemetry over gRPC', () => {
  let provider: NodeTracerProvider | undefined;
  afterEach(() => provider?.shutdown());

  function sdk(name: string, compression: 'gzip' | 'none', logstream: string) {
    const metadata = toMetadata({ 'service-api-key': ADMIN.api_key, project: name, logstream });
    const exporter = new OTLPTraceExporter({ url: `http://${server.grpcTarget}`, metadata, compression: compression as never });
    provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
    return { tracer: provider.getTracer('shop'), flush: () => provider!.forceFlush() };
  }

  it.each(['gzip', 'none'] as const)('delivers what it delivers over HTTP, compressed by %s', async (compression) => {
    const { id, name } = await toProject(server);
    const { tracer, flush } = sdk(name, compression, 'production');
    const span = tracer.startSpan('ask', {
      attributes: { 'gen_ai.request.model': 'gpt-4o-mini', 'gen_ai.usage.input_tokens': 12 },
    });
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'no' }).end();
    await flush();
    const [record] = await records(server, id, 'spans', 'production');
    expect(record).toMatchObject({ name: 'ask', type: 'llm', status_code: 500, metrics: { num_input_tokens: 12 } });
    expect(await records(server, id, 'traces', 'production')).toHaveLength(1);
  });
});

describe('a call over gRPC', () => {
  it('stores the same record as the same bytes over HTTP', async () => {
    const [grpc, http] = [await toProject(server), await toProject(server)];
    expect(await call(encodeOtlpBody(oneSpan, 'protobuf'), { headers: { project: grpc.name } })).toMatchObject({
      code: status.OK,
    });
    expect((await send(server, oneSpan, { encoding: 'protobuf', headers: { project: http.name } })).status).toBe(200);
    const shown = async (id: string) => {
      const [{ name, type, input, external_id, metrics }] = await records(server, id, 'spans');
      return { name, type, input, external_id, metrics };
    };
    expect(await shown(grpc.id)).toEqual(await shown(http.id));
  });

  it('replies with nothing when all is well, and with what was not taken', async () => {
    const { name } = await toProject(server);
    expect((await call(spansIn('ask'), { headers: { project: name } })).bytes).toEqual(Buffer.alloc(0));
    const half = encodeOtlpBody(
      toRequest({
        spans: [
          { spanId: '', name: 'lost' },
          { spanId: '00f067aa0ba902b7', name: 'kept' },
        ],
      }),
      'protobuf',
    );
    const reply = await call(half, { headers: { project: name } });
    expect(reply.code).toBe(status.OK);
    expect(reply.bytes?.toString()).toContain('span id');
  });

  it('takes log records and metrics', async () => {
    const { id, name } = await toProject(server);
    const headers = { project: name };
    await call(encodeOtlpBody(oneSpan, 'protobuf'), { headers });
    const at = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
    const event = { ...at, eventName: 'gen_ai.user.message', body: { content: 'hello' }, timeMs: 1 };
    const reply = await call(encodeLogs(toLogRequest([event]), 'protobuf'), { path: LOGS, headers });
    expect(reply.code).toBe(status.OK);
    expect(JSON.stringify(await records(server, id, 'spans'))).toContain('hello');
    expect(await call(new Uint8Array(), { path: METRICS, headers })).toMatchObject({ code: status.OK });
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['no credentials', { 'service-api-key': '' }],
    ['a wrong key', { 'service-api-key': 'tsk_00000000-0000-4000-8000-000000000000' }],
    ['a wrong bearer token', { 'service-api-key': '', authorization: 'Bearer tsk_none' }],
  ])('is refused with %s', async (_what, headers) => {
    expect(await call(spansIn('ask'), { headers })).toMatchObject({ code: status.UNAUTHENTICATED, retryAfterSeconds: undefined });
    expect(server.logged.some((line) => line.includes('gRPC call') && line.includes(`"code":${status.UNAUTHENTICATED}`))).toBe(
      true,
    );
  });

  it('takes an API key as a bearer token, and no project that its owner may not write to', async () => {
    const [owner, other] = [await person(server), await person(server)];
    const { id } = (await owner.request('POST', '/v2/projects', { name: `own ${owner.id}` })).body;
    const as = (key: string) => ({ headers: { 'service-api-key': '', authorization: `Bearer ${key}`, 'project-id': id } });
    expect(await call(spansIn('ask'), as(owner.api_key))).toMatchObject({ code: status.OK });
    expect(await call(spansIn('ask'), as(other.api_key))).toMatchObject({ code: status.NOT_FOUND });
  });

  it('is refused for good when it cannot be decoded, is too large, or names nothing that there is', async () => {
    const bad = await call(Buffer.from('no protobuf'));
    expect(bad).toMatchObject({ code: status.INVALID_ARGUMENT, retryAfterSeconds: undefined });
    const large = await call(spansIn('x'.repeat(MAX_BYTES)));
    expect(large).toMatchObject({ code: status.RESOURCE_EXHAUSTED, retryAfterSeconds: undefined });
    expect(await call(spansIn('ask'), { path: TRACES.replace('Export', 'Import') })).toMatchObject({
      code: status.UNIMPLEMENTED,
    });
  });

  it('is told when to come again after a passing fault, and is stored once', async () => {
    const { id, name } = await toProject(server);
    const { otelTraceStore } = server.cradle;
    const whole = otelTraceStore.standings;
    otelTraceStore.standings = () =>
      Promise.reject(
        new AppError('unavailable', 'database_unavailable', 'the database does not answer', { retryAfterSeconds: 3 }),
      );
    const failed = await call(spansIn('ask'), { headers: { project: name } });
    otelTraceStore.standings = whole;
    expect(failed).toMatchObject({ code: status.UNAVAILABLE, message: 'the database does not answer', retryAfterSeconds: 3 });
    for (const _ of [1, 2]) expect(await call(spansIn('ask'), { headers: { project: name } })).toMatchObject({ code: status.OK });
    expect(await records(server, id, 'spans')).toHaveLength(1);
  });

  it('tells a fault of our own without its words', async () => {
    const { name } = await toProject(server);
    const { otelTraceStore } = server.cradle;
    const whole = otelTraceStore.standings;
    otelTraceStore.standings = () => Promise.reject(new TypeError('secret words'));
    const reply = await call(spansIn('ask'), { headers: { project: name } });
    otelTraceStore.standings = whole;
    expect(reply).toMatchObject({ code: status.INTERNAL, message: 'internal error' });
    expect(server.logged.some((line) => line.includes('gRPC call failed') && line.includes('secret words'))).toBe(true);
  });
});

describe('memory for calls over gRPC', () => {
  it('is shared with bodies over HTTP: without room a call is told when to come again', async () => {
    const small = await startTestServer({ grpc: true, maxBytesInFlight: 4_096 });
    const by = new Client(small.grpcTarget!, credentials.createInsecure());
    const { name } = await newProject(small, 'small');
    expect(await call(spansIn('ask'), { by, headers: { project: name } })).toMatchObject({ code: status.OK });
    const reply = await call(spansIn('x'.repeat(4_000)), { by, headers: { project: name } });
    expect(reply).toMatchObject({ code: status.UNAVAILABLE, retryAfterSeconds: 1 });
    by.close();
    await small.close();
  });
});
