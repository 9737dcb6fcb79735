import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BLANK_RECORD } from '../../../core/traces/blank-record.ts';
import type { TestServer } from '../harness.ts';
import { startWithLogStream } from '../projects/log-stream-fixture.ts';

let server: TestServer;
let project_id: string;
let log_stream_id: string;
let at: string;
beforeEach(async () => {
  ({ server, project_id, at, log_stream_id } = await startWithLogStream());
});
afterEach(() => server.close());

const get = (path: string) => server.request('GET', `${at}/${path}`);
const post = (path: string, body?: unknown) => server.request('POST', `${at}/${path}`, body);
const patch = (path: string, body?: unknown) => server.request('PATCH', `${at}/${path}`, body);
const log = (traces: unknown, more: object = {}) => post('traces', { log_stream_id, traces, ...more });
const logSpans = (trace_id: string, parent_id: string, spans: unknown, more: object = {}) =>
  post('spans', { log_stream_id, trace_id, parent_id, spans, ...more });
const destination = () => ({ project_id, project_name: 'Atlas', log_stream_id, experiment_id: null, metrics_testing_id: null });
const count = async (level: string) => (await post(`${level}s/count`, { log_stream_id })).body.total_count;

describe('logging traces', () => {
  it('returns where they went and how many records they were', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const spans = [{ type: 'agent', spans: [{ type: 'llm', input: 'hi' }] }, { type: 'tool' }];
    const reply = await log([{ id: first.toUpperCase(), spans }, { id: second }]);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      ...destination(),
      session_id: first,
      records_count: 5,
      traces_count: 2,
      spans_count: 3,
      trace_ids: [first, second],
    });
    expect([await count('trace'), await count('span')]).toEqual([2, 3]);
  });

  it('takes what clients send beside the traces, and null for what they do not say', async () => {
    const session_id = randomUUID();
    const more = {
      session_id,
      experiment_id: null,
      reliable: true,
      is_complete: null,
      include_trace_ids: false,
      logging_method: 'api_direct',
      x: 1,
    };
    const reply = await server.request('POST', `/projects/${project_id}/traces?project_id=${project_id}`, {
      log_stream_id,
      traces: [{}],
      ...more,
    });
    expect(reply).toMatchObject({ status: 200, body: { session_id, traces_count: 1, trace_ids: [expect.any(String)] } });
  });

  it('may be repeated', async () => {
    const trace = {
      id: randomUUID(),
      created_at: '2026-01-01T00:00:00Z',
      input: 'hi',
      spans: [{ id: randomUUID(), type: 'tool', tags: ['a'] }],
    };
    await log([trace]);
    const before = await get(`traces/${trace.id}`);
    const replies = await Promise.all(Array.from({ length: 5 }, () => log([trace, trace])));
    for (const { status, body } of replies) expect([status, body.records_count]).toEqual([200, 2]);
    expect((await get(`traces/${trace.id}`)).body).toEqual(before.body);
  });

  it('cannot take a record out of its trace', async () => {
    const id = randomUUID();
    await log([{ spans: [{ id, type: 'tool' }] }]);
    const reply = await log([{}, { spans: [{ type: 'llm' }, { id, type: 'tool' }] }]);
    expect(reply).toMatchObject({ status: 422, body: { code: 'record_in_other_trace', detail: [{ loc: ['body'] }] } });
    expect([await count('trace'), await count('span')]).toEqual([1, 1]);
  });

  it('of another project leaves records with the same id alone', async () => {
    const id = randomUUID();
    await log([{ id, name: 'mine' }]);
    const other = (await server.request('POST', '/v2/projects', { name: 'Other' })).body.id;
    const stream = (await server.request('POST', `/v2/projects/${other}/log_streams`, { name: 'default' })).body.id;
    const theirs = { log_stream_id: stream, traces: [{ id, name: 'theirs' }] };
    expect((await server.request('POST', `/v2/projects/${other}/traces`, theirs)).status).toBe(200);
    expect((await get(`traces/${id}`)).body.name).toBe('mine');
    expect(await post('traces', theirs)).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
  });

  it('names every bad record at its place, and keeps none', async () => {
    const good = Array.from({ length: 73 }, () => ({}));
    const reply = await log([...good, { spans: [{ type: 'tool', spans: [{ type: 'telepathy' }] }] }, { id: 'x' }]);
    expect(reply).toMatchObject({
      status: 422,
      body: {
        code: 'records_invalid',
        request_id: expect.any(String),
        detail: [
          { loc: ['body', 'traces', 73, 'spans', 0, 'spans', 0, 'type'] },
          { loc: ['body', 'traces', 74, 'id'], input: 'x' },
        ],
      },
    });
    expect(await count('trace')).toBe(0);
  });

  it.each<[string, () => object, (string | number)[]]>([
    ['no run', () => ({ log_stream_id: null, traces: [{}] }), ['body', 'log_stream_id']],
    ['two runs', () => ({ log_stream_id, experiment_id: randomUUID(), traces: [{}] }), ['body', 'log_stream_id']],
    ['no traces', () => ({ log_stream_id }), ['body', 'traces']],
    ['an empty list', () => ({ log_stream_id, traces: [] }), ['body', 'traces']],
    ['too many', () => ({ log_stream_id, traces: Array.from({ length: 1_001 }, () => ({})) }), ['body', 'traces']],
    ['a malformed run', () => ({ log_stream_id: 'default', traces: [{}] }), ['body', 'log_stream_id']],
    ['a malformed session', () => ({ log_stream_id, session_id: 7, traces: [{}] }), ['body', 'session_id']],
    [
      'a malformed external session',
      () => ({ log_stream_id, session_external_id: 7, traces: [{}] }),
      ['body', 'session_external_id'],
    ],
  ])('with %s is refused', async (_what, body, loc) => {
    const reply = await post('traces', body());
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
    expect(await count('trace')).toBe(0);
  });

  it('to an unknown project or run is 404 with a text', async () => {
    for (const [path, stream, code] of [
      [at, randomUUID(), 'run_not_found'],
      [`/v2/projects/${randomUUID()}`, log_stream_id, 'project_not_found'],
    ]) {
      const reply = await server.request('POST', `${path}/traces`, { log_stream_id: stream, traces: [{}] });
      expect(reply).toMatchObject({ status: 404, body: { code, detail: expect.any(String) } });
    }
  });
});

