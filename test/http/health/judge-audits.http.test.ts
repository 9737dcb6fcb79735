import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PluginError } from '../../../core/plugin-sdk/index.ts';
import { type Planted, plantedJudge } from '../../fixtures/health/planted-judges.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';
import { parrotProvider, scorerFixture } from '../scorers/scorer-fixture.ts';

type Judge = (text: string) => string;

let asked: number;
let answer: Judge;
const parrot = parrotProvider(
  ({ text }) => {
    asked += 1;
    return answer(text);
  },
  ['judge-1', 'judge-2'],
);
const rows = [{ model: 'judge-1', from: '2020-01-01', input: 4, output: 12 }];
const priced: typeof parrot = { ...parrot, prices: { page: 'https://example.org/prices', rows } };

let server: TestServer;
let ada: Person;
beforeEach(async () => {
  asked = 0;
  answer = planted('nothing');
  server = await startTestServer({ modelProviders: [priced] });
  ada = await person(server);
  await ada.request('PUT', '/v2/integrations/parrot', { token: 'of-ada' });
});
afterEach(() => server.close());

/** A planted judge of yes and no that reads the answer out of the question. */
function planted(bias: Planted): Judge {
  const read = (text: string) => (/\btrue\b/.test(text) ? true : /\bfalse\b/.test(text) ? false : undefined);
  const judge = plantedJudge(bias, { good: true, bad: false, read });
  return (text) => {
    const [, shown = ''] = /<<output [0-9a-f]+>>\n([\s\S]*)\n<<end/.exec(text) ?? [];
    return JSON.stringify({ rating: judge({ texts: { answer: shown } }) });
  };
}

async function scorer(definition: object = {}, facts: object = {}): Promise<string> {
  const made = { name: `right ${randomUUID()}`, scorer_type: 'llm', scoreable_node_types: ['trace'], ...facts };
  const { id } = (await ada.request('POST', '/v2/scorers', made)).body;
  const version = { model_name: 'judge-1', num_judges: 1, user_prompt: 'Right? {{output}}', ...definition };
  const reply = await ada.request('POST', `/v2/scorers/${id}/version/llm`, version);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return id;
}
const start = (id: string, body: object = {}, by: Pick<Person, 'request'> = ada) =>
  by.request('POST', `/v2/scorers/${id}/audits`, body);
