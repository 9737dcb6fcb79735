import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { asValue } from 'awilix';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPlugins } from '../../../config/plugins.ts';
import { memoryAdapters } from '../../../config/wiring/memory.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { scorerFixture } from './scorer-fixture.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const parent = mkdtempSync(join(tmpdir(), 'touchstone-kind-'));
const folder = join(parent, 'few-words');
const adapters = memoryAdapters();
let server: TestServer;
const fixture = scorerFixture(() => server);

/** A kind whose definitions are uploaded files, and that says of some of them that they cannot judge. */
const WORD_LIST = `
import { defineScorerKind, PluginError, readJson, z } from 'touchstone/plugin-sdk';
const Answered = z.object({ output: z.string() });
export const wordList = defineScorerKind({
  id: 'word_list',
  sdk: 1,
  stability: 'experimental',
  label: 'Word list',
  summary: 'Says whether the output holds a word of an uploaded list.',
  aliases: ['words'],
  definition: z.strictObject({ words: z.array(z.string()).min(1), match: z.string(), score_type: z.string().nullish() }),
  upload: {
    fields: z.object({ match: z.enum(['any', 'all']).optional() }),
    read({ bytes }, { match = 'any' }) {
      const words = new TextDecoder().decode(bytes).split('\\n').map((line) => line.trim()).filter(Boolean);
      if (words.includes('BROKEN')) throw new TypeError('a defect of the plugin');
      if (words.length === 0) throw new PluginError('unsupported', 'the list is empty');
      return { words, match };
    },
    text: ({ words }) => words.join('\\n'),
  },
  refusal: async (_kit, { words }) => (words.includes('') ? 'an empty word' : words.length > 3 ? 'too many words' : undefined),
  create: (_kit, { words, match }) => ({
    async score({ items }) {
      return items.map(({ record }) => {
        const answered = readJson(Answered, record);
        const holds = (word) => (answered?.output ?? '').includes(word);
        return { status: 'success', value: match === 'all' ? words.every(holds) : words.some(holds) };
      });
    },
  }),
});
`;

async function start(specifiers: readonly string[]): Promise<TestServer> {
  return startTestServer({ scorerKinds: (await loadPlugins(specifiers)).scorerKinds, adapters });
}

beforeAll(async () => {
  execFileSync(process.execPath, [join(ROOT, 'plugin-kit/new-plugin.ts'), 'scorer_kind', 'few_words', folder], { cwd: parent });
  writeFileSync(join(parent, 'word-list.mjs'), WORD_LIST);
  server = await start([folder, join(parent, 'word-list.mjs')]);
});
afterAll(async () => {
  await server.close();
  rmSync(parent, { recursive: true });
});

const post = (path: string, body: unknown) => server.request('POST', `/v2${path}`, body);
const few = (facts: object = {}) =>
  fixture.create({ scorer_type: 'few_words', scoreable_node_types: ['trace'], output_type: 'boolean', ...facts });

