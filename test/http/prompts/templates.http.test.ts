import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataset } from '../datasets/dataset-fixture.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

let server: TestServer;
let owner: Person;
let project_id: string;
beforeAll(async () => {
  server = await startTestServer();
  owner = await person(server);
  project_id = (await owner.request('POST', '/v2/projects', { name: 'prompts' })).body.id;
});
afterAll(() => server.close());

const messages = [{ role: 'user', content: 'hello {{input}}' }];
async function made(more: object = {}, path = '/v2/templates') {
  const { status, body } = await owner.request('POST', path, { name: `t ${randomUUID()}`, template: messages, ...more });
  expect(status).toBe(200);
  return body;
}

describe('prompt templates', () => {
  it('are made with a first version, which is selected', async () => {
    const body = await made({ settings: { model_alias: 'm', temperature: null }, version: null, output_type: null });
    expect(body).toMatchObject({
      template: JSON.stringify(messages),
      selected_version: { version: 1 },
      all_available_versions: [1],
      total_versions: 1,
      max_version: 1,
      permissions: [],
      created_by_user: { id: owner.id },
    });
    expect(body.all_versions).toMatchObject([
      { id: body.selected_version_id, template: messages, settings: { model_alias: 'm' } },
    ]);
    expect(body.all_versions[0].settings).not.toHaveProperty('temperature');
    expect((await owner.request('GET', `/v2/templates/${body.id}`)).body).toEqual(body);
  });

  it('say what the caller may do, for the actions that are asked about', async () => {
    const { id } = await made();
    const other = await person(server);
    const users = [{ user_id: other.id, role: 'viewer' }];
    expect((await owner.request('POST', `/v2/templates/${id}/users`, users)).status).toBe(200);
    const get = (who: Person) => who.request('GET', `/v2/templates/${id}?actions=update&actions=delete`);
    expect((await get(owner)).body.permissions).toEqual([
      { action: 'update', allowed: true, message: null },
      { action: 'delete', allowed: true, message: null },
    ]);
    expect((await get(other)).body.permissions).toEqual([
      { action: 'update', allowed: false, message: expect.any(String) },
      { action: 'delete', allowed: false, message: expect.any(String) },
    ]);
    expect((await owner.request('GET', `/v2/templates/${id}?actions=fly`)).status).toBe(422);
  });

  it('have names of their own, with a free suffix where one is asked for', async () => {
    const { name } = await made();
    const again = await owner.request('POST', '/v2/templates', { name, template: 'x' });
    expect(again).toMatchObject({ status: 409, body: { detail: expect.any(String) } });
    expect((await made({ name: { value: name, append_suffix_if_duplicate: true } })).name).toBe(`${name} (1)`);
    const other = await made();
    expect((await owner.request('PATCH', `/v2/templates/${other.id}`, { name })).status).toBe(409);
    const renamed = await owner.request('PATCH', `/v2/templates/${other.id}`, { name: `new ${name}` });
    expect(renamed.body.name).toBe(`new ${name}`);
  });

  it('get versions that tell what changed, and one of them selected', async () => {
    const { id } = await made({ settings: { model_alias: 'a', temperature: 1 } });
    const add = (body: object) => owner.request('POST', `/v2/templates/${id}/versions`, body);
    const model = await add({ template: messages, settings: { model_alias: 'b', temperature: 1 } });
    expect(model.body).toMatchObject({ version: 2, model_changed: true, settings_changed: false, content_changed: false });
    const settings = await add({ template: messages, settings: { model_alias: 'b', temperature: 0 } });
    expect(settings.body).toMatchObject({ model_changed: false, settings_changed: true, content_changed: false });
    const content = await add({ template: 'other', settings: { model_alias: 'b', temperature: 0 }, version: 9 });
    expect(content.body).toMatchObject({ version: 9, model_changed: false, settings_changed: false, content_changed: true });
    expect((await add({ template: 'late', version: 5 })).status).toBe(409);
    expect((await owner.request('GET', `/v2/templates/${id}`)).body).toMatchObject({
      selected_version: { version: 9 },
      template: 'other',
      all_available_versions: [1, 2, 3, 9],
      max_version: 9,
    });
    const selected = await owner.request('PUT', `/v2/templates/${id}/versions/2`);
    expect(selected.body).toMatchObject({
      selected_version: { id: model.body.id, version: 2 },
      selected_version_id: model.body.id,
    });
    expect((await owner.request('PUT', `/v2/templates/${id}/versions/4`)).status).toBe(404);
    expect((await owner.request('GET', `/v2/templates/${id}/versions/9`)).body).toEqual(content.body);
    const page = await owner.request('POST', `/v2/templates/${id}/versions/query?limit=2`);
    expect(page.body).toMatchObject({ versions: [{ version: 9 }, { version: 3 }], paginated: true, next_starting_token: 2 });
  });

  it('are found by name, maker and project, by those who see them', async () => {
    const used = await made({}, `/v2/templates?project_id=${project_id}`);
    const other = await person(server);
    const query = (by: Person, ...filters: object[]) => by.request('POST', '/v2/templates/query', { filters });
    const byName = { name: 'name', operator: 'eq', value: used.name };
    expect((await query(owner, byName)).body.templates).toMatchObject([{ id: used.id }]);
    expect((await query(owner, byName, { name: 'used_in_project', value: project_id })).body.templates).toHaveLength(1);
    expect((await query(owner, byName, { name: 'not_in_project', value: project_id })).body.templates).toEqual([]);
    expect((await query(other, byName)).body.templates).toEqual([]);
    await owner.request('POST', `/v2/templates/${used.id}/users`, [{ user_id: other.id, role: 'viewer' }]);
    expect((await query(other, byName)).body.templates).toMatchObject([{ id: used.id }]);
    // The project is not shared: that it uses the template is not told.
    expect((await query(other, byName, { name: 'used_in_project', value: project_id })).body.templates).toEqual([]);
    expect((await query(other, byName, { name: 'not_in_project', value: project_id })).body.templates).toHaveLength(1);
    expect((await other.request('PATCH', `/v2/templates/${used.id}`, { name: 'x' })).status).toBe(403);
  });

  it('are deleted one by one or together', async () => {
    const [a, b] = [await made(), await made()];
    const unknown = randomUUID();
    const many = await owner.request('DELETE', '/v2/templates/bulk_delete', { template_ids: [a.id, unknown] });
    expect(many.body).toMatchObject({ deleted_count: 1, failed_deletions: [{ template_id: unknown }] });
    expect((await owner.request('DELETE', `/v2/templates/${b.id}`)).body).toHaveProperty('message');
    expect((await owner.request('GET', `/v2/templates/${b.id}`)).status).toBe(404);
  });
});

