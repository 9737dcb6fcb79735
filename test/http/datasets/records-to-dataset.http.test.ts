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

  it('are refused where the filter, the run or the mapping is none, and to who may not see the records', async () => {
    const { id } = await makeDataset(server, []);
    expect((await ask(id, { filters: [{ type: 'text', column_id: 'no_column', operator: 'eq', value: 'x' }] })).status).toBe(422);
    expect((await ask(id, { columns: {} })).status).toBe(422);
    expect((await ask(id, { max_records: 0 })).status).toBe(422);
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
