import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

let server: TestServer;
let owner: Person;
let project_id: string;
beforeAll(async () => {
  server = await startTestServer();
  owner = await person(server);
  project_id = (await owner.request('POST', '/v2/projects', { name: 'labels' })).body.id;
});
afterAll(() => server.close());

const settings = { model_alias: 'm', tools: [{ type: 'function' }], response_format: { type: 'json_object' } };

async function madeOfTwoVersions() {
  const name = `prompt ${randomUUID()}`;
  const template = [{ role: 'system', content: 'Be brief.\nBe kind.' }];
  const first = await owner.request('POST', `/v2/templates?project_id=${project_id}`, { name, template, settings });
  const { id } = first.body;
  const second = await owner.request('POST', `/v2/templates/${id}/versions`, {
    template: [{ role: 'system', content: 'Be long.\nBe kind.' }],
    settings: { model_alias: 'm', temperature: 0, tools: settings.tools },
    commit_message: 'Customers wanted more.',
  });
  expect([first.status, second.status]).toEqual([200, 200]);
  const label = (word: string, version: number) => owner.request('PUT', `/v2/templates/${id}/labels/${word}`, { version });
  const fetched = (query: string, headers = {}) =>
    server.request(
      'GET',
      `/v2/projects/${project_id}/templates/versions?template_name=${encodeURIComponent(name)}${query}`,
      undefined,
      { headers: { 'service-api-key': owner.api_key, ...headers } },
    );
  return { id, name, label, fetched };
}

describe('labels of prompt templates', () => {
  it('move between versions, are fetched by name, and keep who moved them', async () => {
    const { id, label, fetched } = await madeOfTwoVersions();
    expect((await fetched('&label=production')).body).toMatchObject({ code: 'template_label_not_found' });
    expect((await label('production', 1)).body).toEqual([{ label: 'production', version: 1 }]);
    expect((await fetched('&label=production')).body).toMatchObject({ version: 1, template_id: id, labels: ['production'] });
    await label('staging', 2);
    await label('production', 2);
    await label('production', 2);
    const both = { version: 2, labels: ['production', 'staging'], commit_message: 'Customers wanted more.' };
    expect((await fetched('&label=production')).body).toMatchObject(both);
    expect((await fetched('&version=1')).body).toMatchObject({ version: 1, labels: [], settings });
    expect((await owner.request('GET', `/v2/templates/${id}/labels/staging`)).body).toMatchObject(both);
    expect((await owner.request('DELETE', `/v2/templates/${id}/labels/staging`)).body).toEqual([
      { label: 'production', version: 2 },
    ]);
    expect((await owner.request('GET', `/v2/templates/${id}/labels`)).body).toEqual([{ label: 'production', version: 2 }]);
    expect((await owner.request('GET', `/v2/templates/${id}`)).body.all_versions).toMatchObject([
      { version: 2, labels: ['production'] },
      { version: 1, labels: [] },
    ]);
    const { body } = await owner.request('GET', `/v2/templates/${id}/label_moves`);
    const by = { moved_by_user: { id: owner.id }, moved_at: expect.any(String) };
    expect(body.moves).toMatchObject([
      { label: 'staging', from_version: 2, to_version: null, ...by },
      { label: 'production', from_version: 1, to_version: 2, ...by },
      { label: 'staging', from_version: null, to_version: 2, ...by },
      { label: 'production', from_version: null, to_version: 1, ...by },
    ]);
  });

  it('are refused on versions that are not there, and where they are on the newest by themselves', async () => {
    const { id, label, fetched } = await madeOfTwoVersions();
    expect(await label('production', 3)).toMatchObject({ status: 404, body: { code: 'template_version_not_found' } });
    expect(await label('latest', 1)).toMatchObject({ status: 422, body: { code: 'template_label_reserved' } });
    expect((await label('Not%20a%20label', 1)).status).toBe(422);
    expect((await fetched('&label=latest')).body).toMatchObject({ version: 2 });
    expect((await fetched('&label=latest&version=1')).status).toBe(422);
    expect((await owner.request('DELETE', `/v2/templates/${id}/labels/none`)).status).toBe(404);
    for (let at = 0; at < 50; at++) expect((await label(`own-${at}`, 1)).status).toBe(200);
    expect(await label('one-more', 1)).toMatchObject({ status: 409, body: { code: 'template_labels_full' } });
    expect((await label('own-7', 2)).status).toBe(200);
  });

  it('cost a client that fetches again nothing until what it would get has changed', async () => {
    const { label, fetched } = await madeOfTwoVersions();
    await label('production', 1);
    const first = await fetched('&label=production');
    const etag = first.headers.get('etag')!;
    const again = await fetched('&label=production', { 'if-none-match': `"other", W/${etag}` });
    expect(again).toMatchObject({ status: 304 });
    expect(again.headers.get('etag')).toBe(etag);
    await label('production', 2);
    expect(await fetched('&label=production', { 'if-none-match': etag })).toMatchObject({ status: 200, body: { version: 2 } });
  });
});

describe('versions of prompt templates', () => {
  it('are compared line by line, and by their settings', async () => {
    const { id } = await madeOfTwoVersions();
    const { body } = await owner.request('GET', `/v2/templates/${id}/versions/2/diff?from_version=1`);
    expect(body).toEqual({
      from_version: 1,
      to_version: 2,
      blocks: [
        { change: 'same', text: '[system]' },
        { change: 'removed', text: 'Be brief.' },
        { change: 'added', text: 'Be long.' },
        { change: 'same', text: 'Be kind.' },
      ],
      lines_added: 1,
      lines_removed: 1,
      settings: [
        { name: 'response_format', before: { type: 'json_object' }, after: null },
        { name: 'temperature', before: null, after: 0 },
      ],
    });
    expect((await owner.request('GET', `/v2/templates/${id}/versions/2/diff?from_version=7`)).status).toBe(404);
  });
});
