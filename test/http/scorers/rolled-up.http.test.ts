import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
let at: string;
let log_stream_id: string;
beforeEach(async () => {
  server = await startTestServer();
  at = `/v2/projects/${(await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id}`;
  log_stream_id = (await server.request('POST', `${at}/log_streams`, { name: 'default' })).body.id;
});
afterEach(() => server.close());

const post = (path: string, body: unknown) => server.request('POST', path, body);
const get = async (path: string) => (await server.request('GET', `${at}/${path}`)).body;

async function scorer(name: string, source: string, facts: object): Promise<string> {
  const { id } = (await post('/v2/scorers', { name, scorer_type: 'code', ...facts })).body;
  const form = new FormData();
  form.append('file', new Blob([source]), 'scorer.js');
  expect((await server.request('POST', `/v2/scorers/${id}/version/code`, undefined, { raw: form })).status).toBe(200);
  return id;
}
const enable = (...scorers: object[]) => post(`${at}/runs/${log_stream_id}/scorer-settings`, { scorers });
const log = async (trace: object, session_id?: string): Promise<string> => {
  const { body } = await post(`${at}/traces`, { log_stream_id, traces: [trace], ...(session_id && { session_id }) });
  return body.trace_ids[0];
};
const LENGTH = 'function scorer(record) { return record.input.length; }';
const tool = (input: string) => ({ type: 'tool', name: 'look', input });

describe('what is said of spans', () => {
  it('rolls up on their trace and their session', async () => {
    await enable({ id: await scorer('length', LENGTH, { scoreable_node_types: ['tool'] }) });
    const session_id = randomUUID();
    const first = await log({ spans: [tool('a'), tool('abc')] }, session_id);
    await log({ spans: [tool('abcde')] }, session_id);
    const metrics = { average: 2, sum: 4, max: 3, min: 1 };
    await eventually(async () => {
      expect((await get(`traces/${first}`)).metric_info).toMatchObject({
        length: { status_type: 'roll_up', roll_up_metrics: metrics },
      });
      expect((await get(`sessions/${session_id}`)).metric_info.length.roll_up_metrics).toMatchObject({ sum: 9, max: 5 });
    });
    const found = await post(`${at}/sessions/search`, { log_stream_id });
    expect(found.body.records[0].metric_info.length).toMatchObject({ status_type: 'roll_up' });
  });

  it('rolls up by the method of the entry', async () => {
    const id = await scorer('length', LENGTH, { scoreable_node_types: ['tool'] });
    expect((await enable({ id, roll_up_method: 'median' })).status).toBe(422);
    await enable({ id, roll_up_method: 'max' });
    const trace = await log({ spans: [tool('a'), tool('abc')] });
    await eventually(async () => {
      expect((await get(`traces/${trace}`)).metric_info.length.roll_up_metrics).toEqual({ max: 3 });
    });
  });
});

describe('a session', () => {
  it('is judged once it is quiet, and again when it goes on', async () => {
    const source = 'function scorer(session) { return session.num_traces; }';
    await enable({ id: await scorer('turns', source, { scoreable_node_types: ['session'] }) });
    const session_id = randomUUID();
    await log({ input: 'a' }, session_id);
    const turns = async (count: number) =>
      eventually(async () => {
        await server.cradle.idleSessions.release(-1);
        const { metric_info } = await get(`sessions/${session_id}`);
        expect(metric_info.turns).toMatchObject({ status_type: 'success', value: count, scorer_type: null });
      });
    await turns(1);
    await log({ input: 'b' }, session_id);
    await turns(2);
  });
});

describe('a scorer that requires another', () => {
  it('is told what that one said, whatever their order', async () => {
    const types = { scoreable_node_types: ['trace'] };
    const source = 'function scorer(record, { required }) { return required.length * 2; }';
    const twice = await scorer('twice', source, { ...types, required_scorers: ['length'] });
    await enable({ id: twice }, { id: await scorer('length', LENGTH, types) });
    const trace = await log({ input: 'abc' });
    await eventually(async () => {
      expect((await get(`traces/${trace}`)).metric_info).toMatchObject({ length: { value: 3 }, twice: { value: 6 } });
    });
  });

  it('is refused when that one requires it in turn', async () => {
    const facts = (other: string) => ({ required_scorers: [other] });
    const [one, two] = [await scorer('one', LENGTH, facts('two')), await scorer('two', LENGTH, facts('one'))];
    const reply = await enable({ id: one }, { id: two });
    expect(reply).toMatchObject({ status: 422, body: { code: 'metric_settings_invalid' } });
    expect(reply.body.detail).toMatchObject([{ loc: ['body', 'scorers'], msg: expect.stringContaining('one → two → one') }]);
    expect((await enable({ id: one })).status).toBe(200);
  });
});
