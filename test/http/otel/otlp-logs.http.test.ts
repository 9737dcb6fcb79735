import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeLogs, type LogJson, toLogRequest } from '../../fixtures/otel/otlp-log-bodies.ts';
import type { ShortSpan } from '../../fixtures/otel/short-form.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { logStreamId, openOtlpProject, records, sendBytes } from './otlp-client.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const chat: ShortSpan = {
  spanId: SPAN,
  name: 'chat',
  attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' },
};
const event = (name: string, body: object, more: Partial<LogJson> = {}): LogJson => ({
  traceId: TRACE,
  spanId: SPAN,
  eventName: name,
  body,
  ...more,
});
const question = event('gen_ai.user.message', { content: 'why?' }, { timeMs: 1 });
const answer = event(
  'gen_ai.choice',
  { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'because' } },
  { timeMs: 2 },
);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const open = () => openOtlpProject(server);

const joined = {
  type: 'llm',
  input: [{ role: 'user', content: 'why?' }],
  output: { role: 'assistant', content: 'because' },
  finish_reason: 'stop',
};

describe('messages that are logged beside their span', () => {
  it.each(['json', 'protobuf'] as const)('become its input and output when they come first (%s)', async (encoding) => {
    const { sendLogs, sendSpans, span, trace } = await open();
    expect(await sendLogs([question, answer], encoding)).toMatchObject({ status: 200, text: encoding === 'json' ? '{}' : '' });
    await sendSpans(chat);
    expect(await span()).toMatchObject(joined);
    expect(await trace()).toMatchObject({ input: 'why?', output: 'because', is_complete: true });
  });

  it('become its input and output when they come later, one by one, in any order and repeatedly', async () => {
    const { sendLogs, sendSpans, span, trace } = await open();
    await sendSpans(chat);
    expect((await span()).output).toBeNull();
    const rules = event('gen_ai.system.message', { content: 'be brief' }, { timeMs: 0.5 });
    for (const log of [answer, question, rules, question]) expect((await sendLogs([log])).text).toBe('{}');
    expect(await span()).toMatchObject({
      ...joined,
      input: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'why?' },
      ],
    });
    expect(await trace()).toMatchObject({ input: 'why?', output: 'because' });
    // A newer version of the span itself does not lose them.
    await sendSpans({ ...chat, name: 'chat again', endMs: 500 });
    expect(await span()).toMatchObject({ ...joined, name: 'chat again', input: [{}, {}] });
  });

  it('never replace what the span says itself, and are shown beside it', async () => {
    const { sendLogs, sendSpans, span } = await open();
    const own = JSON.stringify([{ role: 'user', content: 'my own words' }]);
    await sendSpans({ ...chat, attributes: { ...chat.attributes, 'gen_ai.input.messages': own } });
    await sendLogs([question, answer]);
    const record = await span();
    expect(record).toMatchObject({ input: [{ content: 'my own words' }], output: { content: 'because' } });
    expect(record.user_metadata['otel.logs']).toContain('why?');
  });

  it('may all stand in one event with the details of the call', async () => {
    const { sendLogs, sendSpans, span } = await open();
    const attributes = {
      'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'why?' }] }],
      'gen_ai.output.messages': [{ role: 'assistant', finish_reason: 'stop', parts: [{ type: 'text', content: 'because' }] }],
      'gen_ai.usage.input_tokens': 7,
    };
    await sendLogs([event('gen_ai.client.inference.operation.details', {}, { attributes })]);
    await sendSpans(chat);
    expect(await span()).toMatchObject({ ...joined, metrics: { num_input_tokens: 7 } });
  });

  it('are scored again when they come after the trace was scored', async () => {
    const { id, sendLogs, sendSpans, trace } = await open();
    await sendSpans(chat);
    const stream = (await logStreamId(server, id))!;
    const post = (path: string, body: unknown, more = {}) => server.request('POST', path, body, more);
    const scorer = (await post('/v2/scorers', { name: `words ${id}`, scorer_type: 'code', scoreable_node_types: ['trace'] }))
      .body;
    const form = new FormData();
    form.append('file', new Blob(['function scorer(record) { return (record.output ?? "").length; }']), 'scorer.js');
    form.append('validation_result', '{}');
    await server.request('POST', `/v2/scorers/${scorer.id}/version/code`, undefined, { raw: form });
    await server.request('PATCH', `/v2/projects/${id}/log_streams/${stream}/metric_settings`, { scorers: [{ id: scorer.id }] });
    const score = async () => (await trace()).metric_info[`words ${id}`];
    await sendSpans({ ...chat, endMs: 200 });
    await eventually(async () => expect(await score()).toMatchObject({ status_type: 'success', value: 0 }));
    await sendLogs([question, answer]);
    await eventually(async () => expect(await score()).toMatchObject({ status_type: 'success', value: 'because'.length }));
  });
});