describe('a scorer of a kind from outside the repository', () => {
  it('is created, gets versions, and is read back with its definition', async () => {
    const { id, scorer_type, model_type } = await few();
    expect({ scorer_type, model_type }).toEqual({ scorer_type: 'few_words', model_type: null });
    const first = await post(`/scorers/${id}/version/few_words`, { max_words: 3, more: 1, scoreable_node_types: null });
    expect(first).toMatchObject({ status: 200, body: { version: 1, definition: { max_words: 3 }, output_type: 'boolean' } });
    const views = { generated_scorer: null, registered_scorer: null, finetuned_scorer: null, chain_poll_template: null };
    expect(first.body).toMatchObject(views);
    expect((await post(`/scorers/${id}/version/few_words`, { max_words: 5 })).body.version).toBe(2);
    expect((await server.request('GET', `/v2/scorers/${id}/version?version=1`)).body.definition).toEqual({ max_words: 3 });
    const { body } = await server.request('GET', `/v2/scorers/${id}/versions`);
    expect(body.versions.map((one: { definition: unknown }) => one.definition)).toEqual([{ max_words: 5 }, { max_words: 3 }]);
    expect((await post(`/scorers/${id}/versions/1/restore`, {})).body).toMatchObject({
      version: 3,
      definition: { max_words: 3 },
    });
    const scorer = await fixture.get(id);
    expect(scorer.latest_version.definition).toEqual({ max_words: 3 });
    expect(scorer.included_fields).toEqual(expect.arrayContaining(['filters', 'output_type', 'scoreable_node_types']));
    expect(scorer.included_fields).not.toContain('model_name');
  });

  it.each<[unknown, object]>([
    [{}, { loc: ['body', 'max_words'], type: 'definition_invalid' }],
    [{ max_words: 0 }, { loc: ['body', 'max_words'] }],
    [{ max_words: 'three' }, { loc: ['body', 'max_words'] }],
    [{ max_words: 3, scoreable_node_types: ['planet'] }, { loc: ['body', 'scoreable_node_types', 0] }],
    ['text', { loc: ['body'] }],
  ])('refuses %j as a definition, where it is wrong', async (sent, issue) => {
    const { id } = await few();
    const reply = await post(`/scorers/${id}/version/few_words`, sent);
    expect(reply).toMatchObject({ status: 422, body: { detail: [issue] } });
    expect((await fixture.get(id)).latest_version).toBeNull();
  });

  it('takes versions of its own kind alone', async () => {
    const [own, code] = [await few(), await fixture.create()];
    const mismatch = { status: 422, body: { code: 'scorer_type_mismatch' } };
    expect(await post(`/scorers/${own.id}/version/llm`, { user_prompt: 'x' })).toMatchObject(mismatch);
    expect(await post(`/scorers/${code.id}/version/few_words`, { max_words: 1 })).toMatchObject(mismatch);
    expect(await post(`/scorers/${own.id}/version/preset`, {})).toMatchObject(mismatch);
    expect((await post('/scorers', { name: randomUUID(), scorer_type: 'no_such_kind' })).status).toBe(422);
  });

  it('is listed by its type', async () => {
    const { id } = await few();
    const of = async (filter: object): Promise<string[]> => {
      const { body } = await post('/scorers/list', { filters: [{ name: 'scorer_type', ...filter }] });
      return body.scorers.map((one: { id: string }) => one.id);
    };
    expect(await of({ operator: 'eq', value: 'few_words' })).toContain(id);
    expect(await of({ operator: 'ne', value: 'few_words' })).not.toContain(id);
    expect(await of({ operator: 'one_of', value: ['llm', 'few_words'] })).toContain(id);
  });

  it('is enabled, scores, is measured again, exported and deleted', async () => {
    const { id, name } = await few();
    await post(`/scorers/${id}/version/few_words`, { max_words: 3 });
    const run = await fixture.run();
    await run.enable({ id, num_judges: 3, model_name: 'of no use here' });
    const entry = (await run.settings()).body.scorers[0];
    expect(entry).toMatchObject({ id, scorer_type: 'few_words', model_type: null });
    const short = await run.log('How?', { output: 'short enough' });
    const long = await run.log('How?', { output: 'not really short enough' });
    await eventually(async () => {
      expect(await run.metric(short, name)).toMatchObject({ status_type: 'success', value: true });
      expect(await run.metric(long, name)).toMatchObject({ status_type: 'success', value: false });
    });
    const { body: second } = await post(`/scorers/${id}/version/few_words`, { max_words: 9 });
    expect((await server.request('PATCH', `/v2/scorers/${id}`, { default_version_id: second.id })).status).toBe(200);
    const again = await post(`/projects/${run.project_id}/recompute-metrics`, { log_stream_id: run.run_id, scorer_ids: [id] });
    expect(again.status, JSON.stringify(again.body)).toBe(200);
    await eventually(async () => expect(await run.metric(long, name)).toMatchObject({ status_type: 'success', value: true }));
    const exported = await post(`/projects/${run.project_id}/export_records`, {
      log_stream_id: run.run_id,
      root_type: 'trace',
      export_format: 'csv',
      filters: [],
    });
    expect(exported.status, JSON.stringify(exported.body)).toBe(200);
    expect(exported.body).toContain(name);
    expect((await server.request('DELETE', `/v2/scorers/${id}`)).status).toBe(200);
    expect((await run.settings()).body.scorers).toEqual([]);
  });

  it('is watched by an alert, which fires by its scores', async () => {
    let now = Date.parse('2026-03-01T12:02:00.000Z');
    const { scorerKinds } = await loadPlugins([folder]);
    const watching = await startTestServer({ scorerKinds, overrides: { clock: asValue(() => new Date(now)) } });
    const call = async (method: string, path: string, body?: unknown) => {
      const reply = await watching.request(method, `/v2${path}`, body);
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body;
    };
    try {
      const facts = { name: 'brief', scorer_type: 'few_words', scoreable_node_types: ['trace'], output_type: 'boolean' };
      const { id } = await call('POST', '/scorers', facts);
      await call('POST', `/scorers/${id}/version/few_words`, { max_words: 3 });
      const project = (await call('POST', '/projects', { name: 'Atlas' })).id;
      const stream = (await call('POST', `/projects/${project}/log_streams`, { name: 'default' })).id;
      await call('PATCH', `/projects/${project}/log_streams/${stream}/metric_settings`, { scorers: [{ id }] });
      const trends = `/projects/${project}/log_streams/${stream}/trends`;
      const { sections } = await call('GET', trends);
      const widget = sections
        .flatMap((one: { widgets: object[] }) => one.widgets)
        .find(({ metric }: { metric: string }) => metric === 'brief');
      const watched = { name: 'too long', widget_id: widget.id, operator: 'below', threshold: 90 };
      const { alert } = await call('POST', `${trends}/alerts`, watched);
      const trace = {
        id: randomUUID(),
        input: 'How?',
        output: 'not really short enough',
        created_at: new Date(now).toISOString(),
      };
      await call('POST', `/projects/${project}/traces`, { log_stream_id: stream, traces: [trace] });
      await eventually(async () => {
        const { metric_info } = await call('GET', `/projects/${project}/traces/${trace.id}`);
        expect(metric_info.brief).toMatchObject({ status_type: 'success', value: false });
      });
      now += 3_600_000;
      while (await watching.cradle.alertEvaluator.run());
      expect(await call('GET', `${trends}/alerts/${alert.id}`)).toMatchObject({ state: 'firing', last_value: 0 });
    } finally {
      await watching.close();
    }
  });

  it('is tried on samples, on records and on rows', async () => {
    const definition = { max_words: 3 };
    const facts = { scoreable_node_types: ['trace'], output_type: 'boolean' };
    const started = await post('/scorers/few_words/validate', { definition, ...facts, test_output: 'short enough' });
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    await eventually(async () => {
      const { body } = await server.request('GET', `/v2/scorers/few_words/validate/${started.body.task_id}`);
      expect(body).toMatchObject({ status: 'completed', result: { result: { result_type: 'valid', score_type: 'bool' } } });
    });
    const run = await fixture.run();
    await run.log('How?', { output: 'short enough' });
    const onRecords = await post('/scorers/few_words/validate/log_record', { definition, ...facts, log_stream_id: run.run_id });
    expect(onRecords.status, JSON.stringify(onRecords.body)).toBe(200);
    const { metrics_experiment_id, project_id } = onRecords.body;
    await eventually(async () => {
      const path = `/v2/projects/${project_id}/traces/search`;
      const { body } = await server.request('POST', path, { metrics_testing_id: metrics_experiment_id });
      expect(body.records.map((one: { metric_info: object }) => Object.values(one.metric_info)[0])).toMatchObject([
        { status_type: 'success', value: true },
      ]);
    });
    const refused = await post('/scorers/few_words/validate', { definition: { max_words: 0 } });
    expect(refused).toMatchObject({ status: 422, body: { code: 'definition_invalid' } });
    expect((await post('/scorers/few_words/validate/dataset', { definition, dataset_id: randomUUID() })).status).toBe(404);
  });

  it('is among the kinds, with the schema that a form is made of', async () => {
    const { scorer_kinds } = (await server.request('GET', '/v2/scorer_kinds')).body;
    expect(scorer_kinds.map((one: { id: string }) => one.id)).toEqual([
      'few_words',
      'finetuned',
      'generated',
      'registered',
      'word_list',
    ]);
    expect(scorer_kinds[0]).toMatchObject({
      label: 'Few words',
      scorer_type: 'few_words',
      scorer_types: ['few_words'],
      paths: ['few_words'],
      model_type: null,
      is_file: false,
      definition_schema: { type: 'object', properties: { max_words: { type: 'integer', minimum: 1 } }, required: ['max_words'] },
    });
    expect(scorer_kinds.at(-1)).toMatchObject({
      is_file: true,
      form_schema: { properties: { match: { enum: ['any', 'all'] } } },
    });
    expect(scorer_kinds[2]).toMatchObject({ scorer_type: 'llm', paths: ['generated', 'llm'], trials: ['samples', 'records'] });
  });

  it('is described in the document, made from its schema', async () => {
    const { paths, components } = (await server.request('GET', '/v2/openapi.json')).body;
    const operation = paths['/v2/scorers/{scorer_id}/version/few_words'].post;
    expect(operation).toMatchObject({ operationId: 'createFewWordsVersion', summary: expect.stringContaining('"Few words"') });
    expect(components.schemas.NewFewWordsVersion.properties.max_words).toMatchObject({ type: 'integer', minimum: 1 });
    expect(components.schemas.NewScorer.properties.scorer_type.enum).toEqual(
      expect.arrayContaining(['llm', 'code', 'finetuned', 'few_words', 'word_list', 'words']),
    );
  });
});

