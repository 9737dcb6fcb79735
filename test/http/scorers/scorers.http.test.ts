import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const get = (path: string) => server.request('GET', path);
const post = (path: string, body?: unknown) => server.request('POST', path, body);
const create = async (facts: object = {}): Promise<string> => {
  const { status, body } = await post('/v2/scorers', { name: `scorer ${randomUUID()}`, scorer_type: 'code', ...facts });
  expect(status).toBe(200);
  return body.id;
};
function upload(id: string, source: string | Uint8Array<ArrayBuffer>, filename = 'scorer.js') {
  const form = new FormData();
  form.append('file', new Blob([source]), filename);
  form.append('validation_result', '{"result":{}}');
  return server.request('POST', `/v2/scorers/${id}/version/code?scorer_id=${id}`, undefined, { raw: form });
}
const SOURCE = 'function scorer(record) { return record.input.length; } // \u{1f99c}\n';

describe('creating scorers', () => {
  it('returns the new scorer with every field', async () => {
    const body = {
      name: 'length',
      scorer_type: 'code',
      description: '',
      tags: ['a'],
      scoreable_node_types: ['llm'],
      default_version_id: null,
    };
    expect(await post('/v2/scorers', body)).toMatchObject({ status: 200 });
    const [scorer] = (await post('/v2/scorers/list', {})).body.scorers;
    expect(scorer).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'length',
      label: 'length',
      scorer_type: 'code',
      model_type: 'code',
      description: '',
      tags: ['a'],
      defaults: null,
      latest_version: null,
      default_version_id: null,
      default_version: null,
      ground_truth: null,
      user_prompt: null,
      scoreable_node_types: ['llm'],
      output_type: null,
      input_type: null,
      required_scorers: null,
      created_by: expect.any(String),
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      included_fields: expect.arrayContaining(['scoreable_node_types', 'filters']),
      multimodal_capabilities: null,
      deprecated: false,
      roll_up_config: { roll_up_methods: expect.arrayContaining(['average', 'category_count']) },
      roll_up_method: null,
    });
    expect((await get(`/scorers/${scorer.id.toUpperCase()}`)).body).toEqual(scorer);
  });

  it('refuses a name that is taken within the type', async () => {
    await create({ name: 'same' });
    expect(await post('/v2/scorers', { name: 'same', scorer_type: 'code' })).toMatchObject({
      status: 409,
      body: { detail: expect.any(String), code: 'scorer_exists' },
    });
    await create({ name: 'same', scorer_type: 'llm' });
  });

  it.each([
    {},
    { name: 'x' },
    { name: 'x', scorer_type: 'preset' },
    { name: 'x', scorer_type: 'magic' },
    { name: '', scorer_type: 'code' },
    { name: 'a\0', scorer_type: 'code' },
    { name: 'x', scorer_type: 'code', tags: ['\ud83e'] },
    { name: 'x', scorer_type: 'code', tags: Array.from({ length: 51 }, () => 't') },
    { name: 'x', scorer_type: 'code', scoreable_node_types: ['planet'] },
    { name: 'x', scorer_type: 'code', output_type: 'poem' },
    { name: 'x', scorer_type: 'llm', defaults: { num_judges: 0 } },
    { name: 'x', scorer_type: 'llm', defaults: [] },
    [],
    null,
    'code',
  ])('refuses %j and creates nothing', async (body) => {
    const reply = await post('/v2/scorers', body);
    expect(reply).toMatchObject({ status: 422, body: { code: 'request_invalid', request_id: expect.any(String) } });
    expect(reply.body.detail[0]).toMatchObject({
      loc: expect.arrayContaining(['body']),
      msg: expect.any(String),
      type: expect.any(String),
    });
    expect((await post('/v2/scorers/list')).body.scorers).toEqual([]);
  });
});

describe('listing scorers', () => {
  const list = async (body?: unknown, query = '') =>
    (await post(`/v2/scorers/list${query}`, body)).body.scorers.map(({ name }: { name: string }) => name);

  it('finds them as clients look for them', async () => {
    for (const name of ['beta', 'alpha', 'gamma']) await create({ name, tags: name === 'beta' ? ['x', 'y'] : [] });
    await create({ name: 'alpha', scorer_type: 'llm' });
    expect(await list()).toEqual(['alpha', 'alpha', 'beta', 'gamma']);
    expect(await list({ filters: [{ name: 'name', value: ['beta', 'gamma', 'none'], operator: 'one_of' }] })).toEqual([
      'beta',
      'gamma',
    ]);
    const both = [
      { name: 'scorer_type', value: 'code', operator: 'eq' },
      { name: 'name', value: 'alpha', operator: 'eq' },
    ];
    expect(await list({ filters: both, sort: null })).toEqual(['alpha']);
    expect(await list({ filters: [{ name: 'tags', value: 'x', operator: 'contains' }] })).toEqual(['beta']);
    expect(await list({ sort: { name: 'name', ascending: false, sort_type: 'column' } })).toEqual([
      'gamma',
      'beta',
      'alpha',
      'alpha',
    ]);
    const page = await post('/v2/scorers/list?starting_token=0&limit=3', {});
    expect(page.body).toMatchObject({ paginated: true, next_starting_token: 3 });
    expect(await list({}, '?starting_token=3&limit=3')).toEqual(['gamma']);
  });

  it.each([
    { filters: [{ name: 'secret', operator: 'eq', value: 'x' }] },
    { sort: { name: 'enabled_in_run' } },
    { filters: 'x' },
  ])('refuses %j', async (body) => {
    expect((await post('/v2/scorers/list', body)).status).toBe(422);
  });
});

