import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';
import { scorerFixture } from './scorer-fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
const fixture = scorerFixture(() => server);
const LENGTH = 'function scorer(record) {\n  return JSON.stringify(record.output).length;\n}\n';

const start = async (source: string, fields: Record<string, string> = {}, filename = 'scorer.js'): Promise<string> => {
  const { status, body } = await fixture.send('/v2/scorers/code/validate', source, fields, filename);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.task_id;
};
const ended = async (task_id: string) => {
  const poll = async () => (await server.request('GET', `/scorers/code/validate/${task_id}`)).body;
  await expect.poll(async () => (await poll()).status).toMatch(/completed|failed/);
  return poll();
};

const PYTHON = 'def scorer(record, **context):\n    print("seen")\n    return len(str(record["output"]))\n';

it('makes a code scorer as the client of the interface does, call by call', async () => {
  const fields = { scoreable_node_types: '["llm"]', required_scorers: '["correctness"]' };
  const task = await ended(await start(PYTHON, fields, 'scorer.py'));
  expect(task).toEqual({
    id: expect.any(String),
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
    status: 'completed',
    error_code: null,
    result: {
      result: {
        result_type: 'valid',
        score_type: 'int',
        scoreable_node_types: ['llm'],
        include_llm_credentials: false,
        chain_aggregation: null,
        test_scores: [{ node_type: 'llm', score: expect.any(Number), printed: 'seen\n' }],
        validation_id: expect.any(String),
      },
    },
  });
  const scorer = { name: 'my_code', scorer_type: 'code', description: '', tags: [], scoreable_node_types: ['llm'] };
  const { id } = (await server.request('POST', '/scorers', scorer)).body;
  const validation_result = JSON.stringify(task.result);
  const { body: version } = await fixture.send(
    `/scorers/${id}/version/code?scorer_id=${id}`,
    PYTHON,
    { validation_result },
    'scorer.py',
  );
  expect(version).toMatchObject({ version: 1, registered_scorer: { name: 'my_code', score_type: 'int', data_type: 'integer' } });
  expect(version).toMatchObject({ code_language: 'python' });

  const filters = [{ name: 'name', value: 'my_code', operator: 'eq' }];
  const list = await server.request('POST', '/scorers/list?starting_token=0&limit=100', { filters });
  expect(list.body).toMatchObject({ scorers: [{ id, default_version_id: version.id }], next_starting_token: null });
  const pinned = (await server.request('GET', `/scorers/${id}/version?scorer_id=${id}&version=1`)).body;
  expect(pinned).toEqual(version);
  const { project_id: P, run_id: L } = await fixture.run();
  const entry = { id, name: 'my_code', scorer_type: 'code', scorer_version: pinned };
  const settings = await server.request('POST', `/projects/${P}/runs/${L}/scorer-settings?project_id=${P}&run_id=${L}`, {
    run_id: L,
    scorers: [entry],
  });
  expect(settings).toMatchObject({ status: 200, body: { run_id: L, scorers: [{ id, scorer_version: { id: version.id } }] } });
  const found = await server.request('POST', '/scorers/list', {
    filters: [{ name: 'scorer_type', operator: 'eq', value: 'code' }, ...filters],
  });
  expect(await server.request('DELETE', `/scorers/${found.body.scorers[0].id}`)).toMatchObject({ status: 200 });
});

describe('a trial on samples', () => {
  it('shows the program the texts that were given, and one record of each type', async () => {
    const source = 'const scorer = ({ type, input, output }) => [type, JSON.stringify(input), JSON.stringify(output)].join(" ");';
    const fields = {
      test_input: 'ping',
      test_output: 'pong',
      scoreable_node_types: '["trace","chat","retriever","tool","workflow","agent","control"]',
    };
    const { result } = await ended(await start(source, fields, 'scorer.ts'));
    expect(result.result).toMatchObject({ result_type: 'valid', score_type: 'str' });
    const scores = result.result.test_scores as { node_type: string; score: string }[];
    expect(scores.map(({ node_type }) => node_type)).toEqual([
      'trace',
      'llm',
      'retriever',
      'tool',
      'workflow',
      'agent',
      'control',
    ]);
    expect(scores[0]!.score).toBe('trace "ping" "pong"');
    expect(scores[1]!.score).toBe('llm [{"role":"user","content":"ping"}] {"role":"assistant","content":"pong"}');
  });

  it.each<[string, string, RegExp]>([
    ['does not compile', 'function scorer() {\n  return (1;\n}', /2/],
    ['throws', 'function scorer(record) {\n\n  return record.nothing.there;\n}', /3/],
    ['gives no value', 'function scorer() { return {}; }', /./],
    ['defines no scorer', 'const x = 1;', /scorer/],
    ['is Python', 'import re\n\ndef scorer(record):\n    return 1\n', /this is Python/],
  ])('that %s ends with what its author has to know', async (_what, source, message) => {
    const task = await ended(await start(source));
    expect(task).toMatchObject({ status: 'completed', result: { result: { result_type: 'invalid' } } });
    expect(task.result.result.error_message).toMatch(message);
  });

  it('is seen by whoever asked for it, and needs a file of text and types that can be tried', async () => {
    const task_id = await start(LENGTH);
    const ann = await person(server);
    expect(await ann.request('GET', `/v2/scorers/code/validate/${task_id}`)).toMatchObject({
      status: 404,
      body: { code: 'task_not_found' },
    });
    const send = async (source: string, fields?: Record<string, string>) =>
      (await fixture.send('/v2/scorers/code/validate', source, fields)).body.code;
    expect(await send('')).toBe('code_refused');
    expect(await send(LENGTH, { scoreable_node_types: '[]' })).toBe('node_types_invalid');
    expect(await send(LENGTH, { scoreable_node_types: '["session"]' })).toBeUndefined();
    expect(await send(LENGTH, { scoreable_node_types: '["planet"]' })).toBe('request_invalid');
    expect(await send(LENGTH, { scoreable_node_types: 'trace' })).toBeUndefined();
  });
});