const begin = async (id: string, body: object = {}) => {
  const reply = await start(id, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.audit.id as string;
};
const get = async (id: string, audit: string) => (await ada.request('GET', `/v2/scorers/${id}/audits/${audit}`)).body;
const ended = (id: string, audit: string) =>
  eventually(async () => {
    const body = await get(id, audit);
    expect(body.status).not.toBe('running');
    return body;
  });
const audited = async (id: string, body: object = {}) => ended(id, await begin(id, body));

describe('an audit of a judge', () => {
  it.each<[Planted, string[]]>([
    ['nothing', []],
    ['position', ['position']],
    ['verbosity', ['verbosity']],
    ['self_preference', ['self_preference']],
    ['formatting', ['formatting']],
    ['language', ['language']],
    ['injection', ['injection']],
    ['repeatability', ['repeatability']],
  ])('of a judge with %s planted finds %j', async (bias, found) => {
    answer = planted(bias);
    const audit = await audited(await scorer());
    expect(audit).toMatchObject({ status: 'completed', message: null, report: { found, unanswered: 0 } });
    expect(audit.report.questions).toBe(asked);
    expect(audit.plan).toMatchObject({ questions: asked, calls: asked });
  });

  it('says before it starts what it would ask and cost, and asks nothing', async () => {
    const id = await scorer({ num_judges: 3 });
    const { status, body } = await start(id, { dry_run: true, probes: ['verbosity'] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      audit: null,
      plan: { probes: ['verbosity'], output_type: 'boolean', place: 'answer', questions: 48, calls: 144, unknown_because: null },
    });
    expect(body.plan.models).toMatchObject([{ model: 'judge-1', provider: 'parrot', calls: 144 }]);
    expect(body.plan.estimated_cost).toBeGreaterThan(0);
    expect(asked).toBe(0);
    expect((await ada.request('GET', `/v2/scorers/${id}/audits`)).body).toEqual({ audits: [] });
  });

  it('is counted to whoever started it, as an audit', async () => {
    const audit = await audited(await scorer(), { probes: ['formatting'] });
    expect(audit.report).toMatchObject({ questions: 48, input_tokens: 480, cost: 24 });
    const spending = (await ada.request('GET', '/v2/model-spending')).body;
    expect(spending.spending).toMatchObject([{ purpose: 'judge_audit', calls: 48 }]);
  });

  it('ends by its limit of money, and is not started where that is too low', async () => {
    const id = await scorer();
    const tooLow = await start(id, { probes: ['formatting'], max_cost: 0.000_001 });
    expect(tooLow).toMatchObject({ status: 422, body: { code: 'judge_audit_too_expensive' } });
    const audit = await audited(id, { probes: ['formatting'], max_cost: 5 });
    expect(audit).toMatchObject({ status: 'failed', message: 'the limit of 5 US dollars was reached', report: null });
    expect(asked).toBeLessThan(48);
  });

  it('ends with the reason when the provider fails', async () => {
    answer = () => {
      throw new PluginError('unsupported', 'parrot: answered 400');
    };
    const audit = await audited(await scorer());
    expect(audit).toMatchObject({ status: 'failed', report: null });
    expect(audit.message).toBe('8 of 8 questions got no verdict: parrot: answered 400');
    const job = (await ada.request('GET', `/v2/jobs/${audit.id}`)).body;
    expect(job).toMatchObject({ job_name: 'judge_audit', status: 'failed', error_message: audit.message });
  });

  it('ends with the reason when nobody offers the model', async () => {
    const audit = await audited(await scorer({ model_name: 'unheard-of' }));
    expect(audit).toMatchObject({ status: 'failed', message: 'no integration offers the model "unheard-of"' });
    expect(audit.plan).toMatchObject({ estimated_cost: null, models: [{ model: null }] });
  });

  it('can be cancelled, and started again after that', async () => {
    const id = await scorer();
    const { judgeAuditStore } = server.cradle;
    answer = () => {
      throw new PluginError('unavailable', 'parrot: is slow');
    };
    const audit = await begin(id);
    expect(await start(id)).toMatchObject({ status: 409, body: { code: 'judge_audit_under_way' } });
    const cancelled = await ada.request('POST', `/v2/scorers/${id}/audits/${audit}/cancel`);
    expect(cancelled.body).toMatchObject({ status: 'cancelled', message: 'cancelled', report: null });
    answer = planted('nothing');
    const again = await audited(id, { probes: ['formatting'] });
    expect(again.status).toBe('completed');
    expect((await judgeAuditStore.list(id)).map(({ status }) => status)).toEqual(['completed', 'cancelled']);
    expect((await ada.request('POST', `/v2/scorers/${id}/audits/${again.id}/cancel`)).body.status).toBe('completed');
  });

  it("that was given up by its job is shown as failed, and stands in nobody's way", async () => {
    const id = await scorer();
    answer = () => {
      throw new PluginError('unavailable', 'parrot: is slow');
    };
    const audit = await begin(id);
    await server.cradle.jobStore.end(audit, { status: 'failed', error_message: 'given up' }, new Date().toISOString());
    answer = planted('nothing');
    expect((await audited(id, { probes: ['formatting'] })).status).toBe('completed');
    expect(await get(id, audit)).toMatchObject({ status: 'failed' });
  });

  it('is kept by version, listed newest first, and goes with the scorer', async () => {
    const id = await scorer();
    const first = await audited(id, { probes: ['formatting'] });
    await ada.request('POST', `/v2/scorers/${id}/version/llm`, {
      model_name: 'judge-1',
      num_judges: 1,
      user_prompt: 'OK? {{output}}',
    });
    const second = await audited(id, { probes: ['verbosity'] });
    const of = async (query = '') =>
      (await ada.request('GET', `/v2/scorers/${id}/audits${query}`)).body.audits.map((one: { id: string }) => one.id);
    expect(await of()).toEqual([second.id, first.id]);
    expect(await of('?version=1')).toEqual([first.id]);
    expect(second.scorer_version_number).toBe(2);
    await ada.request('DELETE', `/v2/scorers/${id}`);
    expect(await server.cradle.judgeAuditStore.list(id)).toEqual([]);
    expect((await ada.request('GET', `/v2/scorers/${id}/audits/${first.id}`)).status).toBe(404);
  });

  it('is started by those who may change the scorer, and read by everyone', async () => {
    const id = await scorer();
    const eve = await person(server);
    const audit = await audited(id, { probes: ['formatting'] });
    expect((await start(id, {}, eve)).status).toBe(403);
    expect((await eve.request('GET', `/v2/scorers/${id}/audits/${audit.id}`)).body.status).toBe('completed');
    expect((await eve.request('POST', `/v2/scorers/${id}/audits/${audit.id}/cancel`)).status).toBe(403);
  });
});

describe('an audit with the rows of a dataset', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, row) => ({ input: `question ${row}`, output: `secret answer ${row} of them` }));
  const dataset = async (count: number): Promise<string> => {
    const form = new FormData();
    form.append(
      'file',
      new Blob([
        rows(count)
          .map((row) => JSON.stringify(row))
          .join('\n'),
      ]),
      'rows.jsonl',
    );
    form.append('name', randomUUID());
    const { status, body } = await server.request('POST', '/v2/datasets?format=jsonl', undefined, { raw: form });
    expect(status, JSON.stringify(body)).toBe(200);
    await server.request('POST', `/v2/datasets/${body.id}/users`, [{ user_id: ada.id, role: 'viewer' }]);
    return body.id;
  };

  it('asks about these, and repeats nothing of them in its report', async () => {
    answer = (text) => JSON.stringify({ rating: /secret answer (\d+)/.test(text) && text.includes('**') });
    const dataset_id = await dataset(60);
    const audit = await audited(await scorer(), { dataset_id, probes: ['formatting', 'verbosity', 'language'] });
    const plan = { dataset: { id: dataset_id, version_index: 1 }, texts: 48, questions: 144 };
    expect(audit).toMatchObject({ status: 'completed', plan, report: { found: ['formatting'] } });
    const verdicts = audit.report.probes.map(({ verdict, pairs }: { verdict: string; pairs: number }) => [verdict, pairs]);
    expect(verdicts).toEqual([
      ['not_shown', 48],
      ['biased', 48],
      ['not_enough_data', 0],
    ]);
    expect(audit.report.probes.flatMap(({ changed }: { changed: unknown[] }) => changed)).toEqual([]);
    expect(JSON.stringify(audit)).not.toContain('secret');
  });

  it('needs enough of them, and the sight of the dataset', async () => {
    const id = await scorer();
    expect(await start(id, { dataset_id: await dataset(8) })).toMatchObject({
      status: 422,
      body: { code: 'judge_audit_rows_too_few' },
    });
    expect((await start(id, { dataset_id: randomUUID() })).status).toBe(404);
    const eve = await person(server);
    await eve.request('PUT', '/v2/integrations/parrot', { token: 'of-eve' });
    const own = (await eve.request('POST', '/v2/scorers', { name: randomUUID(), scorer_type: 'llm' })).body.id;
    await eve.request('POST', `/v2/scorers/${own}/version/llm`, { model_name: 'judge-1', user_prompt: 'Right? {{output}}' });
    expect((await start(own, { dataset_id: await dataset(9), dry_run: true }, eve)).status).toBe(404);
  });
});