describe('code versions', () => {
  it('are numbered, read back, and the first is the default', async () => {
    const id = await create({ name: 'length', output_type: 'count', scoreable_node_types: ['trace'] });
    const first = await upload(id, SOURCE);
    expect(first).toMatchObject({
      status: 200,
      body: {
        version: 1,
        scorer_id: id,
        generated_scorer: null,
        finetuned_scorer: null,
        registered_scorer: { name: 'length', created_at: expect.any(String) },
        output_type: 'count',
        scoreable_node_types: ['trace'],
      },
    });
    const second = await upload(
      id,
      'export default (record: { input: string }): number => record.input.length as number;',
      'scorer.ts',
    );
    expect(second.body).toMatchObject({ version: 2 });
    const path = `/v2/scorers/${id}`;
    expect((await get(`${path}/version`)).body).toEqual(second.body);
    expect((await get(`${path}/version?scorer_id=${id}&version=1`)).body).toEqual(first.body);
    expect((await get(`${path}/version/code?version=1`)).body).toBe(SOURCE);
    expect((await get(`${path}/version/code`)).body).toContain('export default');
    expect((await get(path)).body).toMatchObject({
      default_version_id: first.body.id,
      default_version: { id: first.body.id, version: 1 },
      latest_version: { id: second.body.id, version: 2 },
    });
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['code that does not compile', 'function scorer( {', 'scorer.js'],
    ['code without a scorer', 'const x = 1;', 'scorer.js'],
    ['nothing', '', 'scorer.js'],
    ['blanks', ' \n ', 'scorer.js'],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x00]), 'scorer.js'],
    ['a NUL', 'function scorer() { return "\0" }', 'scorer.js'],
    ['Python in a file of another language', 'def scorer(record):\n  return 1\n', 'scorer.js'],
    ['Python that does not compile', 'def scorer(record:\n  return 1\n', 'scorer.py'],
  ])('of %s are refused with the reason', async (_what, source, filename) => {
    const id = await create();
    const reply = await upload(id, source, filename);
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'code_refused', detail: [{ loc: ['body', 'file'], msg: expect.stringMatching(/\w/) }] },
    });
    expect(await get(`/v2/scorers/${id}/version`)).toMatchObject({ status: 404, body: { code: 'scorer_version_not_found' } });
  });

  it('need a file, of a size, in a form, for a code scorer that exists', async () => {
    const id = await create();
    const path = `/v2/scorers/${id}/version/code`;
    const form = new FormData();
    form.append('validation_result', '{}');
    expect(await server.request('POST', path, undefined, { raw: form })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'file'], type: 'missing' }] },
    });
    expect((await post(path, { file: SOURCE })).status).toBe(415);
    expect(await upload(id, 'x'.repeat(1024 * 1024 + 1))).toMatchObject({ status: 413, body: { code: 'file_too_large' } });
    expect(await upload(randomUUID(), SOURCE)).toMatchObject({ status: 404, body: { code: 'scorer_not_found' } });
    const judge = await create({ scorer_type: 'llm' });
    expect(await upload(judge, SOURCE)).toMatchObject({ status: 422, body: { code: 'scorer_type_mismatch' } });
    const twice = new FormData();
    for (const name of ['a.js', 'b.js']) twice.append('file', new Blob([SOURCE]), name);
    expect((await server.request('POST', path, undefined, { raw: twice })).status).toBe(422);
    expect((await get(`/v2/scorers/${id}/version`)).status).toBe(404);
  });

  it.each(['0', '-1', '1.5', 'x', '1e20', '2147483648', '1&version=2'])('have no number %s', async (version) => {
    const id = await create();
    for (const path of ['version', 'version/code'])
      expect((await get(`/v2/scorers/${id}/${path}?version=${version}`)).status).toBe(422);
  });

  it('are 404 for an unknown scorer and an unknown number', async () => {
    const id = await create();
    await upload(id, SOURCE);
    for (const path of [`${id}/version?version=2`, `${id}/version/code?version=2`, randomUUID(), `${randomUUID()}/version`]) {
      expect(await get(`/v2/scorers/${path}`)).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
    }
  });
});
