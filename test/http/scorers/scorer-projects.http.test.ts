import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';
import { scorerFixture } from './scorer-fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
const fixture = scorerFixture(() => server);

it('lists the projects that use a scorer, as the interface has it', async () => {
  const { id } = await fixture.create();
  await fixture.upload(id);
  const [run, other] = [await fixture.run(), await fixture.run()];
  await run.enable({ id });
  await other.enable();
  const { body, status } = await server.request('GET', `/v2/scorers/${id}/projects?scorer_id=${id}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    starting_token: 0,
    limit: 100,
    paginated: false,
    next_starting_token: null,
    total_count: 1,
    projects: [
      {
        id: run.project_id,
        name: expect.any(String),
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        permissions: [],
        bookmark: false,
        num_logstreams: 1,
        num_experiments: 0,
        created_by_user: expect.objectContaining({ email: expect.any(String) }),
        description: null,
        labels: expect.any(Array),
        log_streams: [{ id: run.run_id, name: 'default' }],
      },
    ],
  });
});

it('shows each caller the projects that they see, page by page', async () => {
  const { id } = await fixture.create();
  await fixture.upload(id);
  const runs = [await fixture.run(), await fixture.run(), await fixture.run()];
  for (const run of runs) await run.enable({ id });
  const ann = await person(server);
  const list = async (query: string, who: Pick<typeof ann, 'request'> = server) =>
    (await who.request('GET', `/v2/scorers/${id}/projects?${query}`)).body;
  expect(await list('', ann)).toMatchObject({ projects: [], total_count: 0 });
  const [shared] = runs;
  await server.request('POST', `/v2/projects/${shared!.project_id}/users`, [{ user_id: ann.id, role: 'viewer' }]);
  expect(await list('', ann)).toMatchObject({ projects: [{ id: shared!.project_id }], total_count: 1 });
  const page = await list('limit=2');
  expect(page).toMatchObject({ total_count: 3, paginated: true, next_starting_token: 2, projects: { length: 2 } });
  expect(await list('limit=2&starting_token=2')).toMatchObject({ next_starting_token: null, projects: { length: 1 } });
});

it('tells which projects use a version', async () => {
  const { id } = await fixture.create();
  const [first, second] = [await fixture.upload(id), await fixture.upload(id)];
  const [pinned, open] = [await fixture.run(), await fixture.run()];
  await pinned.enable({ id, scorer_version: { id: second.id } });
  await open.enable({ id });
  const projects = async (version_id: string, scorer_id = id) => {
    const { body } = await server.request('GET', `/v2/scorers/versions/${version_id}/projects?scorer_id=${scorer_id}`);
    return body.projects.map((project: { id: string }) => project.id);
  };
  expect(await projects(first.id)).toEqual([open.project_id]);
  expect(await projects(second.id)).toEqual([pinned.project_id]);
  const path = `/v2/scorers/versions/${first.id}/projects`;
  expect((await server.request('GET', path)).body.projects).toMatchObject([{ id: open.project_id }]);
  const foreign = (await fixture.create()).id;
  for (const wrong of [`${path}?scorer_id=${foreign}`, `/v2/scorers/versions/${randomUUID()}/projects?scorer_id=${id}`])
    expect(await server.request('GET', wrong)).toMatchObject({ status: 404, body: { code: 'scorer_version_not_found' } });
});