describe('what can be audited', () => {
  const refused = async (id: string, message: RegExp) => {
    const { status, body } = await start(id, { dry_run: true });
    expect([status, body.code]).toEqual([422, 'judge_audit_unsupported']);
    expect(JSON.stringify(body)).toMatch(message);
  };

  it('is a judge whose verdicts can be compared', async () => {
    await refused(await scorer({ output_type: 'freeform' }), /texts, which cannot be compared/);
    const { create, upload } = scorerFixture(() => server);
    const { id } = await create();
    await upload(id);
    const { status, body } = await start(id, { dry_run: true }, server);
    expect([status, body.code]).toEqual([422, 'judge_audit_unsupported']);
    expect(JSON.stringify(body)).toMatch(/ask no judge/);
  });

  it('is a judge that is shown what the audit changes', async () => {
    await refused(await scorer({ user_prompt: 'Right? {{metadata.ticket}}' }), /nothing for \{\{metadata.ticket\}\}/);
  });

  it.each([
    ['percentage', { output_type: 'percentage' }, 0.4],
    ['count', { output_type: 'count' }, 4],
    ['discrete', { output_type: 'discrete' }, 4],
    ['categorical', { output_type: 'categorical', labels: ['good', 'bad'] }, 'bad'],
    ['multilabel', { output_type: 'multilabel', labels: ['good', 'bad'] }, ['bad']],
    ['boolean_multilabel', { output_type: 'boolean_multilabel', labels: ['good', 'bad'] }, { good: true, bad: false }],
  ])('are verdicts of type %s', async (_type, definition, rating) => {
    answer = () => JSON.stringify({ rating });
    expect(await audited(await scorer(definition))).toMatchObject({ status: 'completed', report: { found: [], unanswered: 0 } });
  });

  it.each([
    [
      'chunks of a retriever',
      ['retriever'],
      { input_type: 'retriever_spans', output_type: 'retrieved_chunk_list_boolean' },
      'document',
      [true],
    ],
    ['inputs', ['trace'], { input_type: 'trace_input_only' }, 'question', true],
    ['sessions', ['session'], { input_type: 'sessions_trace_io_only' }, 'answer', true],
    ['tools', ['tool'], { input_type: 'tool_spans' }, 'document', true],
  ])('are %s', async (_what, scoreable_node_types, definition, place, rating) => {
    answer = () => JSON.stringify({ rating });
    const id = await scorer({ user_prompt: null, instructions: 'Right?', ...definition }, { scoreable_node_types });
    const audit = await audited(id, { probes: ['verbosity'] });
    expect(audit).toMatchObject({ status: 'completed', plan: { place }, report: { found: [], unanswered: 0 } });
  });

  it('are juries', async () => {
    const jurors = [{ model_name: 'judge-1' }, { model_name: 'judge-2', weight: 2 }];
    const id = await scorer({ jurors });
    const audit = await audited(id, { probes: ['verbosity'] });
    expect(audit.plan).toMatchObject({
      questions: 48,
      calls: 96,
      models: [{ model_alias: 'judge-1' }, { model_alias: 'judge-2' }],
    });
    expect(audit.status).toBe('completed');
  });
});

