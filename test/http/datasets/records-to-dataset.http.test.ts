import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';
import { makeDataset, rowsIn } from './dataset-fixture.ts';

let server: TestServer;
let project_id: string;
let log_stream_id: string;

beforeEach(async () => {
  server = await startTestServer();
  project_id = (await server.request('POST', '/v2/projects', { name: 'curated' })).body.id;
  log_stream_id = (await server.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 's' })).body.id;
});
afterEach(() => server.close());

const log = async (traces: object[]) => {
  const reply = await server.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, traces });
  expect(reply.status).toBe(200);
};
const named = (name: string, n: number) => ({ id: randomUUID(), name, input: `question ${n}`, output: `answer ${n}` });
const byName = (value: string) => [{ type: 'text', column_id: 'name', operator: 'eq', value }];
const ask = (id: string, body: object) =>
  server.request('POST', `/v2/datasets/${id}/records`, { project_id, log_stream_id, ...body });
const copy = async (id: string, body: object) => {
  const { status, body: started } = await ask(id, body);
  expect({ status, started }).toMatchObject({ status: 200 });
  return vi.waitFor(async () => {
    const { body: job } = await server.request('GET', `/v2/jobs/${started.job.id}`);
    expect(['completed', 'failed']).toContain(job.status);
    return job;
  });
};
const versions = async (id: string) => (await server.request('POST', `/v2/datasets/${id}/versions/query`)).body.versions;

