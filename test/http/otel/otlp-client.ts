import { randomUUID } from 'node:crypto';
import type { OtlpEncoding } from '../../../core/otel/otlp-codec.ts';
import { encodeOtlpBody, type RequestJson, toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import { encodeLogs, type LogJson, toLogRequest } from '../../fixtures/otel/otlp-log-bodies.ts';
import type { ShortSpan } from '../../fixtures/otel/short-form.ts';
import { ADMIN, type TestServer } from '../harness.ts';

export interface OtlpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

export interface OtlpSending {
  readonly encoding?: OtlpEncoding;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly path?: string;
}

const TYPES = { json: 'application/json', protobuf: 'application/x-protobuf' };

/** Posts as an exporter does, with the administrator's key unless the headers say otherwise. */
export async function sendBytes(
  server: TestServer,
  body: Uint8Array<ArrayBuffer> | undefined,
  sending: OtlpSending = {},
): Promise<OtlpReply> {
  const { encoding = 'json', headers = {}, method = 'POST', path = '/v1/traces' } = sending;
  const reply = await fetch(server.url + path, {
    method,
    headers: { 'service-api-key': ADMIN.api_key, 'content-type': TYPES[encoding], ...headers },
    ...(body && { body }),
  });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

export const send = (server: TestServer, request: RequestJson, sending: OtlpSending = {}): Promise<OtlpReply> =>
  sendBytes(server, encodeOtlpBody(request, sending.encoding ?? 'json'), sending);

/** A project made for a test. */
export async function newProject(server: TestServer, name: string): Promise<{ id: string; name: string }> {
  return (await server.request('POST', '/v2/projects', { name, type: 'gen_ai' })).body;
}

export async function logStreamId(server: TestServer, project_id: string, name = 'default'): Promise<string | undefined> {
  const { body } = await server.request('GET', `/v2/projects/${project_id}/log_streams`);
  return body.find((stream: { name: string }) => stream.name === name)?.id;
}

/** Traces and spans of a log stream, without the trees. */
export async function records(server: TestServer, project_id: string, level: 'traces' | 'spans', name = 'default') {
  const log_stream_id = await logStreamId(server, project_id, name);
  if (log_stream_id === undefined) return [];
  const { body } = await server.request('POST', `/v2/projects/${project_id}/${level}/search`, { log_stream_id, limit: 1000 });
  return body.records;
}

/** The least that is taken: one span. */
export const oneSpan = toRequest({ spans: [{ spanId: '00f067aa0ba902b7', name: 'ask' }] });

/** A project of its own name, and spans sent there. */
export async function toProject(server: TestServer) {
  const { id, name } = await newProject(server, randomUUID());
  const sent = (request = oneSpan, more: Readonly<Record<string, string>> = {}) =>
    send(server, request, { headers: { project: name, ...more } });
  return { id, name, sent };
}

/** A project of its own name with what a test sends there, and reads back. */
export async function openOtlpProject(server: TestServer) {
  const { id, name } = await toProject(server);
  const headers = { project: name };
  const sendLogs = async (logs: readonly LogJson[], encoding: OtlpEncoding = 'json') => {
    const reply = await sendBytes(server, encodeLogs(toLogRequest(logs), encoding), { path: '/v1/logs', encoding, headers });
    return { ...reply, text: reply.bytes.toString() };
  };
  const sendSpans = (...spans: ShortSpan[]) => send(server, toRequest({ spans }), { headers });
  const span = async () => (await records(server, id, 'spans'))[0];
  const trace = async () => (await records(server, id, 'traces'))[0];
  return { id, headers, sendLogs, sendSpans, span, trace };
}
