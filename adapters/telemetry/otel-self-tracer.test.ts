import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SELF_TRACE_HEADER } from '../../core/kernel/self-tracer.ts';
import { startTestServer } from '../../test/http/harness.ts';
import { OtelSelfTracer } from './otel-self-tracer.ts';

interface Sent {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

let collector: Server;
let received: { headers: IncomingHttpHeaders; body: string }[];
let status: number;
let tracer: OtelSelfTracer | undefined;
beforeEach(async () => {
  received = [];
  status = 200;
  collector = createServer(async (req, res) => {
    received.push({ headers: req.headers, body: await text(req) });
    res.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await tracer?.close();
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
});

const getEndpoint = () => `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;

async function open(ratio = 1, endpoint = getEndpoint()): Promise<OtelSelfTracer> {
  const settings = { endpoint, headers: { authorization: 'Bearer of the collector' }, ratio };
  tracer = await OtelSelfTracer.open(settings, '1.2.3', Promise.resolve('an installation'));
  return tracer;
}

/** All spans that the collector has got once the tracer has ended. */
async function getSpans(): Promise<Sent[]> {
  await tracer!.close();
  tracer = undefined;
  return received.flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Sent[] }[] }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
}

const factsOf = ({ attributes }: Sent) => Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe('spans of the own work', () => {
  it('hang below each other, and below nothing where requests share the work', async () => {
    const opened = await open();
    await opened.span('outer', { kind: 'x' }, async () => {
      await opened.span('inner', {}, async () => {});
      await opened.rootSpan('shared', { requests: 2 }, async () => {});
    });
    const spans = new Map((await getSpans()).map((span) => [span.name, span]));
    expect(spans.get('inner')).toMatchObject({ parentSpanId: spans.get('outer')!.spanId, traceId: spans.get('outer')!.traceId });
    expect(spans.get('shared')!.traceId).not.toBe(spans.get('outer')!.traceId);
    expect(spans.get('shared')!.parentSpanId ?? '').toBe('');
    expect(factsOf(spans.get('shared')!)).toEqual({ requests: 2 });
    expect(received[0]!.headers).toMatchObject({
      authorization: 'Bearer of the collector',
      [SELF_TRACE_HEADER]: 'an installation',
    });
  });

  it('say that work failed, and not why: what was sent may stand in the message', async () => {
    const opened = await open();
    const work = async () => Promise.reject(new RangeError('the secret of a customer'));
    await expect(opened.span('failing', {}, work)).rejects.toThrow('the secret of a customer');
    const [span] = await getSpans();
    expect(span).toMatchObject({ status: { code: 2 } });
    expect(factsOf(span!)).toEqual({ 'error.type': 'RangeError' });
    expect(received.map(({ body }) => body).join()).not.toContain('secret');
  });

  it('are kept by the ratio alone, also where the caller samples everything', async () => {
    const opened = await open(0);
    opened.beginRequest('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01').end('GET /', 200, {});
    await opened.span('job', {}, async () => {});
    expect(await getSpans()).toEqual([]);
  });

  it.each([500, 503])('are lost without harm where the collector responds %i', async (failing) => {
    status = failing;
    const opened = await open();
    expect(await opened.span('job', {}, async () => 'done')).toBe('done');
    await opened.close();
  });

  it('are lost without harm where there is no collector', async () => {
    const opened = await open(1, 'http://127.0.0.1:9/v1/traces');
    for (let count = 0; count < 5_000; count += 1) await opened.span('job', {}, async () => {});
    await opened.close();
  });
});

describe('a service with traces of its own', () => {
  it('tells routes and statuses below the span of the caller, and no path, header or body', async () => {
    await using server = await startTestServer({ selfTracer: await open() });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = { traceparent, 'x-request-id': 'asked-so' };
    const made = await server.request('POST', '/v2/projects', { name: 'secret name', type: 'gen_ai' }, { headers });
    await server.request('GET', `/v2/projects/${made.body.id}`, undefined, { headers: { traceparent: 'nonsense' } });
    await server.request('GET', '/v2/nowhere/secret');
    await server.close();
    const spans = await getSpans();
    expect(spans.map(({ name }) => name).sort()).toEqual(['GET /v2/projects/:project_id', 'GET unmatched', 'POST /v2/projects']);
    const post = spans.find(({ name }) => name === 'POST /v2/projects')!;
    expect(post).toMatchObject({ traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331' });
    expect(factsOf(post)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v2/projects',
      'http.response.status_code': 200,
      request_id: 'asked-so',
    });
    const all = received.map(({ body }) => body).join();
    expect(all).not.toContain('secret');
    expect(all).not.toContain(made.body.id);
  });

  it('does not take its own spans, whoever sends them on', async () => {
    await using server = await startTestServer({ installation: 'this one' });
    const send = (from: string) =>
      server.request('POST', '/v1/traces', { resourceSpans: [] }, { headers: { [SELF_TRACE_HEADER]: from } });
    expect((await send('this one')).status).toBe(400);
    expect((await send('another one')).status).toBe(200);
  });
});
