import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RowValues } from '../../../core/datasets/row.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { inputs, makeDataset, rowsIn } from './dataset-fixture.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const get = (path: string) => server.request('GET', path);
const post = (path: string, body?: unknown) => server.request('POST', path, body);
const edit = (id: string, edits: unknown[]) => server.request('PATCH', `/v2/datasets/${id}/content`, { edits });
const append = (id: string, input: string) => edit(id, [{ edit_type: 'append_row', values: { input } }]);

describe('content', () => {
  it('is read page by page, each with the tag of the version', async () => {
    const { id } = await makeDataset(
      server,
      Array.from({ length: 1_200 }, (_, at) => ({ input: `row ${at}` })),
    );
    const first = await get(`/v2/datasets/${id}/content?limit=1`);
    const tag = first.headers.get('etag');
    expect(tag).toMatch(/^"[0-9a-f-]{36}"$/);
    expect(first.body).toMatchObject({ starting_token: 0, limit: 1, paginated: true, next_starting_token: 1 });
    for (const [token, limit] of [
      [510, 4],
      [0, 1000],
      [1_023, 177],
    ] as const) {
      const { body, headers } = await get(`/v2/datasets/${id}/content?starting_token=${token}&limit=${limit}`);
      expect(headers.get('etag')).toBe(tag);
      const shown = body.rows.map(({ index, values }: { index: number; values: string[] }) => [index, values[0]]);
      expect(shown).toEqual(Array.from({ length: limit }, (_, at) => [token + at, `row ${token + at}`]));
      expect(body.next_starting_token).toBe(token + limit < 1_200 ? token + limit : null);
    }
    const behind = await get(`/v2/datasets/${id}/content?starting_token=5000`);
    expect(behind.body).toMatchObject({ rows: [], paginated: false, next_starting_token: null });
    await append(id, 'x');
    expect((await get(`/v2/datasets/${id}/content?limit=1`)).headers.get('etag')).not.toBe(tag);
    expect((await get(`/v2/datasets/${id}/versions/1/content`)).headers.get('etag')).toBe(tag);
  });

  it.each(['content/query?', 'preview?'])('of few large rows is in small pages that lead to all of them: %s', async (path) => {
    const long = 'x'.repeat(5 * 1024 * 1024);
    const { id } = await makeDataset(
      server,
      ['a', 'b', 'c', 'd', 'e'].map((letter) => ({ input: letter, output: letter < 'd' ? long : '' })),
    );
    const found: string[] = [];
    const sizes: number[] = [];
    for (let token: number | null = 0; token !== null; ) {
      const { status, body } = await post(`/v2/datasets/${id}/${path}limit=4&starting_token=${token}`, {});
      expect(status).toBe(200);
      const rows: { index: number; values: string[] }[] = body.rows;
      expect(body).toMatchObject({ starting_token: token, limit: 4, paginated: body.next_starting_token !== null });
      expect(rows.map(({ index }) => index)).toEqual(rows.map((_, at) => token! + at));
      found.push(...rows.map(({ values }) => values[0]!));
      sizes.push(rows.length);
      token = body.next_starting_token;
    }
    expect(found).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(sizes).toEqual([2, 3]);
  });

  it('warns of columns that nobody asks for, and of the one that is missing', async () => {
    const toWarning = async (row: Record<string, string>) => {
      const { id } = await makeDataset(server, [row]);
      return (await get(`/v2/datasets/${id}/content`)).body.warning_message;
    };
    expect(await toWarning({ input: 'a', output: 'b', metadata: '{}', generated_output: 'c' })).toBeNull();
    expect(await toWarning({ question: 'a' })).toMatch(/no column input.*question/);
  });

  it('is that of the version asked for', async () => {
    const { id } = await makeDataset(server, [{ input: 'a' }]);
    await append(id, 'b');
    expect(await inputs(server, id, 1)).toEqual(['a']);
    expect(await inputs(server, id, 2)).toEqual(['a', 'b']);
    for (const [version, status] of [
      ['0', 404],
      ['3', 404],
      ['-1', 422],
      ['x', 422],
      ['99999999999', 422],
    ] as const) {
      expect((await get(`/v2/datasets/${id}/versions/${version}/content`)).status).toBe(status);
    }
    expect((await get(`/v2/datasets/${randomUUID()}/versions/1/content`)).body.code).toBe('dataset_not_found');
  });
});