describe('a kind from outside whose definitions are files', () => {
  const list = (facts: object = {}) =>
    fixture.create({ scorer_type: 'word_list', scoreable_node_types: ['trace'], output_type: 'boolean', ...facts });

  it('is stored under its first alias, and found by every word for it', async () => {
    const { id, scorer_type } = await list();
    expect(scorer_type).toBe('words');
    for (const value of ['words', 'word_list']) {
      const { body } = await post('/scorers/list', { filters: [{ name: 'scorer_type', operator: 'eq', value }] });
      expect(body.scorers.map((one: { id: string }) => one.id)).toContain(id);
    }
  });

  it('takes a file with fields beside it, tries it, and gives it back', async () => {
    const { id } = await list();
    const { status, body } = await fixture.send(
      `/v2/scorers/${id}/version/word_list`,
      'red\nblue',
      { match: 'all' },
      'words.txt',
    );
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ version: 1, definition: { words: ['red', 'blue'], match: 'all', score_type: 'bool' } });
    expect((await server.request('GET', `/v2/scorers/${id}/version/word_list`)).body).toBe('red\nblue');
    expect((await server.request('GET', `/v2/scorers/${id}/versions/1/validation`)).body).toMatchObject({ verdict: 'valid' });
  });

  it.each([
    ['an empty file', '\n', {}, { code: 'code_refused', detail: [{ msg: 'the list is empty', loc: ['body', 'file'] }] }],
    ['what its plugin refuses', 'a\nb\nc\nd', {}, { code: 'code_refused', detail: [{ msg: 'too many words' }] }],
    ['a field of another value', 'a', { match: 'none' }, { code: 'request_invalid', detail: [{ loc: ['body', 'match'] }] }],
    ['what its plugin stumbles over', 'BROKEN', {}, { code: 'code_refused' }],
  ])('refuses %s', async (_, source, fields, wanted) => {
    const { id } = await list();
    const reply = await fixture.send(`/v2/scorers/${id}/version/word_list`, source, fields as Record<string, string>);
    expect(reply).toMatchObject({ status: 422, body: wanted });
  });

  it('is tried before there is a version', async () => {
    const { body } = await fixture.send('/v2/scorers/word_list/validate', 'red', {
      test_output: 'a red box',
      scoreable_node_types: 'trace',
    });
    await eventually(async () => {
      const reply = await server.request('GET', `/v2/scorers/word_list/validate/${body.task_id}`);
      expect(reply.body).toMatchObject({ status: 'completed', result: { result: { result_type: 'valid' } } });
    });
  });
});

