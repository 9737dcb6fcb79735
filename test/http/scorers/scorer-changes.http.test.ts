import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';
import { scorerFixture } from './scorer-fixture.ts';

let server: TestServer;
let ann: Person;
beforeAll(async () => {
  server = await startTestServer();
  ann = await person(server);
});
afterAll(() => server.close());
const fixture = scorerFixture(() => server);

describe('changing scorers', () => {
  it('changes what is given and leaves the rest', async () => {
    const { id, created_at } = await fixture.create({ name: 'before', description: 'd', tags: ['a'], output_type: 'boolean' });
    const changes = { name: 'after', tags: ['b', 'a'], description: null, roll_up_method: 'max', user_prompt: 'Polite?' };
    const { status, body } = await server.request('PATCH', `/v2/scorers/${id}`, changes);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, name: 'after', label: 'after', description: 'd', tags: ['b', 'a'], created_at });
    expect(body).toMatchObject({ roll_up_method: 'max', output_type: 'boolean', user_prompt: 'Polite?' });
    expect(body.roll_up_config).toEqual({ roll_up_methods: ['average', 'sum', 'max', 'min'] });
    expect((await server.request('GET', `/scorers/${id}`)).body).toEqual(body);
    expect((await server.request('GET', '/v2/scorers/tags')).body).toEqual(['a', 'b']);
  });

  it('refuses a name that is taken, and values that are none', async () => {
    const { id, name } = await fixture.create();
    const { name: taken } = await fixture.create();
    const patch = (body: unknown) => server.request('PATCH', `/v2/scorers/${id}`, body);
    expect(await patch({ name: taken })).toMatchObject({ status: 409, body: { code: 'scorer_exists' } });
    for (const wrong of [{ name: '' }, { tags: 'x' }, { roll_up_method: 'median' }, { default_version_id: 'x' }])
      expect((await patch(wrong)).status).toBe(422);
    expect((await patch({ name })).status).toBe(200);
  });

  it('makes a version the default, of this scorer alone', async () => {
    const [one, other] = [await fixture.create(), await fixture.create()];
    const [first, second] = [await fixture.upload(one.id, 'const scorer = () => 1;'), await fixture.upload(one.id)];
    const foreign = await fixture.upload(other.id);
    expect((await fixture.get(one.id)).default_version_id).toBe(first.id);
    const patch = (default_version_id: string) => server.request('PATCH', `/v2/scorers/${one.id}`, { default_version_id });
    expect((await patch(second.id.toUpperCase())).body).toMatchObject({ default_version: { id: second.id, version: 2 } });
    for (const wrong of [foreign.id, randomUUID()])
      expect(await patch(wrong)).toMatchObject({ status: 422, body: { code: 'default_version_unknown' } });
    expect((await fixture.get(one.id)).default_version_id).toBe(second.id);
  });
});

describe('deleting scorers', () => {
  it('takes them out of every run, and leaves what they said', async () => {
    const { id, name } = await fixture.create({ scoreable_node_types: ['trace'] });
    await fixture.upload(id);
    const run = await fixture.run();
    await run.enable({ id });
    const trace_id = await run.log('hello');
    await expect.poll(() => run.metric(trace_id, name)).toMatchObject({ status_type: 'success' });
    expect(await server.request('DELETE', `/v2/scorers/${id}`)).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining(name) },
    });
    for (const path of [id, `${id}/version`, `${id}/versions`, `${id}/projects`])
      expect(await server.request('GET', `/v2/scorers/${path}`)).toMatchObject({
        status: 404,
        body: { code: 'scorer_not_found' },
      });
    expect((await run.settings()).body.scorers).toEqual([]);
    expect(await run.metric(trace_id, name)).toMatchObject({ status_type: 'success' });
    expect(await run.metric(await run.log('later'), name)).toBeUndefined();
    await fixture.create({ name });
  });

  it('leaves presets alone', async () => {
    const { id } = await fixture.preset();
    expect(await server.request('DELETE', `/v2/scorers/${id}`)).toMatchObject({
      status: 403,
      body: { code: 'preset_undeletable' },
    });
    expect((await fixture.get(id)).id).toBe(id);
  });
});

