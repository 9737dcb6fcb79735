import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';
import { inputs, makeDataset, rowsIn } from './dataset-fixture.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const path = (id: string) => `/v2/datasets/${id}/content`;
const edit = (id: string, edits: unknown[], ifMatch?: string) =>
  server.request('PATCH', path(id), { edits }, { headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } });
const replace = (id: string, body: object) => server.request('PUT', path(id), body);
const getTag = async (id: string) => (await server.request('GET', `${path(id)}?limit=1`)).headers.get('etag')!;
const newest = async (id: string) => (await server.request('POST', `/v2/datasets/${id}/versions/query`)).body.versions[0];
const abc = () => makeDataset(server, [{ input: 'a' }, { input: 'b' }, { input: 'c' }]);

describe('edits of rows', () => {
  it('make one new version of all that one request brings, and leave the older one as it was', async () => {
    const { id } = await abc();
    const [a, b] = await rowsIn(server, id);
    const reply = await edit(id, [
      { edit_type: 'append_row', values: { input: 'd', n: 1 } },
      { edit_type: 'prepend_row', values: { input: 'z', map: { x: 'y', n: null } } },
      { edit_type: 'update_row', row_id: a!.row_id, values: { input: 'A' } },
      { edit_type: 'delete_row', row_id: b!.row_id },
    ]);
    expect(reply).toMatchObject({ status: 204, body: undefined });
    expect(reply.headers.get('etag')).toBe(await getTag(id));
    expect(await inputs(server, id)).toEqual(['z', 'A', 'c', 'd']);
    expect(await inputs(server, id, 1)).toEqual(['a', 'b', 'c']);
    expect(await newest(id)).toMatchObject({
      version_index: 2,
      num_rows: 4,
      column_names: ['input', 'n', 'map'],
      rows_added: 2,
      rows_removed: 1,
      rows_edited: 1,
      columns_added: 2,
      columns_removed: 0,
      columns_renamed: 0,
    });
  });

  it('tell who made a row and who changed it last, in which version', async () => {
    const { id } = await abc();
    const [a] = await rowsIn(server, id);
    await edit(id, [{ edit_type: 'update_row', row_id: a!.row_id, values: { input: 'A' } }]);
    const [changed, left] = await rowsIn(server, id);
    const user = expect.objectContaining({ email: 'admin@example.org' });
    expect(changed).toMatchObject({
      row_id: a!.row_id,
      index: 0,
      values: ['A'],
      metadata: { created_in_version: 1, updated_in_version: 2, created_by_user: user, updated_by_user: user },
    });
    expect(left!.metadata).toMatchObject({ created_in_version: 1, updated_in_version: 1 });
  });

  it('are about the version that the request was made against', async () => {
    const { id } = await abc();
    const [a, b] = await rowsIn(server, id);
    await edit(id, [
      { edit_type: 'delete_row', row_id: a!.row_id },
      { edit_type: 'update_row', row_id: a!.row_id, values: { input: 'lost' } },
      { edit_type: 'update_row', row_id: b!.row_id, values: { input: 'B', other: '1' } },
      { edit_type: 'update_row', row_id: b!.row_id, values: { other: '2' } },
      { edit_type: 'prepend_row', values: { input: 'first' } },
      { edit_type: 'prepend_row', values: { input: 'before the first' } },
    ]);
    const rows = await rowsIn(server, id);
    expect(rows.map(({ values_dict }) => values_dict)).toEqual([
      { input: 'before the first', other: null },
      { input: 'first', other: null },
      { input: 'B', other: '2' },
      { input: 'c', other: null },
    ]);
  });

  it('take the row id that the client brings, once', async () => {
    const { id } = await abc();
    const row_id = randomUUID();
    expect((await edit(id, [{ edit_type: 'append_row', row_id, values: { input: 'd' } }])).status).toBe(204);
    expect((await rowsIn(server, id)).at(-1)).toMatchObject({ row_id, index: 3 });
    const again = await edit(id, [{ edit_type: 'append_row', row_id, values: { input: 'd' } }]);
    expect(again).toMatchObject({ status: 422, body: { code: 'edits_invalid', detail: [{ type: 'row_id_taken' }] } });
    const twice = randomUUID();
    const both = [
      { edit_type: 'append_row', row_id: twice, values: {} },
      { edit_type: 'prepend_row', row_id: twice, values: {} },
    ];
    expect(await edit(id, both)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'edits', 1, 'row_id'] }] } });
  });

  it('are refused as a whole when one of them names a row that is not there', async () => {
    const { id } = await abc();
    const [a] = await rowsIn(server, id);
    await edit(id, [{ edit_type: 'delete_row', row_id: a!.row_id }]);
    const reply = await edit(id, [
      { edit_type: 'append_row', values: { input: 'd' } },
      { edit_type: 'delete_row', row_id: a!.row_id },
    ]);
    expect(reply).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'edits', 1, 'row_id'], type: 'row_unknown' }] },
    });
    expect(await inputs(server, id)).toEqual(['b', 'c']);
  });

  it('count nothing where nothing changed', async () => {
    const { id } = await abc();
    const [a] = await rowsIn(server, id);
    await edit(id, [{ edit_type: 'update_row', row_id: a!.row_id, values: { input: 'a' } }]);
    expect(await newest(id)).toMatchObject({ version_index: 2, rows_edited: 0 });
    expect((await rowsIn(server, id))[0]!.metadata).toMatchObject({ updated_in_version: 1 });
  });

  it.each([
    [{ edits: [] }],
    [{ edits: [{ edit_type: 'append_row' }] }],
    [{ edits: [{ edit_type: 'append_row', values: { input: true } }] }],
    [{ edits: [{ edit_type: 'append_row', values: { input: { a: { b: 'c' } } } }] }],
    [{ edits: [{ edit_type: 'append_row', values: { '': 'x' } }] }],
    [{ edits: [{ edit_type: 'append_row', values: JSON.parse('{"__proto__": "x"}') }] }],
    [{ edits: [{ edit_type: 'append_row', values: { input: JSON.parse('{"__proto__": "x"}') } }] }],
    [{ edits: [{ edit_type: 'append_row', values: {}, row_id: 'x' }] }],
    [{ edits: [{ edit_type: 'rename_column' }] }],
    [
      {
        edits: [
          { edit_type: 'append_row', values: {} },
          { edit_type: 'filter_rows', row_ids: [] },
        ],
      },
    ],
  ])('refuse %j', async (body) => {
    const { id } = await abc();
    expect(await server.request('PATCH', path(id), body)).toMatchObject({ status: 422, body: { code: 'request_invalid' } });
    expect(await inputs(server, id)).toEqual(['a', 'b', 'c']);
  });

  it('keep texts exactly', async () => {
    const { id } = await abc();
    const values = { input: 'a\0b\ud800\uf8ff', 'a.b$': { 'k\0': 'v\udfff' }, n: -1.5e-7, empty: '' };
    expect((await edit(id, [{ edit_type: 'append_row', values }])).status).toBe(204);
    expect((await rowsIn(server, id)).at(-1)!.values_dict).toEqual(values);
  });
});