describe('querying content', () => {
  const rows: RowValues[] = [{ input: 'beta', n: 10 }, { input: 'alpha', n: 9 }, { input: null, n: '9' }, { input: 'Beta' }];
  const query = async (body?: object, page = '') => {
    const { id } = await makeDataset(server, rows);
    return post(`/v2/datasets/${id}/content/query${page}`, body);
  };
  const indexes = ({ body }: { body: { rows: { index: number }[] } }) => body.rows.map(({ index }) => index);

  it('finds rows by the text of a column, in their place', async () => {
    expect(indexes(await query())).toEqual([0, 1, 2, 3]);
    expect(indexes(await query({ filters: [{ column_name: 'input', value: 'eta' }] }))).toEqual([0, 3]);
    expect(indexes(await query({ filters: [{ column_name: 'input', value: 'beta', operator: 'eq' }] }))).toEqual([0]);
    expect(indexes(await query({ filters: [{ column_name: 'input', value: 'beta', operator: 'ne' }] }))).toEqual([1, 2, 3]);
    const both = [
      { column_name: 'n', value: '9' },
      { column_name: 'input', value: 'alpha' },
    ];
    expect(indexes(await query({ filters: both, sort: null }))).toEqual([1]);
  });

  it('sorts by a column and pages through that', async () => {
    expect(indexes(await query({ sort: { column_name: 'n' } }))).toEqual([1, 0, 2, 3]);
    expect(indexes(await query({ sort: { column_name: 'input', ascending: false } }))).toEqual([2, 0, 1, 3]);
    const page = await query({ sort: { column_name: 'n' } }, '?limit=2&starting_token=1');
    expect(indexes(page)).toEqual([0, 2]);
    expect(page.body).toMatchObject({ paginated: true, next_starting_token: 3 });
    expect(page.headers.get('etag')).toMatch(/^"/);
  });

  it.each([
    [{ filters: [{ column_name: 'nothing', value: 'x' }] }, ['body', 'filters', 0, 'column_name']],
    [{ sort: { column_name: 'nothing' } }, ['body', 'sort', 'column_name']],
    [{ filters: [{ column_name: 'n', value: 9 }] }, ['body', 'filters', 0, 'value']],
    [{ filters: [{ column_name: 'n', value: 'a\0' }] }, ['body', 'filters', 0, 'value']],
    [{ filters: [{ column_name: 'n', value: 'a', operator: 'like' }] }, ['body', 'filters', 0, 'operator']],
  ])('refuses %j', async (body, loc) => {
    expect(await query(body)).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
  });
});

describe('versions', () => {
  it('are listed newest first, or as asked', async () => {
    const { id } = await makeDataset(server, [{ input: 'a' }]);
    await append(id, 'b');
    const list = async (body?: object, page = '') => (await post(`/v2/datasets/${id}/versions/query${page}`, body)).body;
    const getIndexes = ({ versions }: { versions: { version_index: number }[] }) => versions.map((one) => one.version_index);
    expect(getIndexes(await list())).toEqual([2, 1]);
    expect(getIndexes(await list({ sort: { name: 'version_index', sort_type: 'column' } }))).toEqual([1, 2]);
    for (const sort of [{}, { sort_type: 'column' }, { name: null, ascending: null, sort_type: null }])
      expect(getIndexes(await list({ sort }))).toEqual([1, 2]);
    expect(getIndexes(await list({ sort: { ascending: false } }))).toEqual([2, 1]);
    expect(await list({ sort: null }, '?limit=1')).toMatchObject({ paginated: true, next_starting_token: 1 });
    expect((await list()).versions[1]).toEqual({
      version_index: 1,
      name: null,
      created_at: expect.stringMatching(/Z$/),
      created_by_user: expect.objectContaining({ email: 'admin@example.org' }),
      num_rows: 1,
      column_names: ['input'],
      rows_added: 1,
      rows_removed: 0,
      rows_edited: 0,
      columns_added: 1,
      columns_removed: 0,
      columns_renamed: 0,
    });
    const empty = await server.request('POST', `/v2/datasets/${id}/versions/query`, undefined, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      raw: '',
    });
    expect(empty.status).toBe(200);
  });

  it('get names, which are taken away by null', async () => {
    const { id } = await makeDataset(server, []);
    const name = (body: unknown, version = 1) => server.request('PATCH', `/v2/datasets/${id}/versions/${version}`, body);
    expect(await name({ name: 'golden' })).toMatchObject({ status: 200, body: { version_index: 1, name: 'golden' } });
    expect(await name({})).toMatchObject({ status: 200, body: { name: 'golden' } });
    expect(await name({ name: null })).toMatchObject({ status: 200, body: { name: null } });
    expect(await name({ name: 'x' }, 2)).toMatchObject({ status: 404, body: { code: 'dataset_version_not_found' } });
    expect((await name({ name: '' })).status).toBe(422);
  });
});