describe('records that match, added to a dataset', () => {
  it('become rows with links back as one version, and are added once however often that is asked', async () => {
    const { id } = await makeDataset(server, [{ input: 'mine' }]);
    const traces = Array.from({ length: 3 }, (_, n) => named('refund', n));
    await log([...traces, named('other', 9)]);
    const columns = { input: { field: 'input' }, wrong: { field: 'output' } };
    const wanted = { filters: byName('refund'), columns };
    expect(await copy(id, wanted)).toMatchObject({ status: 'completed', progress_message: '3 rows added' });
    const rows = (await rowsIn(server, id)).slice(1).map(({ values_dict }) => values_dict);
    expect(new Set(rows.map(({ input, wrong }) => `${input} ${wrong}`))).toEqual(
      new Set(traces.map(({ input, output }) => `${input} ${output}`)),
    );
    const links = rows.map(({ source_record }) => source_record);
    for (const trace of traces)
      expect(links).toContainEqual({ project_id, run_id: log_stream_id, record_id: trace.id, type: 'trace' });
    expect((await versions(id))[0]).toMatchObject({ version_index: 2, rows_added: 3 });

    await log([named('refund', 4)]);
    expect(await copy(id, wanted)).toMatchObject({ progress_message: '1 row added' });
    expect(await copy(id, wanted)).toMatchObject({ progress_message: '0 rows added' });
    expect((await versions(id))[0]).toMatchObject({ version_index: 3, num_rows: 5 });
    expect(await copy(id, { ...wanted, once_per_record: false, max_records: 2 })).toMatchObject({
      progress_message: '2 rows added',
    });
  });

  it('do not come back once somebody took their rows out', async () => {
    const { id } = await makeDataset(server, [{ input: 'mine' }]);
    await log([named('refund', 1)]);
    await copy(id, {});
    const [, row] = await rowsIn(server, id);
    await server.request('PATCH', `/v2/datasets/${id}/content`, { edits: [{ edit_type: 'delete_row', row_id: row!.row_id }] });
    expect(await copy(id, {})).toMatchObject({ progress_message: '0 rows added' });
    expect(await rowsIn(server, id)).toHaveLength(1);
  });

  it('may be spans, and more of them than are read at a time', async () => {
    const { id } = await makeDataset(server, []);
    const spans = Array.from({ length: 601 }, (_, n) => ({ type: 'tool', name: 'lookup', input: `i${n}`, output: `o${n}` }));
    await log([{ ...named('t', 1), spans }]);
    expect(await copy(id, { record_type: 'span', max_records: 600 })).toMatchObject({ progress_message: '600 rows added' });
    expect(await copy(id, { record_type: 'span' })).toMatchObject({ progress_message: '1 row added' });
  });

  it('may be sessions, each with its conversation, beside the traces in them', async () => {
    const { id } = await makeDataset(server, []);
    const create = (name: string) =>
      server.request('POST', `/v2/projects/${project_id}/sessions`, { log_stream_id, name, user_metadata: { plan: name } });
    const [gold, free] = [(await create('gold')).body.id, (await create('free')).body.id];
    const turn = (n: number) => ({ ...named('turn', n), created_at: `2026-01-01T00:00:0${n}Z` });
    for (const [session_id, traces] of [
      [gold, [turn(1), turn(2)]],
      [free, [turn(3)]],
    ])
      await server.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, session_id, traces });
    const alone = { ...named('alone', 4), id: randomUUID() };
    await log([alone]);

    const sessions = { record_type: 'session', filters: byName('gold') };
    expect(await copy(id, sessions)).toMatchObject({ status: 'completed', progress_message: '1 row added' });
    const [row] = await rowsIn(server, id);
    expect(row!.values_dict).toEqual({
      input: 'question 1',
      output: 'answer 2',
      metadata: JSON.stringify({ plan: 'gold' }),
      conversation: JSON.stringify([1, 2].map((n) => ({ input: `question ${n}`, output: `answer ${n}` }))),
      source_record: { project_id, run_id: log_stream_id, record_id: gold, type: 'session' },
    });
    expect(await copy(id, { record_type: 'session' })).toMatchObject({ progress_message: '2 rows added' });
    expect(await copy(id, { record_type: 'session' })).toMatchObject({ progress_message: '0 rows added' });
    // A trace by itself is a session of the same id, and has a row as each.
    expect(await copy(id, { filters: byName('alone') })).toMatchObject({ progress_message: '1 row added' });
  });

  it('say how much of a long session is left out', async () => {
    const { id } = await makeDataset(server, []);
    const session_id = (await server.request('POST', `/v2/projects/${project_id}/sessions`, { log_stream_id })).body.id;
    const traces = Array.from({ length: 503 }, (_, n) => named('turn', n));
    await server.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, session_id, traces });
    const columns = { question: { field: 'input' } };
    expect(await copy(id, { record_type: 'session', columns })).toMatchObject({ progress_message: '1 row added' });
    const [row] = await rowsIn(server, id);
    const turns = JSON.parse(String(row!.values_dict.conversation));
    expect(turns).toHaveLength(501);
    expect(turns.at(-1)).toEqual({ left_out: 3 });
  });

  it('are refused where the filter, the run or the mapping is none, and to who may not see the records', async () => {
    const { id } = await makeDataset(server, []);
    expect((await ask(id, { filters: [{ type: 'text', column_id: 'no_column', operator: 'eq', value: 'x' }] })).status).toBe(422);
    expect((await ask(id, { columns: {} })).status).toBe(422);
    expect((await ask(id, { max_records: 0 })).status).toBe(422);
    expect((await ask(id, { record_type: 'session', max_records: 1_001 })).status).toBe(422);
    const ofTraces = [{ type: 'boolean', column_id: 'is_complete', value: true }];
    expect((await ask(id, { record_type: 'session', filters: ofTraces })).status).toBe(422);
    expect((await ask(id, { log_stream_id: randomUUID() })).status).toBe(404);
    const ada = await person(server);
    expect((await ada.request('POST', `/v2/datasets/${id}/records`, { project_id, log_stream_id })).status).toBe(404);
    await server.request('POST', `/v2/datasets/${id}/users`, [{ user_id: ada.id, role: 'editor' }]);
    expect(await ada.request('POST', `/v2/datasets/${id}/records`, { project_id, log_stream_id })).toMatchObject({
      status: 404,
      body: { code: 'project_not_found' },
    });
  });
});
