import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { toRequest } from '../fixtures/otel/otlp-bodies.ts';
import { encodeLogs, toLogRequest } from '../fixtures/otel/otlp-log-bodies.ts';
import { send, sendBytes } from '../http/otel/otlp-client.ts';
import { type PostgresService, type PostgresSettings, startPostgresService } from '../setup/postgres-service.ts';
import { allRows } from './canaries.ts';

const TRACE = '5b8aa5a2d2c872e8321cf37308d69df2';
const SPAN = '051581bf3cb55c13';

/** Secrets by the route that they were sent by; each has an e-mail address, a value under a name of secrets, and one of an own pattern. */
const canaries = new Map<string, readonly string[]>();
const random = () => randomBytes(8).toString('hex');
function content(route: string) {
  const [email, password, own] = [`${random()}@canary.example`, `pw${random()}`, `EMP-${random()}`];
  canaries.set(route, [email, password, own]);
  const text = `from ${email} of ${own}, password=${password}`;
  return {
    email,
    text,
    object: { [email]: own, nested: [{ api_key: password, to: email }], headers: [{ name: 'Cookie', value: password }] },
  };
}

const RULES = [
  { name: 'addresses', kind: 'email' },
  { name: 'secrets', kind: 'secret_keys' },
  { name: 'staff', kind: 'pattern', pattern: 'emp-[0-9a-f]{16}', ignore_case: true, replacement: '[STAFF]' },
];

let service: PostgresService;
let project_id: string;
let name: string;
afterEach(() => service.close());

async function call(method: string, path: string, body?: object) {
  const reply = await service.request(method, path, body);
  expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
  return reply.body;
}
const inProject = (method: string, path: string, body?: object) => call(method, `/v2/projects/${project_id}${path}`, body);

async function open(settings: PostgresSettings = {}) {
  canaries.clear();
  service = await startPostgresService(settings);
  name = `masked ${randomUUID()}`;
  project_id = (await call('POST', '/v2/projects', { name })).id;
  await inProject('PUT', '/masking-rules', { rules: RULES });
  return (await inProject('POST', '/log_streams', { name: 'logs' })).id as string;
}

async function sendTraces(log_stream_id: string) {
  const { text, object } = content('traces');
  const span = {
    type: 'llm',
    name: text,
    input: [{ role: 'user', content: text }],
    output: { role: 'assistant', content: text },
    model: 'm',
  };
  const calls = {
    type: 'tool',
    input: JSON.stringify(object),
    output: JSON.stringify(JSON.stringify(object)),
    tool_call_id: text,
  };
  const more = {
    user_metadata: object,
    tags: [text],
    external_id: text,
    dataset_input: text,
    dataset_output: text,
    dataset_metadata: object,
  };
  const [id, span_id] = [randomUUID(), randomUUID()];
  const trace = {
    id,
    name: text,
    input: text,
    output: text,
    redacted_input: text,
    spans: [{ id: span_id, ...span, ...more }, calls],
    ...more,
  };
  await inProject('POST', '/traces', { log_stream_id, traces: [trace], is_complete: false, session_external_id: text });
  return { id, span_id };
}

async function sendSpans(log_stream_id: string, trace_id: string) {
  const { text, object } = content('spans');
  const documents = [{ content: text, metadata: object }];
  const spans = [{ type: 'retriever', input: text, output: documents, user_metadata: object }];
  await inProject('POST', '/spans', { log_stream_id, trace_id, parent_id: trace_id, spans });
}

async function amend(log_stream_id: string, trace_id: string, span_id: string) {
  const [trace, span] = [content('amended traces').text, content('amended spans').text];
  await inProject('PATCH', `/traces/${trace_id}`, { log_stream_id, output: trace, tags: [trace] });
  await inProject('PATCH', `/spans/${span_id}`, { log_stream_id, output: { role: 'assistant', content: span }, tags: [span] });
}

async function sendSession(log_stream_id: string) {
  const { text, object } = content('sessions');
  const body = { log_stream_id, name: text, external_id: text, user_metadata: object };
  const { id } = await inProject('POST', '/sessions', body);
  expect((await inProject('POST', '/sessions', body)).id, 'a session is found again by what its sender calls it').toBe(id);
}

async function sendOtlp() {
  const { text, object, email } = content('OTLP');
  const event = { name: 'exception', attributes: { 'exception.message': text } };
  const attributes = {
    'user.id': email,
    'session.id': text,
    'gen_ai.operation.name': 'chat',
    'input.value': text,
    other: JSON.stringify(object),
    authorization: text,
  };
  const span = { traceId: TRACE, spanId: SPAN, name: text, attributes, events: [event] };
  const request = toRequest({ scope: 'lib', resource: { 'service.instance.id': text }, spans: [span] } as never);
  const headers = { project: name, logstream: 'otlp' };
  expect((await send(service, request, { headers })).status).toBe(200);
  const logs = [SPAN, 'aaaaaaaaaaaaaaaa'].map((spanId) => ({
    ...{ traceId: TRACE, spanId, eventName: 'gen_ai.user.message' },
    body: { content: content(`log records of ${spanId}`).text },
  }));
  const reply = await sendBytes(service, encodeLogs(toLogRequest(logs as never), 'json'), { path: '/v1/logs', headers });
  expect(reply.status).toBe(200);
}