describe('versions', () => {
  it('are listed from the newest down, and restored as the next number', async () => {
    const { id } = await fixture.create();
    const first = await fixture.upload(id, 'const scorer = () => 1;');
    await fixture.upload(id, 'const scorer = () => 2;');
    const restored = (await server.request('POST', `/v2/scorers/${id}/versions/1/restore`)).body;
    expect(restored).toMatchObject({ version: 3, registered_scorer: { id: restored.id } });
    expect((await server.request('GET', `/v2/scorers/${id}/version/code?version=3`)).body).toBe('const scorer = () => 1;');
    expect((await fixture.get(id)).default_version_id).toBe(first.id);
    const page = await server.request('GET', `/v2/scorers/${id}/versions?limit=2`);
    expect(page.body).toMatchObject({ paginated: true, next_starting_token: 2, versions: [restored, { version: 2 }] });
    const rest = await server.request('GET', `/v2/scorers/${id}/versions?limit=2&starting_token=2&scorer_id=${id}`);
    expect(rest.body).toMatchObject({ next_starting_token: null, versions: [{ version: 1 }] });
    for (const number of ['4', '0', 'x'])
      expect([404, 422]).toContain((await server.request('POST', `/v2/scorers/${id}/versions/${number}/restore`)).status);
  });

  it('of a run are the one that it uses', async () => {
    const { id } = await fixture.create();
    const [first, second] = [await fixture.upload(id), await fixture.upload(id)];
    const [pinned, open, idle] = [await fixture.run(), await fixture.run(), await fixture.run()];
    await pinned.enable({ id, scorer_version: second });
    await open.enable({ id });
    const ids = async (run_id: string, who: Pick<Person, 'request'> = server) =>
      (await who.request('GET', `/v2/scorers/${id}/versions?run_id=${run_id}`)).body.versions.map(
        (one: { id: string }) => one.id,
      );
    expect(await ids(pinned.run_id)).toEqual([second.id]);
    expect(await ids(open.run_id)).toEqual([first.id]);
    expect(await ids(idle.run_id)).toEqual([]);
    expect(await ids(pinned.run_id, ann)).toEqual([]);
  });
});

describe('the list', () => {
  it('is ordered by what is enabled in a run that the caller sees', async () => {
    const tag = randomUUID();
    const names = ['a', 'b', 'c'].map((letter) => `${letter} ${tag}`);
    const ids: string[] = [];
    for (const name of names) ids.push((await fixture.create({ name, tags: [tag] })).id);
    await fixture.upload(ids[1]!);
    const run = await fixture.run();
    await run.enable({ id: ids[1] });
    const list = async (ascending: boolean, who: Pick<Person, 'request'> = server) => {
      const sort = { name: 'enabled_in_run', sort_type: 'custom_uuid', value: run.run_id, ascending };
      const filters = [{ name: 'tags', operator: 'contains', value: tag }];
      const { body } = await who.request('POST', '/v2/scorers/list', { filters, sort });
      return body.scorers.map(({ name }: { name: string }) => name[0]).join('');
    };
    expect([await list(false), await list(true)]).toEqual(['bac', 'acb']);
    expect(await list(false, ann)).toBe('abc');
  });

  it('looks for names whatever their case, unless asked otherwise', async () => {
    const { name } = await fixture.create({ name: `Mixed ${randomUUID()}` });
    const found = async (filter: object) =>
      (await server.request('POST', '/v2/scorers/list', { filters: [{ name: 'name', operator: 'eq', ...filter }] })).body.scorers
        .length;
    expect(await found({ value: name.toLowerCase() })).toBe(1);
    expect(await found({ value: name.toLowerCase(), case_sensitive: true })).toBe(0);
  });
});