describe('edits of the whole content', () => {
  it('keep the rows that are named and drop the rest', async () => {
    const { id } = await abc();
    const [a, , c] = await rowsIn(server, id);
    expect((await edit(id, [{ edit_type: 'filter_rows', row_ids: [c!.row_id, a!.row_id] }])).status).toBe(204);
    expect(await inputs(server, id)).toEqual(['a', 'c']);
    expect(await edit(id, [{ edit_type: 'filter_rows', row_ids: [randomUUID()] }])).toMatchObject({ status: 422 });
    expect((await edit(id, [{ edit_type: 'filter_rows', row_ids: [] }])).status).toBe(204);
    expect(await newest(id)).toMatchObject({ num_rows: 0, rows_removed: 2 });
  });

  it('copy traces and spans of a project', async () => {
    const { id } = await abc();
    const project = (await server.request('POST', '/v2/projects', { name: 'p' })).body;
    const stream = (await server.request('POST', `/v2/projects/${project.id}/log_streams`, { name: 's' })).body;
    const trace = { id: randomUUID(), input: 'question', output: 'answer', user_metadata: { k: 'v' }, spans: [] };
    const logged = await server.request('POST', `/v2/projects/${project.id}/traces`, {
      log_stream_id: stream.id,
      traces: [trace],
    });
    expect(logged.status).toBe(200);
    const copy = { edit_type: 'copy_record_data', project_id: project.id, ids: [trace.id] };
    expect((await edit(id, [copy])).status).toBe(204);
    expect((await rowsIn(server, id))[0]!.values_dict).toEqual({ input: 'question', output: 'answer', metadata: '{"k":"v"}' });
    expect((await edit(id, [{ ...copy, prepend: false, use_generated_output_column: true }])).status).toBe(204);
    expect((await rowsIn(server, id)).at(-1)!.values_dict).toMatchObject({ output: null, generated_output: 'answer' });
    const unknown = await edit(id, [{ ...copy, ids: [trace.id, randomUUID()] }]);
    expect(unknown).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'edits', 0, 'ids', 1] }] } });
    expect(await edit(id, [{ ...copy, project_id: randomUUID() }])).toMatchObject({ status: 404 });
  });
});