describe('other log records', () => {
  it('of a span are kept with it', async () => {
    const { sendLogs, sendSpans, span } = await open();
    await sendSpans(chat);
    const attributes = { attempt: 2 };
    await sendLogs([{ traceId: TRACE, spanId: SPAN, body: 'rate limited', severityNumber: 13, attributes, timeMs: 5 }]);
    const { user_metadata } = await span();
    expect(JSON.parse(user_metadata['otel.logs'])).toEqual([
      { time: '2026-01-01T00:00:00.005000Z', severity: 'WARN', scope: 'lib', body: 'rate limited', attributes },
    ]);
  });

  it('are refused and counted when they name no span', async () => {
    const { id, sendLogs } = await open();
    const { status, text } = await sendLogs([{ body: 'started' }, question]);
    expect(status).toBe(200);
    expect(JSON.parse(text).partialSuccess).toEqual({
      rejectedLogRecords: '1',
      errorMessage: '1 log record refused: a log record names no trace and span (1)',
    });
    expect((await sendLogs([{ body: 'started' }], 'protobuf')).text).toContain('names no trace and span');
    expect(await records(server, id, 'spans')).toEqual([]);
  });

  it('with a field of the wrong kind are refused one by one', async () => {
    const { headers, sendSpans, span } = await open();
    const request = toLogRequest([question]);
    const logs = request.resourceLogs[0]!.scopeLogs[0]!.logRecords as unknown[];
    logs.push({ traceId: 7 });
    const reply = await sendBytes(server, Buffer.from(JSON.stringify(request)), { path: '/v1/logs', headers });
    expect(JSON.parse(reply.bytes.toString()).partialSuccess).toMatchObject({ rejectedLogRecords: '1' });
    await sendSpans(chat);
    expect(await span()).toMatchObject({ input: joined.input });
  });

  it('of one span are refused beyond a thousand, and counted where they are too long to be shown', async () => {
    const { sendLogs, sendSpans, span } = await open();
    const many = Array.from({ length: 1_005 }, (_, at) => ({ traceId: TRACE, spanId: SPAN, body: `line ${at}`, timeMs: at }));
    expect(JSON.parse((await sendLogs(many)).text).partialSuccess).toMatchObject({ rejectedLogRecords: '5' });
    await sendSpans(chat);
    const { user_metadata } = await span();
    const shown = JSON.parse(user_metadata['otel.logs']).length;
    expect(shown).toBeGreaterThan(500);
    expect(shown + Number(user_metadata['otel.dropped.logs'])).toBe(1_000);
  });
});