describe('templates of a project', () => {
  it('are listed, and found by name and version', async () => {
    const path = `/v2/projects/${project_id}/templates`;
    const { id, name } = await made({}, path);
    await owner.request('POST', `${path}/${id}/versions`, { template: 'second' });
    expect((await owner.request('GET', path)).body.map((one: { id: string }) => one.id)).toContain(id);
    const find = async (query: string) => (await owner.request('GET', `${path}/versions?template_name=${name}${query}`)).body;
    expect(await find('')).toMatchObject({ version: 2, template: 'second' });
    expect(await find('&version=1')).toMatchObject({ version: 1 });
    expect((await owner.request('GET', `${path}/versions?template_name=nothing`)).status).toBe(404);
    expect((await owner.request('PUT', `${path}/${id}/versions/1`)).body.selected_version.version).toBe(1);
    expect((await owner.request('GET', `${path}/${id}/versions/1`)).body.version).toBe(1);
    expect((await owner.request('GET', `${path}/${(await made()).id}`)).status).toBe(404);
    expect((await owner.request('DELETE', `${path}/${id}`)).status).toBe(200);
    expect((await owner.request('GET', `${path}/${id}`)).status).toBe(404);
  });
});

describe('rendering', () => {
  it('shows a template for rows of a dataset', async () => {
    const rows = [
      { input: 'one', metadata: '{"lang":"en"}' },
      { input: 'two', metadata: null },
      { input: 'three', metadata: null },
    ];
    const { id } = await makeDataset(server, rows);
    const data = { dataset_id: id, dataset_version_index: null };
    const { body } = await server.request('POST', '/v2/render_template?limit=2', {
      template: '{{input}} {{metadata.lang}}',
      data,
    });
    expect(body.rendered_templates).toEqual([
      { result: 'one en', warning: null },
      { result: 'two {{metadata.lang}}', warning: 'no value for metadata.lang' },
    ]);
    expect(body).toMatchObject({ paginated: true, next_starting_token: 2 });
    expect((await owner.request('POST', '/v2/render_template', { template: '', data })).status).toBe(404);
  });

  it('ends a page of long texts early, and refuses a text that would be endless', async () => {
    const render = (template: string, input_strings: string[], query = '') =>
      owner.request('POST', `/v2/render_template${query}`, { template, data: { input_strings } });
    const texts = ['p', 'q', 'r'].map((name) => name.repeat(100_000));
    const { body } = await render('{{input}}'.repeat(50), texts);
    expect(body.rendered_templates.map(({ result }: { result: string }) => result[0])).toEqual(['p', 'q']);
    expect(body).toMatchObject({ paginated: true, next_starting_token: 2 });
    const next = await render('{{input}}'.repeat(50), texts, '?starting_token=2');
    expect([next.body.rendered_templates.length, next.body.paginated]).toEqual([1, false]);
    const endless = await render('{{input}}'.repeat(1_000), texts);
    expect([endless.status, endless.body.code]).toEqual([422, 'rendered_too_large']);
  });

  it('shows a template for texts', async () => {
    const data = { input_strings: ['plain', '{"name": "Ada"}'] };
    const { body } = await owner.request('POST', '/v2/render_template', { template: '{{name}}: {{input}}', data });
    expect(body.rendered_templates).toEqual([
      { result: '{{name}}: plain', warning: 'no value for name' },
      { result: 'Ada: {"name": "Ada"}', warning: null },
    ]);
  });

  it('has a sample input for templates', async () => {
    const { body } = await owner.request('POST', '/v2/input_stub', { templates: ['{{input}}', '{{a.b}} {{input}}'] });
    expect(body).toEqual({ input: 'input', a: { b: 'b' } });
  });
});
