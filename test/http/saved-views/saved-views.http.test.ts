import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

let server: TestServer;
let owner: Person;
let viewer: Person;
let editor: Person;
let views: string;
let log_stream_id: string;

const filter = { type: 'text', column_id: 'input', operator: 'contains', value: 'refund' };
const state = (facts: object = {}) => ({ record_type: 'trace', run_ids: [log_stream_id], filters: [filter], ...facts });
const save = (who: Person, facts: object = {}) => who.request('POST', views, { name: 'Refunds', state: state(), ...facts });
const listed = async (who: Person) => (await who.request('GET', views)).body.map(({ name }: { name: string }) => name);

beforeAll(async () => {
  server = await startTestServer();
  [owner, viewer, editor] = await Promise.all([person(server), person(server), person(server)]);
  const project = `/v2/projects/${(await owner.request('POST', '/v2/projects', { name: 'Harbour' })).body.id}`;
  views = `${project}/views`;
  log_stream_id = (await owner.request('POST', `${project}/log_streams`, { name: 'default' })).body.id;
  const roles = [
    { user_id: viewer.id, role: 'viewer' },
    { user_id: editor.id, role: 'editor' },
  ];
  await owner.request('POST', `${project}/users`, roles);
});
afterAll(() => server.close());

describe('saved views', () => {
  it('are saved for oneself, shared, changed by who may, and deleted', async () => {
    const all = { sort: { column_id: 'created_at', ascending: false }, columns: ['input'], time_range: { last_hours: 24 } };
    const { status, body: own } = await save(owner, { state: state({ ...all, search_text: '退款' }) });
    expect({ status, own }).toMatchObject({ status: 200, own: { is_shared: false, state: { ...all, search_text: '退款' } } });
    const path = `${views}/${own.id}`;
    expect((await owner.request('GET', path)).body).toEqual(own);
    expect([await listed(owner), await listed(editor), await listed(viewer)]).toEqual([['Refunds'], [], []]);
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect(await editor.request(method, path, method === 'PATCH' ? {} : undefined)).toMatchObject({ status: 404 });

    expect((await owner.request('PATCH', path, { is_shared: true })).body).toMatchObject({ is_shared: true, name: 'Refunds' });
    expect(await listed(viewer)).toEqual(['Refunds']);
    expect(await viewer.request('PATCH', path, { name: 'Mine' })).toMatchObject({ status: 403 });
    expect((await editor.request('PATCH', path, { name: 'All refunds' })).body).toMatchObject({ name: 'All refunds' });
    expect(await viewer.request('DELETE', path)).toMatchObject({ status: 403 });
    expect(await editor.request('DELETE', path)).toMatchObject({ status: 200 });
    expect(await owner.request('GET', path)).toMatchObject({ status: 404, body: { code: 'saved_view_not_found' } });
  });

  it('are for readers, too, who share none', async () => {
    const { body } = await save(viewer, { name: 'Mine' });
    expect(await save(viewer, { is_shared: true })).toMatchObject({ status: 403 });
    expect(await viewer.request('PATCH', `${views}/${body.id}`, { is_shared: true })).toMatchObject({ status: 403 });
    expect(await viewer.request('DELETE', `${views}/${body.id}`)).toMatchObject({ status: 200 });
  });

  it('go with a user who alone saw them, and with their project', async () => {
    const leaving = await person(server);
    const project = await leaving.request('POST', '/v2/projects', { name: 'Quay' });
    const facts = { name: 'Errors', state: { record_type: 'session' } };
    await leaving.request('POST', `/v2/projects/${project.body.id}/views`, facts);
    await leaving.request('POST', `/v2/projects/${project.body.id}/views`, { ...facts, is_shared: true });
    const kept = () => server.cradle.savedViewStore.list(project.body.id, leaving.id);
    expect(await kept()).toHaveLength(2);
    expect(await server.request('DELETE', `/v2/users/${leaving.id}`)).toMatchObject({ status: 200 });
    expect(await kept()).toMatchObject([{ is_shared: true }]);
    expect(await server.request('DELETE', `/v2/projects/${project.body.id}`)).toMatchObject({ status: 200 });
    expect(await kept()).toEqual([]);
  });

  it('are refused where no list could be shown so', async () => {
    const wrong = [
      { filters: [{ ...filter, column_id: 'no_such_column' }] },
      { sort: { column_id: 'no_such_column' } },
      { record_type: 'session', sort: { column_id: 'no_such_column' } },
      { time_range: { last_hours: 1, from: '2026-11-22T10:00:00Z' } },
    ];
    for (const facts of wrong) expect(await save(owner, { state: state(facts) })).toMatchObject({ status: 422 });
    expect(await save(owner, { state: state({ run_ids: [randomUUID()] }) })).toMatchObject({ status: 404 });
    const long = Array.from({ length: 40 }, () => ({ ...filter, value: 'x'.repeat(1_000) }));
    expect(await save(owner, { state: state({ filters: long }) })).toMatchObject({ status: 413 });
  });
});