describe('evaluations by others', () => {
  const evaluation = (attributes: LogJson['attributes']) => event('gen_ai.evaluation.result', {}, { attributes });

  it('become metrics of their span, which can be filtered and sorted by', async () => {
    const { id, sendLogs, sendSpans, span } = await open();
    await sendSpans(chat);
    await sendLogs([
      evaluation({
        'gen_ai.evaluation.name': 'Relevance',
        'gen_ai.evaluation.score.value': 0.75,
        'gen_ai.evaluation.score.label': 'good',
        'gen_ai.evaluation.explanation': 'on the point',
      }),
      evaluation({ 'gen_ai.evaluation.name': 'Tone', 'gen_ai.evaluation.score.label': 'polite' }),
    ]);
    expect(await span()).toMatchObject({
      metrics: { Relevance: 0.75, Tone: 'polite' },
      user_metadata: { 'evaluation.Relevance.label': 'good', 'evaluation.Relevance.explanation': 'on the point' },
    });
    const filters = [{ name: 'metrics/Relevance', column_id: 'metrics/Relevance', operator: 'gt', value: 0.7, type: 'number' }];
    const log_stream_id = await logStreamId(server, id);
    const found = await server.request('POST', `/v2/projects/${id}/spans/search`, { log_stream_id, filters });
    expect(found.body.records).toHaveLength(1);
  });

  it('cannot take the name of a metric of the service, and are shown as they were logged then', async () => {
    const { sendLogs, sendSpans, span } = await open();
    await sendSpans(chat);
    await sendLogs([evaluation({ 'gen_ai.evaluation.name': 'duration_ns', 'gen_ai.evaluation.score.value': 1 })]);
    const record = await span();
    expect(record.metrics.duration_ns).toBe(100_000_000);
    expect(record.user_metadata['otel.logs']).toContain('duration_ns');
  });

  it('that the span carries as events of its own become metrics as well', async () => {
    const { sendSpans, span } = await open();
    const attributes = { 'gen_ai.evaluation.name': 'Relevance', 'gen_ai.evaluation.score.value': 1 };
    await sendSpans({ ...chat, events: [{ name: 'gen_ai.evaluation.result', attributes }] });
    expect(await span()).toMatchObject({ metrics: { Relevance: 1 } });
    expect((await span()).user_metadata['otel.events']).toBeUndefined();
  });
});

describe('the log endpoint', () => {
  it('takes gzip, at both of its paths, and refuses what the trace endpoint refuses', async () => {
    const { headers, sendSpans, span } = await open();
    const body = new Uint8Array(gzipSync(encodeLogs(toLogRequest([question]), 'json')));
    const path = '/otel/v1/logs';
    expect((await sendBytes(server, body, { path, headers: { ...headers, 'content-encoding': 'gzip' } })).status).toBe(200);
    await sendSpans(chat);
    expect(await span()).toMatchObject({ input: joined.input });
    const logs = encodeLogs(toLogRequest([question]), 'json');
    const refused = async (more: object) => (await sendBytes(server, logs, { path: '/v1/logs', ...more })).status;
    expect(await refused({ headers: { 'service-api-key': 'wrong' } })).toBe(401);
    expect(await refused({ headers: {} })).toBe(404);
    expect(await refused({ headers: { 'content-type': 'text/plain' } })).toBe(415);
    expect((await sendBytes(server, undefined, { path: '/v1/logs', method: 'GET' })).status).toBe(405);
    expect((await sendBytes(server, new Uint8Array([0xff]), { path: '/v1/logs', encoding: 'protobuf', headers })).status).toBe(
      400,
    );
    expect((await sendBytes(server, new Uint8Array(), { path: '/v1/logs', encoding: 'protobuf', headers })).status).toBe(200);
  });
});

describe.each(['openai-v2-python', 'openai-js'])('what %s sent', (name) => {
  const { requests } = JSON.parse(readFileSync(`test/fixtures/otel/captured/requests/${name}.json`, 'utf8')) as {
    requests: { path: string; content_type: string; base64: string }[];
  };
  it.each([false, true])('has its messages, backwards: %s', async (backwards) => {
    const { id, headers } = await open();
    for (const { path, content_type, base64 } of backwards ? requests.toReversed() : requests) {
      const body = new Uint8Array(Buffer.from(base64, 'base64'));
      const reply = await sendBytes(server, body, { path, headers: { ...headers, 'content-type': content_type } });
      expect([reply.status, reply.bytes.toString()]).toEqual([200, content_type.includes('json') ? '{}' : '']);
    }
    const calls = (await records(server, id, 'spans')).filter(({ type }: { type: string }) => type === 'llm');
    const [last] = calls.toSorted((a: { created_at: string }, b: { created_at: string }) =>
      a.created_at < b.created_at ? 1 : -1,
    );
    expect(last.output).toEqual({ role: 'assistant', content: 'Paris is the capital of France.' });
    expect(last.input.slice(0, 2).map(({ role }: { role: string }) => role)).toEqual(['system', 'user']);
    expect(last.user_metadata['otel.logs']).toBeUndefined();
    const [trace] = await records(server, id, 'traces');
    expect(trace).toMatchObject({ name: 'ask', output: 'Paris is the capital of France.', is_complete: true });
  });
});