describe('streaming a trace', () => {
  const [T, S] = [randomUUID(), randomUUID()];
  const later = { type: 'llm', name: 'later', output: 'yes' };

  it('is told to come back while the trace is not there, and accepted in the end, in whatever order', async () => {
    const early = [
      await logSpans(T, T, [{ type: 'workflow', id: S }], { reliable: false, experiment_id: null }),
      await patch(`traces/${T}?project_id=${project_id}`, { trace_id: T, log_stream_id, is_complete: true }),
      await patch(`spans/${S}`, { span_id: S, log_stream_id, output: 'x' }),
    ];
    for (const reply of early)
      expect(reply).toMatchObject({ status: 404, body: { detail: expect.any(String), request_id: expect.any(String) } });
    expect([await count('trace'), await count('span')]).toEqual([0, 0]);

    expect(await log([{ id: T, input: 'q', spans: [] }], { is_complete: false })).toMatchObject({
      status: 200,
      body: { records_count: 1 },
    });
    expect(await logSpans(T, S, [later])).toMatchObject({ status: 404, body: { code: 'parent_not_found' } });
    const reply = await logSpans(T, T, [{ type: 'workflow', id: S }]);
    expect(reply.body).toEqual({ ...destination(), session_id: T, records_count: 1, trace_id: T, parent_id: T });
    expect((await logSpans(T, S, [later])).status).toBe(200);
    expect((await get(`spans/${S}`)).body).toMatchObject({ is_complete: false, has_children: true });
    const done = await patch(`spans/${S}`, { span_id: S, log_stream_id, output: 'x', status_code: 200, tags: ['t'] });
    expect(done.body).toEqual({ ...destination(), session_id: T, records_count: 1, span_id: S });
    const ended = await patch(`traces/${T}`, { trace_id: T, log_stream_id, output: 'a', tags: null, is_complete: true });
    expect(ended.body).toEqual({ ...destination(), session_id: T, records_count: 1, trace_id: T });
    expect((await log([{ id: T, input: 'late', spans: [] }], { is_complete: false })).status).toBe(200);
    expect((await get(`traces/${T}`)).body).toMatchObject({
      input: 'q',
      output: 'a',
      is_complete: true,
      has_children: true,
      spans: [
        {
          id: S,
          output: 'x',
          tags: ['t'],
          is_complete: true,
          spans: [{ name: 'later', output: { role: 'assistant', content: 'yes' } }],
        },
      ],
    });
  });

  it('takes several spans at once, with their own', async () => {
    await log([{ id: T }]);
    const reply = await logSpans(T, T, [{ type: 'agent', id: S, spans: [later, later] }, later]);
    expect(reply).toMatchObject({ status: 200, body: { records_count: 4 } });
    expect(await logSpans(T, S, [{ type: 'tool' }, { type: 'x' }])).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'spans', 1, 'type'] }] },
    });
    expect(await count('span')).toBe(4);
  });

  it('refuses a parent of another trace', async () => {
    const other = randomUUID();
    await log([{ id: T }, { id: other, spans: [{ type: 'workflow', id: S }] }]);
    const reply = await logSpans(T, S, [later]);
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'parent_in_other_trace', detail: [{ loc: ['body', 'parent_id'] }] },
    });
    expect(await logSpans(S, S, [later])).toMatchObject({ status: 404, body: { code: 'trace_not_found' } });
    expect(await count('span')).toBe(1);
  });

  it('keeps traces and spans apart', async () => {
    await log([{ id: T, spans: [{ type: 'workflow', id: S }] }]);
    const wrong = [
      await get(`traces/${S}`),
      await get(`spans/${T}`),
      await patch(`traces/${S}`, { log_stream_id }),
      await patch(`spans/${T}`, { log_stream_id }),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(wrong.map(({ body }) => body.code)).toEqual([
      'trace_not_found',
      'span_not_found',
      'trace_not_found',
      'span_not_found',
    ]);
  });

  it('refuses a change that does not fit, and changes nothing', async () => {
    await log([{ id: T, output: 'kept', spans: [{ type: 'tool', id: S, output: 'kept' }] }]);
    const before = (await get(`traces/${T}`)).body;
    for (const body of [{ output: 7 }, { tags: ['\0'] }, { status_code: 1.5 }, { duration_ns: -1 }, { is_complete: 'yes' }]) {
      expect((await patch(`traces/${T}`, { log_stream_id, ...body })).status).toBe(422);
    }
    for (const body of [{ output: [{ content: 'x' }] }, { output: 7 }, { input: [{ role: 'x' }] }, { tags: [1] }]) {
      expect((await patch(`spans/${S}`, { log_stream_id, ...body })).status).toBe(422);
    }
    expect((await patch(`traces/${T}`, {})).status).toBe(422);
    expect((await patch(`traces/${T}`, { log_stream_id: randomUUID() })).status).toBe(404);
    expect((await get(`traces/${T}`)).body).toEqual(before);
  });
});