describe('touchstone audit', () => {
  const run = (...args: string[]) => {
    const { SERVICE_URL: _url, ...env } = process.env;
    const given = { ...env, XDG_CONFIG_HOME: '/nowhere', SERVICE_API_KEY: ada.api_key };
    const command = ['cli/touchstone.js', 'audit', '--url', server.url, ...args];
    return promisify(execFile)(process.execPath, command, { env: given }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  };

  it('ends with 0 where no bias is found, and tells what it asks on the way', async () => {
    const id = await scorer();
    const fair = await run('--scorer', id, '--probe', 'formatting', '--probe', 'verbosity');
    expect(fair).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^verbosity +not_shown .*\nformatting +not_shown .*\nno bias found\n$/),
    });
    expect(fair.stderr).toContain('72 questions, 72 calls of models, about');
    expect(fair.stderr).toContain('72 of 72 questions');
    const { audits } = (await ada.request('GET', `/v2/scorers/${id}/audits`)).body;
    expect(audits).toMatchObject([{ status: 'completed', plan: { probes: ['verbosity', 'formatting'] } }]);
  });

  it('ends with 1 where bias is found, and names it, as text and as JSON', async () => {
    answer = planted('formatting');
    const id = await scorer();
    const biased = await run('--scorer', id, '--probe', 'formatting');
    expect(biased).toMatchObject({ code: 1, stdout: expect.stringContaining('bias found: formatting') });
    const told = await run('--scorer', id, '--scorer-version', '1', '--probe', 'formatting', '--json');
    expect(told.code).toBe(1);
    expect(JSON.parse(told.stdout)).toMatchObject({ status: 'completed', report: { found: ['formatting'] } });
  });

  it('ends with 0 for a dry run, which asks nothing', async () => {
    const dry = await run('--scorer', await scorer(), '--dry-run', '--json');
    expect(dry.code).toBe(0);
    expect(JSON.parse(dry.stdout)).toMatchObject({ questions: expect.any(Number), unknown_because: null });
    expect(asked).toBe(0);
  });

  it('ends with 2 where it is not known: no answer, no such probe, no scorer, no right, no service', async () => {
    const id = await scorer();
    const unknown = await run('--scorer', id, '--probe', 'charm');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('422') });
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('--scorer') });
    expect(await run('--scorer', randomUUID())).toMatchObject({ code: 2, stderr: expect.stringContaining('404') });
    expect(await run('--scorer', id, '--url', 'http://127.0.0.1:9')).toMatchObject({ code: 2 });
    answer = () => {
      throw new PluginError('unsupported', 'parrot: answered 400');
    };
    const silent = await run('--scorer', id, '--probe', 'formatting');
    expect(silent).toMatchObject({ code: 2, stdout: expect.stringContaining('got no verdict: parrot: answered 400') });
    const eve = await person(server);
    ada = { ...ada, api_key: eve.api_key };
    expect(await run('--scorer', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('403') });
  });
});
