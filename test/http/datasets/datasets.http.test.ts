import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RowValues } from '../../../core/datasets/row.ts';
import { someone } from '../../setup/access.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person, withKey } from '../people.ts';
import { makeDataset } from './dataset-fixture.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const get = (path: string) => server.request('GET', path);
const post = (path: string, body?: unknown) => server.request('POST', path, body);
const patch = (path: string, body?: unknown) => server.request('PATCH', path, body);
const remove = (path: string, body?: unknown) => server.request('DELETE', path, body);
const names = (body: { datasets: { name: string }[] }) => body.datasets.map(({ name }) => name);
const makeProject = async (name = randomUUID()) => (await post('/v2/projects', { name })).body as { id: string; name: string };
const share = (id: string, { id: user_id }: Person, role: string) => post(`/v2/datasets/${id}/users`, [{ user_id, role }]);

describe('a dataset', () => {
  it('says what its newest version holds', async () => {
    const { id } = await makeDataset(server, [{ input: 'a', extra: 1 }, { output: 'b' }], { name: 'Tides' });
    expect(await get(`/v2/datasets/${id}`)).toMatchObject({
      status: 200,
      body: {
        id,
        permissions: [],
        name: 'Tides',
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        project_count: 0,
        num_rows: 2,
        column_names: ['input', 'extra', 'output'],
        created_by_user: { email: 'admin@example.org' },
        current_version_index: 1,
        draft: false,
      },
    });
    expect(Object.keys((await get(`/v2/datasets/${id}`)).body)).not.toContain('hidden');
  });

  it('may be empty', async () => {
    const made = await makeDataset(server, []);
    expect(made).toMatchObject({ num_rows: 0, column_names: [], current_version_index: 1 });
  });

  it('is a copy of any version of another one', async () => {
    const { id } = await makeDataset(server, [{ input: 'a' }], { name: 'first' });
    await patch(`/v2/datasets/${id}/content`, { edits: [{ edit_type: 'append_row', values: { input: 'b' } }] });
    const { datasetCreationService } = server.cradle;
    const ada = await person(server);
    await share(id, ada, 'viewer');
    const caller = someone({ user_id: ada.id, email: ada.email });
    const facts = { draft: false, hidden: false, append_suffix_if_duplicate: true, project_id: null };
    const copy = (version_index: number | null) =>
      datasetCreationService.copy(caller, { name: 'first', ...facts }, { dataset_id: id, version_index });
    expect(await copy(null)).toMatchObject({ name: 'first (1)', num_rows: 2, created_by_user: { id: ada.id } });
    expect(await copy(1)).toMatchObject({ name: 'first (2)', num_rows: 1 });
    await expect(copy(9)).rejects.toMatchObject({ code: 'dataset_version_not_found' });
  });

  it('is renamed, with a suffix where one is wanted', async () => {
    await makeDataset(server, [], { name: 'taken' });
    const { id } = await makeDataset(server, [], { name: 'mine' });
    expect(await patch(`/v2/datasets/${id}`, { name: 'taken' })).toMatchObject({ status: 409, body: { code: 'dataset_exists' } });
    const wanted = { value: 'taken', append_suffix_if_duplicate: true };
    expect(await patch(`/v2/datasets/${id}`, { name: wanted })).toMatchObject({ status: 200, body: { name: 'taken (1)' } });
    expect(await patch(`/v2/datasets/${id}`, { name: 'taken (1)', draft: null })).toMatchObject({ status: 200 });
    expect(await patch(`/v2/datasets/${id}`, { name: 'a\0b' })).toMatchObject({ status: 422 });
  });

  it('is published once and for all', async () => {
    const { id } = await makeDataset(server, [], { draft: true });
    expect(await patch(`/v2/datasets/${id}`, { draft: false })).toMatchObject({ status: 200, body: { draft: false } });
    expect(await patch(`/v2/datasets/${id}`, { draft: true })).toMatchObject({ status: 422 });
  });

  it('gets well-known columns by a mapping, in a version of its own', async () => {
    const rows: RowValues[] = [
      { question: 'q', context: '{"a":1,"b":{"c":2}}', topic: 't', keep: 'k' },
      { question: null, context: 'plain', keep: 'l' },
    ];
    const { id } = await makeDataset(server, rows);
    const column_mapping = { input: ['question'], metadata: { columns: ['context', 'topic'], flatten: true }, output: null };
    const preview = await post(`/v2/datasets/${id}/preview`, { column_mapping });
    const mapped = await patch(`/v2/datasets/${id}`, { column_mapping });
    expect(mapped.body).toMatchObject({ current_version_index: 2, column_names: ['input', 'metadata', 'keep'] });
    const content = await get(`/v2/datasets/${id}/content`);
    const values = content.body.rows.map(({ values_dict }: { values_dict: unknown }) => values_dict);
    expect(values).toEqual([
      { input: 'q', metadata: { a: 1, b: '{"c":2}', topic: 't' }, keep: 'k' },
      { input: null, metadata: { context: 'plain' }, keep: 'l' },
    ]);
    const shown = ({ body }: typeof preview) =>
      body.rows.map(({ values_dict, index }: { values_dict: unknown; index: number }) => ({ values_dict, index }));
    expect(shown(preview)).toEqual(shown(content));
    expect(preview.body.column_names).toEqual(['input', 'metadata', 'keep']);
    const { body } = await post(`/v2/datasets/${id}/versions/query`);
    expect(body.versions[0]).toMatchObject({ columns_added: 1, columns_removed: 2, columns_renamed: 1, rows_edited: 2 });
  });

  it.each([
    [{ input: ['nothing'] }, ['body', 'column_mapping', 'input', 'columns', 0]],
    [{ input: ['a'], metadata: ['a'] }, ['body', 'column_mapping', 'metadata', 'columns', 0]],
    [{ metadata: ['b'], output: ['a'] }, ['body', 'column_mapping', 'output']],
  ])('refuses the mapping %j', async (column_mapping, loc) => {
    const { id } = await makeDataset(server, [{ a: '1', b: '2', output: '3' }]);
    const reply = { status: 422, body: { code: 'mapping_invalid', detail: [{ loc }] } };
    expect(await patch(`/v2/datasets/${id}`, { column_mapping })).toMatchObject(reply);
    expect(await post(`/v2/datasets/${id}/preview`, { column_mapping })).toMatchObject(reply);
  });

  it('is deleted with all that belongs to it', async () => {
    const { id } = await makeDataset(server, [{ input: 'a' }], { name: 'gone' });
    expect(await remove(`/v2/datasets/${id}`)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    for (const path of ['', '/content', '/users', '/projects', '/versions/1/content']) {
      expect((await get(`/v2/datasets/${id}${path}`)).status).toBe(404);
    }
    await makeDataset(server, [], { name: 'gone' });
  });
});

describe('lists of datasets', () => {
  it('are newest first, page by page', async () => {
    for (const name of ['a', 'b', 'c']) await makeDataset(server, [], { name });
    await makeDataset(server, [], { name: 'hidden', hidden: true });
    const first = (await get('/v2/datasets?limit=2')).body;
    expect(first).toMatchObject({ starting_token: 0, limit: 2, paginated: true, next_starting_token: 2 });
    const second = (await get('/v2/datasets?limit=2&starting_token=2')).body;
    expect(second).toMatchObject({ paginated: false, next_starting_token: null });
    expect([...names(first), ...names(second)].sort()).toEqual(['a', 'b', 'c']);
    expect((await post('/v2/datasets/query')).body.datasets).toHaveLength(3);
  });

  it('pass filters and are in the order that is asked for', async () => {
    const { id: project_id } = await makeProject();
    await makeDataset(server, [{ a: '1' }], { name: 'one', project_id });
    await makeDataset(server, [{ a: '1' }, { a: '2' }], { name: 'two', draft: true });
    const query = async (body: object) => names((await post('/v2/datasets/query', body)).body);
    expect(await query({ filters: [{ name: 'name', value: 'one', operator: 'eq' }] })).toEqual(['one']);
    expect(await query({ filters: [{ name: 'used_in_project', value: project_id }] })).toEqual(['one']);
    expect(await query({ filters: [{ name: 'not_in_project', value: project_id }] })).toEqual(['two']);
    expect(await query({ filters: [{ name: 'draft', value: true }] })).toEqual(['two']);
    expect(await query({ sort: { name: 'num_rows', ascending: true, sort_type: 'column' } })).toEqual(['one', 'two']);
    expect(await query({ sort: { name: 'project_count', ascending: false, sort_type: 'custom' } })).toEqual(['one', 'two']);
    const used = { name: 'project_last_used_at', value: project_id, ascending: true, sort_type: 'custom_uuid' };
    expect(await query({ sort: used })).toEqual(['one', 'two']);
  });

  it.each([
    { filters: [{ name: 'colour', value: 'red' }] },
    { filters: [{ name: 'used_in_project', value: 'x' }] },
    { sort: { name: 'rows' } },
    { sort: { name: 'project_last_used_at' } },
    { sort: { name: 'name', sort_type: 'custom' } },
  ])('refuse %j', async (body) => {
    expect((await post('/v2/datasets/query', body)).status).toBe(422);
  });

  it('say what may be done, for the actions asked for', async () => {
    const { id } = await makeDataset(server, []);
    const ada = await person(server);
    await share(id, ada, 'editor');
    const { body } = await ada.request('GET', '/v2/datasets?actions=update&actions=delete&actions=export');
    expect(body.datasets[0].permissions).toEqual([
      { action: 'update', allowed: true, message: null },
      { action: 'delete', allowed: false, message: expect.any(String) },
      { action: 'export', allowed: true, message: null },
    ]);
    expect((await ada.request('GET', '/v2/datasets?actions=burn')).status).toBe(422);
  });
});

describe('projects of a dataset', () => {
  it('are those that use it and that the caller sees', async () => {
    const [mine, other] = [await makeProject(), await makeProject()];
    const { id } = await makeDataset(server, [], { project_id: mine.id });
    await server.cradle.datasetStore.use({ dataset_id: id, project_id: other.id }, new Date().toISOString());
    expect((await get(`/v2/datasets/${id}`)).body.project_count).toBe(2);
    const { body } = await get(`/v2/datasets/${id}/projects?limit=100`);
    expect(body.projects.map((project: { id: string }) => project.id).sort()).toEqual([mine.id, other.id].sort());
    expect(Object.keys(body.projects[0]).sort()).toEqual(['created_at', 'created_by_user', 'id', 'name', 'updated_at']);
    const ada = await person(server);
    await share(id, ada, 'viewer');
    expect((await ada.request('GET', `/v2/datasets/${id}/projects`)).body.projects).toEqual([]);
    const sought = async (name: string) => {
      const filters = [{ name, value: mine.id }];
      return (await ada.request('POST', '/v2/datasets/query', { filters })).body.datasets;
    };
    expect(await sought('used_in_project')).toEqual([]);
    expect(await sought('not_in_project')).toMatchObject([{ id, project_count: 0 }]);
    await post(`/v2/projects/${mine.id}/users`, [{ user_id: ada.id, role: 'viewer' }]);
    expect((await ada.request('GET', `/v2/datasets/${id}/projects`)).body.projects).toMatchObject([{ id: mine.id }]);
    expect(await sought('used_in_project')).toMatchObject([{ id, project_count: 1 }]);
    expect(await sought('not_in_project')).toEqual([]);
  });

  it('are no more once they are deleted', async () => {
    const { id: project_id } = await makeProject();
    const { id } = await makeDataset(server, [], { project_id });
    await remove(`/v2/projects/${project_id}`);
    expect((await get(`/v2/datasets/${id}/projects`)).body.projects).toEqual([]);
    expect((await get(`/v2/datasets/${id}`)).body.project_count).toBe(0);
  });
});

describe('deleting several', () => {
  it('deletes those that it may and says of the others why not', async () => {
    const [own, shared, hidden] = [
      await makeDataset(server, []),
      await makeDataset(server, [], { name: 'seen' }),
      await makeDataset(server, []),
    ];
    const ada = await person(server);
    await share(own.id, ada, 'owner');
    await share(shared.id, ada, 'editor');
    const reply = await ada.request('DELETE', '/v2/datasets/bulk_delete', {
      dataset_ids: [own.id, shared.id, hidden.id, own.id],
    });
    expect(reply).toMatchObject({ status: 200, body: { deleted_count: 1, message: '1 of 3 datasets were deleted' } });
    expect(reply.body.failed_deletions).toEqual([
      { dataset_id: shared.id, dataset_name: 'seen', reason: expect.stringContaining('owner') },
      { dataset_id: hidden.id, dataset_name: '', reason: `dataset ${hidden.id} does not exist` },
    ]);
    const ids = Array.from({ length: 101 }, () => randomUUID());
    expect((await remove('/v2/datasets/bulk_delete', { dataset_ids: ids })).status).toBe(422);
    expect((await remove('/v2/datasets/bulk_delete', { dataset_ids: [] })).status).toBe(422);
  });
});

describe('changes to datasets', () => {
  it('are noted in the audit log', async () => {
    const { id } = await makeDataset(server, [{ input: 'a' }]);
    await patch(`/v2/datasets/${id}/content`, { edits: [{ edit_type: 'append_row', values: {} }] });
    await patch(`/v2/datasets/${id}`, { name: 'renamed' });
    await patch(`/v2/datasets/${id}/versions/1`, { name: 'first' });
    await server.request('PUT', `/v2/datasets/${id}/content`, { rollback_version: 1 });
    await remove(`/v2/datasets/${id}`);
    const { body } = await get('/v2/audit_log?limit=100');
    const own = body.entries.filter(({ object_id }: { object_id: string }) => object_id === id);
    const actions = own.map(({ action }: { action: string }) => action);
    expect(actions.toReversed()).toEqual(
      ['create', 'edit', 'update', 'name_version', 'rollback', 'delete'].map((verb) => `dataset.${verb}`),
    );
  });

  it('are not for keys of a project, nor for those that only read', async () => {
    const { id } = await makeDataset(server, [{ input: 'a' }]);
    const ada = await person(server);
    await share(id, ada, 'owner');
    const edits = [{ edit_type: 'append_row', values: {} }];
    for (const key of [{ max_role: 'viewer' as const }, { project_id: (await makeProject()).id }]) {
      const limited = await withKey(server, ada, key);
      expect((await limited.request('GET', `/v2/datasets/${id}/content`)).status).toBe(200);
      expect((await limited.request('PATCH', `/v2/datasets/${id}/content`, { edits })).status).toBe(403);
    }
  });
});