describe('what differs between two versions', () => {
  async function twoVersions() {
    const { id } = await makeDataset(server, [{ input: 'a', note: 'n' }, { input: 'b' }, { input: 'c' }]);
    const [a, b, c] = (await rowsIn(server, id)).map(({ row_id }) => row_id);
    await edit(id, [
      { edit_type: 'update_row', row_id: a, values: { input: 'A', extra: { k: 'v' } } },
      { edit_type: 'delete_row', row_id: b },
      { edit_type: 'prepend_row', values: { input: 'z' } },
    ]);
    return { id, a: a!, b: b!, c: c! };
  }
  const diff = (id: string, from: number, to: number, query = '') =>
    get(`/v2/datasets/${id}/versions/${from}/diff/${to}${query}`);

  it('is told row by row and cell by cell, in the order of the rows', async () => {
    const { id, a, b } = await twoVersions();
    expect((await diff(id, 1, 2)).body).toEqual({
      starting_token: 0,
      limit: 100,
      paginated: false,
      next_starting_token: null,
      from_version: 1,
      to_version: 2,
      columns_added: ['extra'],
      columns_removed: [],
      columns_renamed: [],
      summary: { rows_added: 1, rows_removed: 1, rows_edited: 1 },
      rows: [
        {
          row_id: expect.any(String),
          change: 'added',
          index_before: null,
          index_after: 0,
          values_before: null,
          values_after: { input: 'z', note: null, extra: null },
          cells: [],
        },
        {
          row_id: a,
          change: 'edited',
          index_before: 0,
          index_after: 1,
          values_before: { input: 'a', note: 'n' },
          values_after: { input: 'A', note: 'n', extra: { k: 'v' } },
          cells: [
            { column_name: 'input', before: 'a', after: 'A' },
            { column_name: 'extra', before: null, after: { k: 'v' } },
          ],
        },
        {
          row_id: b,
          change: 'removed',
          index_before: 1,
          index_after: null,
          values_before: { input: 'b', note: null },
          values_after: null,
          cells: [],
        },
      ],
    });
  });

  it('can be asked for backwards, across versions, and is nothing between equals', async () => {
    const { id } = await twoVersions();
    await server.request('PUT', `/v2/datasets/${id}/content`, { rollback_version: 1 });
    expect((await diff(id, 2, 1)).body).toMatchObject({
      columns_removed: ['extra'],
      summary: { rows_added: 1, rows_removed: 1 },
    });
    const none = { summary: { rows_added: 0, rows_removed: 0, rows_edited: 0 }, rows: [], columns_added: [] };
    expect((await diff(id, 1, 3)).body).toMatchObject(none);
    expect((await diff(id, 2, 2)).body).toMatchObject(none);
  });

  it('ends a page of long rows early, and goes on where it ended', async () => {
    const { id } = await makeDataset(server, [{ input: 'short' }]);
    for (const name of ['p', 'q', 'r', 's'])
      await edit(id, [{ edit_type: 'append_row', values: { input: name.repeat(3 * 1024 * 1024) } }]);
    const inputs = ({ rows }: { rows: { values_after: { input: string } }[] }) => rows.map((row) => row.values_after.input[0]);
    const first = (await diff(id, 1, 5)).body;
    expect([inputs(first), first.paginated, first.summary.rows_added]).toEqual([['p', 'q', 'r'], true, 4]);
    const second = (await diff(id, 1, 5, `?starting_token=${first.next_starting_token}`)).body;
    expect([inputs(second), second.paginated, second.next_starting_token]).toEqual([['s'], false, null]);
    const both = (await diff(id, 2, 5, '?limit=2')).body;
    expect([inputs(both), both.paginated]).toEqual([['q', 'r'], true]);
  });

  it('is paged, with the summary on the first page', async () => {
    const { id } = await twoVersions();
    const first = (await diff(id, 1, 2, '?limit=2')).body;
    expect(first).toMatchObject({ paginated: true, rows: [{ change: 'added' }, { change: 'edited' }] });
    const second = (await diff(id, 1, 2, `?limit=2&starting_token=${first.next_starting_token}`)).body;
    expect(second).toMatchObject({ paginated: false, next_starting_token: null, summary: null, rows: [{ change: 'removed' }] });
  });

  it('names renamed columns', async () => {
    const { id } = await makeDataset(server, [{ question: 'a' }]);
    await server.request('PATCH', `/v2/datasets/${id}`, { column_mapping: { input: ['question'] } });
    expect((await diff(id, 1, 2)).body).toMatchObject({
      columns_renamed: [{ from: 'question', to: 'input' }],
      columns_added: [],
      columns_removed: [],
      rows: [],
    });
  });

  it('needs two versions that exist', async () => {
    const { id } = await makeDataset(server, []);
    expect((await diff(id, 1, 2)).body.code).toBe('dataset_version_not_found');
    expect((await diff(id, 0, 1)).status).toBe(404);
    expect((await get(`/v2/datasets/${id}/versions/1/diff/x`)).status).toBe(422);
  });
});