describe('reading back', () => {
  it('gives a trace with every field, exactly as it was accepted', async () => {
    const id = randomUUID();
    const text = 'NUL \0, half \ud83e, \uf8ff, \u{1f99c}, 1e400';
    const odd = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "\\u0000": "\\ud800"}');
    const trace = {
      id,
      type: 'trace',
      name: 'é',
      created_at: '2026-01-01T01:00:00.123456+01:00',
      input: text,
      output: '',
      redacted_input: null,
      user_metadata: odd,
      tags: ['b', 'a'],
      status_code: 200,
      metrics: { duration_ns: 5, mine: [0.1, true, { a: null }] },
      external_id: 'x',
      dataset_input: text,
      dataset_output: text,
      dataset_metadata: odd,
    };
    expect((await log([trace])).status).toBe(200);
    const reply = await get(`traces/${id}?include_presigned_urls=false`);
    expect(reply.status).toBe(200);
    const { attributes: _attributes, ...unsaid } = BLANK_RECORD;
    expect(reply.body).toEqual({
      ...unsaid,
      ...trace,
      created_at: '2026-01-01T00:00:00.123456Z',
      project_id,
      run_id: log_stream_id,
      trace_id: id,
      parent_id: null,
      session_id: id,
      updated_at: expect.stringMatching(/Z$/),
      is_complete: true,
      has_children: false,
      metric_info: {},
      feedback_rating_info: {},
      annotations: {},
      annotation_aggregates: {},
      annotation_truths: {},
      num_comments: 0,
      file_ids: [],
      file_modalities: [],
      files: null,
      spans: [],
    });
    expect(JSON.stringify(reply.body.user_metadata)).toBe(JSON.stringify(odd));
  });

  it('is 404 for what is not there and 422 for what is no id', async () => {
    for (const level of ['traces', 'spans']) {
      expect(await get(`${level}/${randomUUID()}`)).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
      for (const id of ['x', '%00', '..%2f', '1']) expect((await get(`${level}/${id}`)).status).toBe(422);
    }
  });
});
