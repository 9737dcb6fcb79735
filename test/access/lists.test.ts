import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, person, withKey } from '../http/people.ts';
import { giveRole, giveRoleByGroup, makeProject } from './fixtures/project-fixtures.ts';
import { type Fixture, openAccessFixture } from './open-fixture.ts';

/** Objects of two people and those around them; everything else is somebody else's. */
let fixture: Fixture;
let ann: Person;
let bob: Person;
const projects: Record<string, string> = {};
const streams: Record<string, string> = {};

beforeAll(async () => {
  fixture = await openAccessFixture();
  const { server } = fixture;
  [ann, bob] = await Promise.all([person(server), person(server)]);
  for (const name of ['anns', 'anns other', 'shared with ann', 'of a group', 'pending', 'bobs', 'foreign']) {
    const { ids } = await makeProject(fixture, ann.id);
    projects[name] = ids.project_id;
    streams[name] = ids.log_stream_id;
  }
  await giveRole(server, projects.anns!, ann.id, 'owner');
  await giveRole(server, projects['anns other']!, ann.id, 'owner');
  await giveRole(server, projects['shared with ann']!, ann.id, 'annotator');
  await giveRoleByGroup(fixture, projects['of a group']!, ann.id, 'member');
  await giveRoleByGroup(fixture, projects.pending!, ann.id, 'pending');
  await giveRole(server, projects.bobs!, bob.id, 'owner');
  await giveRole(server, projects['shared with ann']!, bob.id, 'owner');
});
afterAll(() => fixture.server.close());

const ANNS = ['anns', 'anns other', 'shared with ann', 'of a group'];
const BOBS = ['bobs', 'shared with ann'];

/** Who asks, and the projects that are there for them. */
async function viewpoints(): Promise<readonly (readonly [string, Person, readonly string[]])[]> {
  const { server } = fixture;
  return [
    ['ann', ann, ANNS],
    ['bob', bob, BOBS],
    ['a manager', await person(server, { role: 'manager' }), []],
    ['nobody in particular', await person(server), []],
    ['an administrator', await person(server, { role: 'admin' }), Object.keys(projects)],
    ['a key for one of her projects', await withKey(server, ann, { project_id: projects.anns! }), ['anns']],
    ["a key for another's project", await withKey(server, ann, { project_id: projects.bobs! }), []],
    ['a key that may only view', await withKey(server, ann, { max_role: 'viewer' }), ANNS],
    [
      "an administrator's key for one project",
      await withKey(server, await person(server, { role: 'admin' }), { project_id: projects.bobs! }),
      ['bobs'],
    ],
  ];
}

const getIds = (names: readonly string[]): string[] => names.map((name) => projects[name]!).sort();
const listed = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id).sort();