/** Comes last: the second service ends the queues that it shares with the first. */
it('a scorer of a kind that is no longer installed stays readable, and can be deleted', async () => {
  const { id, name } = await few();
  await post(`/scorers/${id}/version/few_words`, { max_words: 3 });
  const run = await fixture.run();
  await run.enable({ id });
  const bare = await startTestServer({ adapters });
  try {
    const { status, body } = await bare.request('GET', `/v2/scorers/${id}`);
    expect({ status, type: body.scorer_type, definition: body.latest_version.definition }).toEqual({
      status: 200,
      type: 'few_words',
      definition: { max_words: 3 },
    });
    expect((await bare.request('GET', `/v2/scorers/${id}/versions`)).body.versions).toHaveLength(1);
    expect((await bare.request('POST', `/v2/scorers/${id}/version/few_words`, { max_words: 1 })).status).toBe(404);
    expect((await bare.request('POST', `/v2/scorers/${id}/version/llm`, { user_prompt: 'x' })).status).toBe(422);
    expect((await bare.request('POST', '/v2/scorers/list', {})).body.scorers.map((one: { name: string }) => one.name)).toContain(
      name,
    );
    expect((await bare.request('DELETE', `/v2/scorers/${id}`)).status).toBe(200);
  } finally {
    await bare.close();
  }
});