describe('a version of code', () => {
  const add = async (source: string, fields: Record<string, string> = {}, facts: object = {}) => {
    const { id } = await fixture.create(facts);
    return { id, ...(await fixture.send(`/v2/scorers/${id}/version/code`, source, fields, 'scorer.js')) };
  };

  it('is tried on samples where nobody has, and keeps what that came to', async () => {
    const { id, status, body } = await add(LENGTH, {}, { output_type: 'count', scoreable_node_types: ['trace', 'llm'] });
    expect(status, JSON.stringify(body)).toBe(200);
    const evidence = await server.request('GET', `/v2/scorers/${id}/versions/1/validation`);
    expect(evidence).toMatchObject({ status: 200, body: { verdict: 'valid', records: 2, succeeded: 2, errors: [] } });
    expect(evidence.body.definition_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(evidence.body.inputs_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(evidence.body.outputs).toMatchObject([{ node_type: 'trace', score: expect.any(Number) }, { node_type: 'llm' }]);
  });

  it.each<[string, object, RegExp]>([
    ['function scorer(record) {\n  return record.no.such;\n}', {}, /2/],
    ['const scorer = () => "maybe";', { output_type: 'boolean' }, /"maybe" is no value of output type boolean/],
    ['while (true) {}', {}, /./],
  ])('is refused when %j comes to nothing', async (source, facts, message) => {
    const { id, status, body } = await add(source, {}, facts);
    expect(status).toBe(422);
    expect(body.detail[0]).toMatchObject({ loc: ['body', 'file'], msg: expect.stringMatching(message) });
    expect((await fixture.get(id)).latest_version).toBeNull();
  });

  it('is tried however good the result is said to be that a client brings along', async () => {
    const throws = 'function scorer() { throw new Error("no"); }';
    for (const validation_result of ['{"result":{}}', '{}', '{"result":"{\\"result_type\\":\\"valid\\"}"}']) {
      expect((await add(throws, { validation_result })).body.code).toBe('code_invalid');
      const { id, status } = await add(LENGTH, { validation_result });
      expect(status).toBe(200);
      const evidence = await server.request('GET', `/v2/scorers/${id}/versions/1/validation`);
      expect(evidence).toMatchObject({ status: 200, body: { verdict: 'valid', records: expect.any(Number) } });
    }
    const invalid = JSON.stringify({ result: { result_type: 'invalid', error_message: 'it was no good' } });
    expect(await add(LENGTH, { validation_result: invalid })).toMatchObject({
      status: 422,
      body: { detail: [{ msg: 'it was no good' }] },
    });
    expect((await add(LENGTH, { validation_result: '[1]' })).body.code).toBe('validation_result_invalid');
    expect((await add('def scorer(x):\n  return 1\n', { validation_result: '{}' })).body.code).toBe('code_refused');
  });

  it('is refused when the trial failed that a changed result calls valid', async () => {
    const throws = 'function scorer() { throw new Error("no"); }';
    const { result } = await ended(await start(throws));
    const changed = { result_type: 'valid', validation_id: result.result?.validation_id ?? result.validation_id };
    expect(changed.validation_id).toEqual(expect.any(String));
    const { status, body } = await add(throws, { validation_result: JSON.stringify(changed) });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'code_invalid' });
  });

  it('is tried anew when the trial that is named was made by somebody else', async () => {
    const { result } = await ended(await start(LENGTH));
    const other = await person(server);
    const created = await other.request('POST', '/v2/scorers', { name: 'theirs', scorer_type: 'code' });
    const raw = fixture.form(LENGTH, { validation_result: JSON.stringify(result) });
    const path = `/v2/scorers/${created.body.id}/version/code`;
    const { status, body } = await server.request('POST', path, undefined, {
      raw,
      headers: { 'service-api-key': other.api_key },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.id).not.toBe(result.result.validation_id);
  });

  it('keeps the trial that it names, if that was of the same code', async () => {
    const { result } = await ended(await start(LENGTH));
    const { validation_id } = result.result;
    const validation_result = JSON.stringify(result);
    const other = await add(`${LENGTH}// another`, { validation_result });
    const evidence = await server.request('GET', `/v2/scorers/${other.id}/versions/1/validation`);
    expect(evidence.body).toMatchObject({ verdict: 'valid' });
    expect(evidence.body.validation_id).not.toBe(validation_id);
    const { id, body } = await add(LENGTH, { validation_result });
    expect(body.id).toBe(validation_id);
    expect((await server.request('GET', `/v2/scorers/${id}/versions/1/validation`)).body).toMatchObject({
      validation_id,
      verdict: 'valid',
    });
    const again = await add(LENGTH, { validation_result });
    expect(again.status).toBe(200);
    expect(again.body.id).not.toBe(validation_id);
  });
});