describe('records of a project', () => {
  it('are copied by who sees the project, and do not exist for others', async () => {
    const { id } = await abc();
    const project = (await server.request('POST', '/v2/projects', { name: 'p' })).body;
    const stream = (await server.request('POST', `/v2/projects/${project.id}/log_streams`, { name: 's' })).body;
    const trace = { id: randomUUID(), input: 'question', spans: [] };
    await server.request('POST', `/v2/projects/${project.id}/traces`, { log_stream_id: stream.id, traces: [trace] });
    const ada = await person(server);
    await server.request('POST', `/v2/datasets/${id}/users`, [{ user_id: ada.id, role: 'editor' }]);
    const edits = [{ edit_type: 'copy_record_data', project_id: project.id, ids: [trace.id] }];
    expect(await ada.request('PATCH', path(id), { edits })).toMatchObject({ status: 404, body: { code: 'project_not_found' } });
    await server.request('POST', `/v2/projects/${project.id}/users`, [{ user_id: ada.id, role: 'viewer' }]);
    expect((await ada.request('PATCH', path(id), { edits })).status).toBe(204);
  });
});

describe('rows made of records', () => {
  it('have the columns that a mapping names, and lead back to their records', async () => {
    const { id } = await abc();
    const project = (await server.request('POST', '/v2/projects', { name: 'mapped' })).body;
    const stream = (await server.request('POST', `/v2/projects/${project.id}/log_streams`, { name: 's' })).body;
    const span = { type: 'tool', id: randomUUID(), input: 'lookup', output: 'found' };
    const trace = {
      id: randomUUID(),
      input: 'question',
      output: 'wrong answer',
      dataset_output: 'right answer',
      tags: ['a', 'b'],
      user_metadata: { customer: 'c1' },
      spans: [span],
    };
    await server.request('POST', `/v2/projects/${project.id}/traces`, { log_stream_id: stream.id, traces: [trace] });
    const copy = { edit_type: 'copy_record_data', project_id: project.id, ids: [trace.id, span.id], prepend: false };
    const columns = {
      input: { field: 'input' },
      output: { field: 'dataset_output' },
      answered: { field: 'output' },
      customer: { field: 'user_metadata', key: 'customer' },
      missing: { field: 'user_metadata', key: 'constructor' },
      tags: { field: 'tags' },
    };
    expect((await edit(id, [{ ...copy, columns, link_to_record: true }])).status).toBe(204);
    const [ofTrace, ofSpan] = (await rowsIn(server, id)).slice(-2).map(({ values_dict }) => values_dict);
    const ids = { project_id: project.id, run_id: stream.id };
    expect(ofTrace).toMatchObject({
      input: 'question',
      output: 'right answer',
      answered: 'wrong answer',
      customer: 'c1',
      missing: null,
      tags: '["a","b"]',
      source_record: { ...ids, record_id: trace.id, type: 'trace' },
    });
    expect(ofSpan).toMatchObject({
      input: 'lookup',
      answered: 'found',
      source_record: { ...ids, record_id: span.id, type: 'tool' },
    });
    expect((await edit(id, [{ ...copy, columns: { input: { field: 'input', key: 'x' } } }])).status).toBe(422);
    expect((await edit(id, [{ ...copy, columns: { input: { field: 'no_field' } } }])).status).toBe(422);
  });
});

describe('two editors at once', () => {
  it('one wins and the other gets 412 when both say what they have seen', async () => {
    const { id } = await abc();
    const seen = await getTag(id);
    const replies = await Promise.all(
      ['x', 'y'].map((input) => edit(id, [{ edit_type: 'append_row', values: { input } }], seen)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 412]);
    expect(replies.find(({ status }) => status === 412)!.body).toMatchObject({
      code: 'dataset_version_stale',
      detail: 'the dataset is at version 2 by now',
    });
    expect(await inputs(server, id)).toHaveLength(4);
  });

  it('both are applied when neither says so, and nothing is lost', async () => {
    const { id } = await abc();
    const texts = Array.from({ length: 20 }, (_, at) => `row ${at}`);
    const replies = await Promise.all(texts.map((input) => edit(id, [{ edit_type: 'append_row', values: { input } }])));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
    expect((await inputs(server, id)).slice(3).sort()).toEqual(texts.sort());
    expect(await newest(id)).toMatchObject({ version_index: 21, rows_added: 1 });
  });

  it.each([
    ['*', 204],
    ['"x", ', 412],
    ['W/TAG', 412],
    ['UNQUOTED', 412],
    ['"other", TAG', 204],
    ['', 412],
  ])('If-Match %s answers %i', async (header, status) => {
    const { id } = await abc();
    const own = await getTag(id);
    const sent = header.replace('TAG', own).replace('UNQUOTED', own.slice(1, -1));
    expect((await edit(id, [{ edit_type: 'append_row', values: {} }], sent)).status).toBe(status);
  });

  it('says 423 when the dataset does not become free', async () => {
    const { id } = await abc();
    const { datasetContentStore } = server.cradle;
    const held = Promise.withResolvers<void>();
    const working = datasetContentStore.exclusively(id, () => held.promise);
    const reply = await edit(id, [{ edit_type: 'append_row', values: {} }]);
    held.resolve();
    await working;
    expect(reply).toMatchObject({ status: 423, body: { code: 'dataset_locked' } });
    expect((await edit(id, [{ edit_type: 'append_row', values: {} }])).status).toBe(204);
  });
});

