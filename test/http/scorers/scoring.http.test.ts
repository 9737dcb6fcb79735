import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
let at: string;
let log_stream_id: string;
let settings: string;
beforeEach(async () => {
  server = await startTestServer();
  at = `/v2/projects/${(await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id}`;
  log_stream_id = (await server.request('POST', `${at}/log_streams`, { name: 'default' })).body.id;
  settings = `${at}/log_streams/${log_stream_id}/metric_settings`;
});
afterEach(() => server.close());

const get = (path: string) => server.request('GET', path);
const patch = (path: string, body: unknown) => server.request('PATCH', path, body);
const post = (path: string, body: unknown) => server.request('POST', path, body);

async function scorer(name: string, source: string, facts: object = {}): Promise<string> {
  const { id } = (await post('/v2/scorers', { name, scorer_type: 'code', scoreable_node_types: ['trace'], ...facts })).body;
  const form = new FormData();
  form.append('file', new Blob([source]), 'scorer.js');
  form.append('validation_result', '{}');
  const reply = await server.request('POST', `/v2/scorers/${id}/version/code`, undefined, { raw: form });
  expect(reply.status).toBe(200);
  return id;
}
const LENGTH = 'function scorer(record) { return record.input.length; }';
const log = async (trace: object, more: object = {}): Promise<string> => {
  const id = randomUUID();
  expect((await post(`${at}/traces`, { log_stream_id, traces: [{ id, ...trace }], ...more })).status).toBe(200);
  return id;
};
const toInfo = async (id: string) => (await get(`${at}/traces/${id}`)).body.metric_info;
const scored = (id: string, expected: object) => eventually(async () => expect(await toInfo(id)).toMatchObject(expected));

describe('metric settings', () => {
  it('are empty at first, and hold what was enabled, completed by what the scorer says', async () => {
    expect(await get(settings)).toMatchObject({ status: 200, body: { scorers: [], segment_filters: [] } });
    const id = await scorer('length', LENGTH, { output_type: 'count' });
    const filters = [{ name: 'node_name', value: 'x' }];
    const segment_filters = [{ sample_rate: 0.5 }];
    const reply = await patch(settings, {
      scorers: [{ id: id.toUpperCase(), scorer_type: 'code', filters, num_judges: null }],
      segment_filters,
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      scorers: [
        {
          id,
          name: 'length',
          scorer_type: 'code',
          model_type: 'code',
          model_name: null,
          num_judges: null,
          filters: [{ name: 'node_name', value: 'x', operator: 'eq', case_sensitive: true }],
          scoreable_node_types: ['trace'],
          cot_enabled: null,
          output_type: 'count',
          input_type: null,
          scorer_version: null,
          multimodal_capabilities: null,
          score_type: null,
          roll_up_method: null,
          daily_budget: null,
          suspension: null,
        },
      ],
      segment_filters: [{ sample_rate: 0.5, filter: null, llm_scorers: false, multimodal_scorers: false }],
    });
    expect((await get(settings)).body).toEqual(reply.body);
  });

  it('keep the list that is not given, and lose the one that is given empty', async () => {
    const id = await scorer('length', LENGTH);
    await patch(settings, { scorers: [{ id }], segment_filters: [{ sample_rate: 1 }] });
    expect((await patch(settings, { scorers: null })).body).toMatchObject({
      scorers: [{ id }],
      segment_filters: [{ sample_rate: 1 }],
    });
    expect((await patch(settings, { scorers: [] })).body).toMatchObject({ scorers: [], segment_filters: [{ sample_rate: 1 }] });
  });

  it('take a pinned version as the API shows it', async () => {
    const id = await scorer('length', LENGTH);
    const version = (await get(`/v2/scorers/${id}/version`)).body;
    expect((await patch(settings, { scorers: [{ id, scorer_version: version }] })).body.scorers[0].scorer_version).toMatchObject({
      id: version.id,
      version: 1,
    });
  });

  it('refuse what does not exist, all of it, and change nothing', async () => {
    const [id, other] = [await scorer('length', LENGTH), await scorer('other', LENGTH)];
    const bare = (await post('/v2/scorers', { name: 'bare', scorer_type: 'code' })).body.id;
    const version = (await get(`/v2/scorers/${other}/version`)).body;
    const scorers = [{ id }, { id }, { id: randomUUID() }, { id: other, scorer_version: { id: randomUUID() } }, { id: bare }];
    const reply = await patch(settings, { scorers });
    expect(reply).toMatchObject({ status: 422, body: { code: 'metric_settings_invalid' } });
    expect(reply.body.detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [...loc, type])).toEqual([
      ['body', 'scorers', 1, 'id', 'scorer_repeated'],
      ['body', 'scorers', 2, 'id', 'scorer_not_found'],
      ['body', 'scorers', 3, 'scorer_version', 'scorer_version_not_found'],
      ['body', 'scorers', 4, 'scorer_version', 'scorer_version_not_found'],
    ]);
    expect((await patch(settings, { scorers: [{ id, scorer_version: version }] })).status).toBe(422);
    for (const scorersSent of [
      [{}],
      [{ id: 'x' }],
      'all',
      [{ id, filters: [{ name: 'color', value: 'x' }] }],
      [{ id, num_judges: 11 }],
    ]) {
      expect((await patch(settings, { scorers: scorersSent })).status).toBe(422);
    }
    expect((await patch(settings, { segment_filters: [{ sample_rate: 1.1 }] })).status).toBe(422);
    expect((await get(settings)).body).toEqual({ scorers: [], segment_filters: [] });
  });

  it('are 404 where there is no such log stream', async () => {
    const elsewhere = {
      run_not_found: `${at}/log_streams/${randomUUID()}/metric_settings`,
      project_not_found: settings.replace(at, `/v2/projects/${randomUUID()}`),
    };
    for (const [code, path] of Object.entries(elsewhere)) {
      expect(await get(path)).toMatchObject({ status: 404, body: { code } });
      expect((await patch(path, { scorers: [] })).status).toBe(404);
    }
    expect((await get(settings.replace(log_stream_id, 'default'))).status).toBe(422);
  });
});