describe('lists and counts of projects', () => {
  it('hold what the caller sees and nothing else', async () => {
    for (const [who, { request }, names] of await viewpoints()) {
      const ids = getIds(names);
      expect(listed((await request('GET', '/v2/projects')).body), who).toEqual(ids);
      expect(listed((await request('GET', '/v2/projects/all')).body), who).toEqual(ids);
      expect(listed((await request('POST', '/v2/projects/paginated')).body.projects), who).toEqual(ids);
      expect((await request('POST', '/v2/projects/count')).body, who).toBe(ids.length);
    }
  });

  it('page through that alone', async () => {
    for (const [who, { request }, names] of await viewpoints()) {
      const found: { id: string }[] = [];
      for (let token: number | null = 0; token !== null; ) {
        const { body } = await request('POST', `/v2/projects/paginated?limit=1&starting_token=${token}`);
        found.push(...body.projects);
        token = body.next_starting_token;
      }
      expect(listed(found), who).toEqual(getIds(names));
    }
  });

  it('are not widened by filters', async () => {
    const all = Object.values(projects);
    for (const [who, { request }, names] of await viewpoints()) {
      for (const filter of [
        { name: 'id', operator: 'one_of', value: all },
        { name: 'id', operator: 'not_in', value: [] },
        { name: 'name', operator: 'contains', value: 'name' },
        { name: 'creator', operator: 'eq', value: fixture.host_id },
      ]) {
        const { body } = await request('POST', '/v2/projects/paginated', { filters: [filter] });
        expect(listed(body.projects), `${who}, ${filter.operator}`).toEqual(getIds(names));
        expect((await request('POST', '/v2/projects/count', { filters: [filter] })).body, who).toBe(names.length);
      }
    }
  });

  it('say what may be done with each', async () => {
    const MAY: Record<string, readonly string[]> = {
      anns: ['export_data', 'record_human_feedback', 'log_data', 'update', 'share', 'delete'],
      'anns other': ['export_data', 'record_human_feedback', 'log_data', 'update', 'share', 'delete'],
      'shared with ann': ['export_data', 'record_human_feedback'],
      'of a group': ['export_data', 'record_human_feedback', 'log_data', 'update'],
    };
    const query = MAY.anns!.map((action) => `actions=${action}`).join('&');
    const allowedBy = async ({ request }: Person): Promise<Record<string, readonly string[]>> => {
      const { body } = await request('POST', `/v2/projects/paginated?${query}`);
      const allowed = (of: { permissions: { action: string; allowed: boolean }[] }) =>
        of.permissions.filter((one) => one.allowed).map(({ action }) => action);
      return Object.fromEntries(body.projects.map((one: never) => [(one as { id: string }).id, allowed(one)]));
    };
    expect(await allowedBy(ann)).toEqual(Object.fromEntries(ANNS.map((name) => [projects[name], MAY[name]])));
    const viewer = await withKey(fixture.server, ann, { max_role: 'viewer' });
    expect(await allowedBy(viewer)).toEqual(Object.fromEntries(ANNS.map((name) => [projects[name], ['export_data']])));
  });
});

describe('what is in a project', () => {
  it('is listed and counted by itself', async () => {
    const path = `/v2/projects/${projects.anns}`;
    const getStreams = (found: { id: string; num_traces: number; num_spans: number }[]) =>
      found.map(({ id, num_traces, num_spans }) => ({ id, num_traces, num_spans }));
    const own = [{ id: streams.anns, num_traces: 1, num_spans: 1 }];
    expect(getStreams((await ann.request('GET', `${path}/log_streams?include_counts=true`)).body)).toEqual(own);
    const paged = await ann.request('GET', `${path}/log_streams/paginated?include_counts=true`);
    expect(getStreams(paged.body.log_streams)).toEqual(own);
    const filters = [{ name: 'id', operator: 'one_of', value: Object.values(streams) }];
    const found = await ann.request('POST', `${path}/log_streams/search`, { filters, include_counts: true });
    expect(getStreams(found.body.log_streams)).toEqual(own);
  });

  it('is found in its own log streams alone', async () => {
    for (const level of ['traces', 'spans']) {
      const search = (name: string, stream: string) =>
        ann.request('POST', `/v2/projects/${projects[name]}/${level}/search`, { log_stream_id: streams[stream] });
      expect((await search('anns', 'anns')).body.records).toMatchObject([{ project_id: projects.anns }]);
      for (const elsewhere of ['anns other', 'foreign']) expect((await search('anns', elsewhere)).status).toBe(404);
    }
  });

  it('has its own audit log', async () => {
    for (const name of ['anns', 'anns other']) {
      await ann.request('PUT', `/v2/projects/${projects[name]}`, { description: `about ${name}` });
    }
    const log = await ann.request('GET', `/v2/audit_log?object_kind=project&object_id=${projects.anns}`);
    expect(log.body.entries).toMatchObject([{ action: 'project.update', object_id: projects.anns, actor_id: ann.id }]);
  });
});

describe('API keys', () => {
  it('are listed for their own user alone', async () => {
    const getKeys = async (who: Person) => (await who.request('GET', `/v2/users/${who.id}/api_keys`)).body.api_keys.map(getId);
    const getId = ({ id }: { id: string }) => id;
    const [anns, bobs] = [await getKeys(ann), await getKeys(bob)];
    expect(anns.length).toBeGreaterThan(0);
    expect(bobs).toHaveLength(1);
    expect(anns.filter((id: string) => bobs.includes(id))).toEqual([]);
  });
});