describe('going back', () => {
  it('makes an earlier version the newest one, rows, columns and all', async () => {
    const { id } = await abc();
    const before = await rowsIn(server, id);
    await edit(id, [
      { edit_type: 'delete_row', row_id: before[0]!.row_id },
      { edit_type: 'append_row', values: { input: 'd', extra: 'e' } },
    ]);
    expect(await replace(id, { rollback_version: 1 })).toMatchObject({ status: 204 });
    expect(await rowsIn(server, id)).toEqual(before);
    expect(await newest(id)).toMatchObject({
      version_index: 3,
      column_names: ['input'],
      rows_added: 1,
      rows_removed: 1,
      columns_removed: 1,
    });
    await edit(id, [{ edit_type: 'append_row', values: { input: 'after' } }]);
    expect(await inputs(server, id)).toEqual(['a', 'b', 'c', 'after']);
  });

  it('is refused when it would undo edits that the caller has not seen, unless forced', async () => {
    const { id } = await abc();
    const [a, b] = await rowsIn(server, id);
    await edit(id, [{ edit_type: 'update_row', row_id: a!.row_id, values: { input: 'mine' } }]);
    await edit(id, [{ edit_type: 'update_row', row_id: b!.row_id, values: { input: 'theirs', note: 'new' } }]);
    const refused = await replace(id, { rollback_version: 1, base_version_index: 2 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'edit_conflict', detail: expect.any(String) } });
    expect(refused.body.conflicts).toEqual([
      { loc: ['body', 'base_version_index'], msg: expect.any(String), type: 'column_edited', input: 'note' },
      { loc: ['body', 'base_version_index'], msg: expect.any(String), type: 'row_edited', input: b!.row_id },
    ]);
    expect((await replace(id, { rollback_version: 1, base_version_index: 3 })).status).toBe(204);
    expect((await replace(id, { rollback_version: 3, base_version_index: 1, force: true })).status).toBe(204);
    expect(await inputs(server, id)).toEqual(['mine', 'theirs', 'c']);
  });

  it('is let through where edits made meanwhile stay as they are', async () => {
    const { id } = await abc();
    const [a, b] = await rowsIn(server, id);
    await edit(id, [{ edit_type: 'update_row', row_id: a!.row_id, values: { input: 'x' } }]);
    await edit(id, [{ edit_type: 'update_row', row_id: a!.row_id, values: { input: 'a' } }]);
    expect((await replace(id, { rollback_version: 1, base_version_index: 2 })).status).toBe(204);
    await edit(id, [{ edit_type: 'delete_row', row_id: b!.row_id }]);
    expect((await replace(id, { rollback_version: 1, base_version_index: 4 })).status).toBe(409);
  });

  it.each([
    [{}, 422],
    [{ rollback_version: 1, dataset_id: randomUUID() }, 422],
    [{ rollback_version: 0 }, 422],
    [{ rollback_version: 9 }, 404],
    [{ rollback_version: 1, base_version_index: 9 }, 404],
    [{ dataset_id: randomUUID() }, 404],
  ])('%j answers %i', async (body, status) => {
    const { id } = await abc();
    expect((await replace(id, body)).status).toBe(status);
  });
});

describe('taking over another dataset', () => {
  it('takes its rows, and keeps columns of the same name the same', async () => {
    const { id } = await makeDataset(server, [{ input: 'old', only_here: '1' }]);
    const other = await makeDataset(server, [{ added: '1', input: 'x' }, { input: 'y' }]);
    await server.request('PATCH', path(other.id), { edits: [{ edit_type: 'append_row', values: { input: 'z' } }] });
    expect((await replace(id, { dataset_id: other.id, version_index: 1 })).status).toBe(204);
    expect(await inputs(server, id)).toEqual(['x', 'y']);
    expect(await newest(id)).toMatchObject({
      column_names: ['added', 'input'],
      rows_added: 2,
      rows_removed: 1,
      columns_added: 1,
      columns_removed: 1,
      columns_renamed: 0,
    });
    expect((await replace(id, { dataset_id: other.id, base_version_index: 1 })).status).toBe(409);
    expect((await replace(id, { dataset_id: other.id, base_version_index: 2 })).status).toBe(204);
    expect(await inputs(server, id)).toEqual(['x', 'y', 'z']);
  });
});