describe('scoring', () => {
  it('judges what is logged once a scorer is enabled, and says so of what was there before', async () => {
    const id = await scorer('length', LENGTH);
    const before = await log({ input: 'early' });
    expect(await toInfo(before)).toEqual({});
    await patch(settings, { scorers: [{ id }] });
    expect(await toInfo(before)).toMatchObject({ length: { status_type: 'not_computed', message: expect.any(String) } });
    const trace = await log({ input: 'twelve chars', spans: [{ type: 'tool' }] });
    await scored(trace, { length: { status_type: 'success', value: 12, scorer_type: null } });
    expect((await get(`${at}/traces/${trace}`)).body.spans[0].metric_info).toEqual({});
    const { records } = (await post(`${at}/traces/search`, { log_stream_id })).body;
    expect(records.map(({ metric_info }: { metric_info: { length: object } }) => metric_info.length)).toMatchObject([
      { value: 12 },
      { status_type: 'not_computed' },
    ]);
    expect(await toInfo(before)).toMatchObject({ length: { status_type: 'not_computed' } });
  });

  it('shows the message of a scorer that fails, and goes on with the others', async () => {
    // Samples of a trial have neither input.
    const broken = await scorer(
      'broken',
      'function scorer(record) {\n  return /^(good|bad)$/.test(record.input) ? record.nothing.here : 1;\n}',
    );
    const choosy = await scorer(
      'choosy',
      'function scorer(record) { if (record.input === "bad") throw new Error("not this one"); return true; }',
    );
    await patch(settings, { scorers: [{ id: broken }, { id: choosy }] });
    const [good, bad] = [await log({ input: 'good' }), await log({ input: 'bad' })];
    const error = { status_type: 'error', message: expect.stringMatching(/here.*2/s), scorer_type: null };
    await scored(good, { broken: error, choosy: { status_type: 'success', value: true } });
    await scored(bad, { broken: error, choosy: { status_type: 'error', message: expect.stringContaining('not this one') } });
  });

  it('gives a program the spans of its trace, flat and as a tree, and the traces of its session in order', async () => {
    const flat = await scorer('flat', 'function scorer(record, { spans, tree }) { return `${spans.length} of ${tree.length}`; }');
    const source =
      'function scorer(record, { traces }) { return traces.map((one) => `${one.input}:${one.spans.length}`).join(); }';
    const asked = await scorer('asked', source, { scoreable_node_types: ['session'] });
    const plain = await scorer('plain', 'function scorer(record, context) { return String(("sp" + "ans") in context); }');
    await patch(settings, { scorers: [flat, asked, plain].map((id) => ({ id })) });
    const session_id = randomUUID();
    const inner = { type: 'tool', name: 'look', input: 'x', output: 'y' };
    const spans = [{ type: 'agent', name: 'a', input: 'x', output: 'y', spans: [inner] }];
    const first = await log({ input: 'one', spans, session_id, created_at: '2026-01-01T00:00:00Z' });
    await log({ input: 'two', session_id, created_at: '2026-01-01T00:01:00Z' });
    await scored(first, { flat: { status_type: 'success', value: '2 of 1' }, plain: { status_type: 'success', value: 'false' } });
    await eventually(async () => {
      await server.cradle.idleSessions.release(-1);
      const { body } = await get(`${at}/sessions/${session_id}`);
      expect(body.metric_info).toMatchObject({ asked: { status_type: 'success', value: 'one:1,two:0' } });
    });
  });

  it('tells a program which records of a large trace it was not given', async () => {
    const id = await scorer('told', 'function scorer(record, { spans, cut }) { return `${spans.length}: ${cut}`; }');
    await patch(settings, { scorers: [{ id }] });
    const spans = Array.from({ length: 4 }, () => ({ type: 'tool', name: 'read', input: 'x', output: 'y'.repeat(600_000) }));
    const [small, large] = [await log({ input: 'x', spans: spans.slice(0, 1) }), await log({ input: 'x', spans })];
    await scored(small, { told: { status_type: 'success', value: '1: null' } });
    await scored(large, { told: { value: '3: the first 4 of 5 records, of 2000000 characters' } });
  });

  it('stops a scorer that never ends', async () => {
    const id = await scorer('endless', 'function scorer(record) { while (record.input === "loop") {} return 1; }');
    await patch(settings, { scorers: [{ id }] });
    const trace = await log({ input: 'loop' });
    await eventually(async () =>
      expect(await toInfo(trace)).toMatchObject({ endless: { status_type: 'error', message: expect.any(String) } }),
    );
    const other = await log({ input: 'x' });
    await scored(other, { endless: { status_type: 'success', value: 1 } });
  });

  it('waits until the trace is complete, then judges all its spans', async () => {
    const id = await scorer('names', 'const scorer = (record) => record.name; export default scorer;', {
      scoreable_node_types: ['llm', 'trace'],
    });
    await patch(settings, { scorers: [{ id }] });
    const trace = await log({ name: 'root', spans: [{ type: 'llm', name: 'first' }] }, { is_complete: false });
    await post(`${at}/spans`, {
      log_stream_id,
      trace_id: trace,
      parent_id: trace,
      spans: [{ type: 'llm', name: 'second' }, { type: 'tool' }],
    });
    const probe = await log({ name: 'probe' });
    await scored(probe, { names: { value: 'probe' } });
    expect(await toInfo(trace)).toMatchObject({
      names: { status_type: 'not_computed', message: expect.stringContaining('complete') },
    });
    await patch(`${at}/traces/${trace}`, { log_stream_id, is_complete: true });
    await scored(trace, { names: { status_type: 'success', value: 'root' } });
    const { spans } = (await get(`${at}/traces/${trace}`)).body;
    expect(spans.map(({ metric_info }: { metric_info: object }) => metric_info)).toMatchObject([
      { names: { value: 'first' } },
      { names: { value: 'second' } },
      {},
    ]);
    await post(`${at}/spans`, { log_stream_id, trace_id: trace, parent_id: trace, spans: [{ type: 'llm', name: 'late' }] });
    await eventually(async () =>
      expect((await get(`${at}/traces/${trace}`)).body.spans[3].metric_info).toMatchObject({ names: { value: 'late' } }),
    );
  });

  it('judges a record again that has changed, and leaves out what a filter leaves out', async () => {
    const id = await scorer('length', LENGTH);
    await patch(settings, { scorers: [{ id, filters: [{ name: 'metadata', key: 'team', operator: 'eq', value: 'red' }] }] });
    const trace = await log({ input: 'abc', user_metadata: { team: 'red' } });
    const other = await log({ input: 'abc', user_metadata: { team: 'blue' } });
    await scored(trace, { length: { value: 3 } });
    await post(`${at}/traces`, { log_stream_id, traces: [{ id: trace, input: 'longer', user_metadata: { team: 'red' } }] });
    const probe = await log({ input: 'x', user_metadata: { team: 'red' } });
    await scored(probe, { length: { value: 1 } });
    expect(await toInfo(trace)).toMatchObject({ length: { value: 6 } });
    expect(await toInfo(other)).toEqual({});
  });
});
