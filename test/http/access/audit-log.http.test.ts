import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

let server: TestServer;
let ada: Person;
let project_id: string;
beforeEach(async () => {
  server = await startTestServer();
  ada = await person(server, { email: 'ada@example.org' });
  project_id = (await ada.request('POST', '/v2/projects', { name: 'Atlas', type: 'gen_ai' })).body.id;
});
afterEach(() => server.close());

const log = (query = '') => server.request('GET', `/v2/audit_log${query}`);

describe('the audit log', () => {
  it('says who did what to which object, from where, newest first', async () => {
    const bob = await person(server);
    await ada.request('POST', `/v2/projects/${project_id}/users`, [{ user_id: bob.id, role: 'editor' }]);
    const { body } = await log();
    expect(body.entries[0]).toEqual({
      sequence: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      action: 'collaborator.add',
      object_kind: 'project',
      object_id: project_id,
      actor_id: ada.id,
      actor_email: 'ada@example.org',
      scheme: 'api_key',
      api_key_id: expect.any(String),
      request_id: expect.any(String),
      address: expect.stringContaining('127.0.0.1'),
      details: { user_id: bob.id, role: 'editor' },
      previous_hash: body.entries[1].hash,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(body.entries[1]).toMatchObject({ action: 'project.create', details: { name: 'Atlas' } });
  });

  it('is filtered by actor, action, object and time, and paged', async () => {
    const actions = async (query: string) => (await log(query)).body.entries.map(({ action }: { action: string }) => action);
    expect(await actions(`?actor_id=${ada.id}`)).toEqual(['project.create']);
    expect(await actions('?action=user.bootstrap')).toEqual(['user.bootstrap']);
    expect(await actions(`?object_kind=project&object_id=${project_id}`)).toEqual(['project.create']);
    expect(await actions('?from=2100-01-01T00:00:00Z')).toEqual([]);
    expect(await actions('?to=2000-01-01T00:00:00Z')).toEqual([]);
    expect((await log('?limit=1')).body).toMatchObject({ paginated: true, next_starting_token: 1 });
  });

  it('is open to administrators, and to owners for what they own', async () => {
    const bob = await person(server, { role: 'manager' });
    const ofProject = `/v2/audit_log?object_kind=project&object_id=${project_id}`;
    expect((await ada.request('GET', '/v2/audit_log')).status).toBe(403);
    expect((await ada.request('GET', ofProject)).status).toBe(200);
    expect((await bob.request('GET', '/v2/audit_log')).status).toBe(403);
    expect((await bob.request('GET', ofProject)).status).toBe(404);
    await ada.request('POST', `/v2/projects/${project_id}/users`, [{ user_id: bob.id, role: 'editor' }]);
    expect((await bob.request('GET', ofProject)).status).toBe(403);
  });

  it('holds together', async () => {
    for (const name of ['a', 'b', 'c']) await ada.request('POST', `/v2/projects/${project_id}/log_streams`, { name });
    expect((await ada.request('GET', '/v2/audit_log/check')).status).toBe(403);
    const report = await server.request('GET', '/v2/audit_log/check');
    expect(report.body).toEqual({ entries: 5, head: (await log()).body.entries[0].hash, broken_at: null });
  });

  it('has no line for what was refused', async () => {
    const before = (await log()).body.entries.length;
    await ada.request('POST', `/v2/projects/${project_id}/users`, [{ user_email: 'nobody@example.org' }]);
    await ada.request('DELETE', `/v2/projects/${project_id}/users/${ada.id}`);
    expect((await log()).body.entries).toHaveLength(before);
  });
});