async function sendExperiment() {
  const { text } = content('experiments');
  const { id } = await inProject('POST', '/experiments', { name: 'tried' });
  await inProject('POST', '/traces', { experiment_id: id, traces: [{ input: text, output: text, dataset_input: text }] });
}

async function sendDataset(trace_id: string) {
  const raw = new FormData();
  raw.set('name', `of ${name}`);
  raw.set('project_id', project_id);
  const uploaded = content('uploads');
  raw.set('file', new Blob([`${JSON.stringify({ input: uploaded.text, metadata: uploaded.object })}\n`]), 'rows.jsonl');
  const made = await service.request('POST', '/v2/datasets', undefined, { raw });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const { text, email } = content('rows');
  const values = { input: text, extra: { [email]: text } };
  await call('PATCH', `/v2/datasets/${made.body.id}/content`, { edits: [{ edit_type: 'append_row', values }] });
  const copy = { edit_type: 'copy_record_data', project_id, ids: [trace_id], use_generated_output_column: false };
  await call('PATCH', `/v2/datasets/${made.body.id}/content`, { edits: [copy] });
}

async function rate(log_stream_id: string, record_id: string) {
  const [feedback, annotation] = [content('feedback').text, content('annotations').text];
  const rating = { log_stream_id, record_id, annotation_type: 'text' };
  await inProject('POST', '/feedback', {
    ...rating,
    name: 'note',
    feedback_type: 'text',
    value: feedback,
    explanation: feedback,
  });
  const { id } = await inProject('POST', '/annotation_templates', { name: 'q', annotation_type: 'text' });
  await inProject('POST', '/annotations', {
    log_stream_id,
    record_id,
    template_id: id,
    value: annotation,
    explanation: annotation,
  });
}

async function sendByAllRoutes(log_stream_id: string): Promise<{ id: string }> {
  const { id, span_id } = await sendTraces(log_stream_id);
  await sendSpans(log_stream_id, id);
  await amend(log_stream_id, id, span_id);
  await sendSession(log_stream_id);
  await sendOtlp();
  await sendExperiment();
  await sendDataset(id);
  await rate(log_stream_id, id);
  const { text, object } = content('trials of rules');
  await inProject('POST', '/masking-preview', { content: { text, object } });
  await service.cradle.recordIndex.advance(1_000);
  return { id };
}

/** Routes whose secrets stand anywhere in the database. */
async function findLeaks(): Promise<string[]> {
  const rows = await allRows(service.session);
  return [...canaries].flatMap(([route, secrets]) => (secrets.some((secret) => rows.includes(secret)) ? [route] : []));
}

describe('what is sent to a project that has masking rules', () => {
  it('is in no row of any table, by whichever route it came, and words stand in its place', async () => {
    const log_stream_id = await open();
    const { id } = await sendByAllRoutes(log_stream_id);
    expect(await findLeaks()).toEqual([]);
    const trace = await inProject('GET', `/traces/${id}`);
    expect(trace.input).toBe('from [EMAIL] of [STAFF], password=[SECRET]');
    expect(trace.user_metadata).toEqual({
      ...{ '[EMAIL]': '[STAFF]', nested: [{ api_key: '[SECRET]', to: '[EMAIL]' }] },
      headers: [{ name: 'Cookie', value: '[SECRET]' }],
    });
    const { counts } = await inProject('GET', '/masking-counts');
    expect(counts.map(({ rule }: { rule: string }) => rule)).toEqual(['addresses', 'secrets', 'staff']);
    for (const { masked } of counts) expect(masked).toBeGreaterThan(canaries.size);
  });

  it.each([
    [
      'traceStore',
      ['traces', 'spans', 'amended traces', 'amended spans', 'OTLP', 'experiments', 'log records of 051581bf3cb55c13'],
    ],
    ['spanLogStore', ['log records of 051581bf3cb55c13', 'log records of aaaaaaaaaaaaaaaa']],
    ['sessionStore', ['traces', 'sessions', 'OTLP']],
    ['datasetContentStore', ['uploads', 'rows']],
    ['ratingStore', ['feedback', 'annotations']],
  ] as const)('is found where the %s stands bare', async (store, routes) => {
    await sendByAllRoutes(await open({ bare: [store] }));
    const leaks = await findLeaks();
    for (const route of routes) if (route !== 'log records of 051581bf3cb55c13') expect(leaks).toContain(route);
    expect(leaks.every((leak) => (routes as readonly string[]).includes(leak))).toBe(true);
  });
});
