import { randomUUID } from 'node:crypto';
import { asValue } from 'awilix';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineModelProvider, PluginError, Token, z } from '../../core/plugin-sdk/index.ts';
import type { TestServer, TestSettings } from '../http/harness.ts';
import { scorerFixture } from '../http/scorers/scorer-fixture.ts';

/** Models by what they do: one never returns, one is down. */
const provider = defineModelProvider({
  id: 'a_judge',
  sdk: 1,
  stability: 'experimental',
  label: 'A judge',
  summary: 'A provider of the test.',
  settings: z.strictObject({ token: Token }),
  create: () => ({
    complete: async ({ model }) => {
      if (model === 'down') throw new PluginError('unsupported', 'a_judge: answered 400');
      return new Promise(() => {});
    },
    models: async () => ['silent', 'down'].map((name) => ({ name, for_scorers: true })),
    check: async () => {},
  }),
});

/**
 * Tests of the input of a candidate's code, on records, sessions and rows, and of the scorers that it requires. Against
 * a service that is started by `start`.
 */
export function trialRuns(start: (settings: TestSettings) => Promise<TestServer>): void {
  let server: TestServer;
  beforeAll(async () => {
    server = await start({
      modelProviders: [provider],
      overrides: { trialLimits: asValue({ required_ms: 3_000, candidate_ms: 60_000 }) },
    });
    await server.request('PUT', '/v2/integrations/a_judge', { token: 'sk-judge' });
  });
  afterAll(() => server.close());
  const fixture = scorerFixture(() => server);
  const METRIC = 'registered_scorer_validation';
  const SEEN = 'const scorer = (record, context) => JSON.stringify({ ...record, required: context?.required });';

  interface Trial {
    readonly metrics_experiment_id: string;
    readonly project_id: string;
  }

  async function tried(path: 'log_record' | 'dataset', fields: Record<string, string>, source = SEEN): Promise<Trial> {
    const reply = await fixture.send(`/v2/scorers/code/validate/${path}`, source, fields, 'scorer.js');
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    const { project_id, metrics_experiment_id } = reply.body;
    const latest = `/v2/projects/${project_id}/runs/${metrics_experiment_id}/jobs/latest`;
    const status = async () => (await server.request('GET', latest)).body.status;
    await expect.poll(status, { timeout: 15_000 }).toBe('completed');
    return reply.body;
  }

  // biome-ignore lint/suspicious/noExplicitAny: records of every type
  type Found = any;

  const found = async ({ project_id, metrics_experiment_id }: Trial, level: string): Promise<Found[]> => {
    const search = `/v2/projects/${project_id}/${level}/search`;
    return (await server.request('POST', search, { metrics_testing_id: metrics_experiment_id })).body.records;
  };
  const seenBy = (record: Found) => JSON.parse(record.metric_info[METRIC].value);

  describe('the code of a candidate', () => {
    it('is shown records with the external ids and metadata that they were logged with, and no more', async () => {
      const run = await fixture.run();
      const dataset_metadata = { split: 'test', source_record_id: 'mine' };
      const span = { type: 'tool', input: 'q', output: 'a', external_id: 'span-1', dataset_metadata: {} };
      await run.log('q', { external_id: 'trace-1', dataset_metadata, spans: [span] });
      const trial = await tried('log_record', { log_stream_id: run.run_id, scoreable_node_types: '["trace","tool"]' });
      const [trace] = await found(trial, 'traces');
      const [tool] = await found(trial, 'spans');
      expect(seenBy(trace)).toMatchObject({ type: 'trace', external_id: 'trace-1', dataset_metadata });
      expect(seenBy(tool)).toMatchObject({ type: 'tool', external_id: 'span-1', dataset_metadata: {} });
      expect(seenBy(trace).dataset_metadata).toEqual(dataset_metadata);
      expect(seenBy(tool).dataset_metadata).toEqual({});
    });

    it('is shown rows with the metadata that they have, and no more', async () => {
      const form = new FormData();
      form.append('file', new Blob(['input,output,metadata\nq1,a,"{""split"":""test""}"\nq2,b,\n']), 'rows.csv');
      form.append('name', randomUUID());
      const dataset_id = (await server.request('POST', '/v2/datasets?format=csv', undefined, { raw: form })).body.id;
      const trial = await tried('dataset', { dataset_id, scoreable_node_types: '["trace","llm","session"]' });
      const seen = [...(await found(trial, 'traces')), ...(await found(trial, 'spans'))].map(seenBy);
      expect(seen).toHaveLength(4);
      for (const record of seen) {
        expect(record.dataset_metadata).toEqual(record.dataset_input === 'q1' ? { split: 'test' } : {});
        expect(record.external_id).toBeNull();
      }
      const sessions = (await found(trial, 'sessions')).map(seenBy);
      expect(sessions.map(({ type, input }) => [type, input]).sort()).toEqual([
        ['session', 'q1'],
        ['session', 'q2'],
      ]);
    });
  });

  describe('a trial on sessions', () => {
    it('copies each with its traces and has it judged as a whole', async () => {
      const run = await fixture.run();
      const sessions = `/v2/projects/${run.project_id}/sessions`;
      const facts = { log_stream_id: run.run_id, name: 'talk', external_id: 'talk-1', user_metadata: { tier: 'gold' } };
      const { id } = (await server.request('POST', sessions, facts)).body;
      const log = (input: string, more: object = {}) =>
        server.request('POST', `/v2/projects/${run.project_id}/traces`, {
          log_stream_id: run.run_id,
          traces: [{ input, output: `${input}!`, spans: [{ type: 'tool', input }] }],
          ...more,
        });
      for (const input of ['first', 'last']) await log(input, { session_id: id });
      await log('alone');

      const trial = await tried('log_record', { log_stream_id: run.run_id, scoreable_node_types: '["session"]' });
      const copies = await found(trial, 'sessions');
      const seen = copies.map(seenBy);
      expect(seen).toHaveLength(2);
      const talk = seen.find(({ name }: Found) => name === 'talk');
      expect(talk).toMatchObject({ type: 'session', input: 'first', output: 'last!', num_traces: 2, external_id: 'talk-1' });
      expect(talk.user_metadata).toEqual({ tier: 'gold' });
      expect(talk.id).not.toBe(id);
      expect(seen.find(({ name }: Found) => name !== 'talk')).toMatchObject({ input: 'alone', num_traces: 1 });
      expect(await found(trial, 'traces')).toHaveLength(3);
      expect(await found(trial, 'spans')).toHaveLength(3);
      const originals = await server.request('POST', `${sessions}/search`, { log_stream_id: run.run_id });
      expect(JSON.stringify(originals.body)).not.toContain(METRIC);
    });

    it('takes filters of sessions, a page of them, and records beside them', async () => {
      const run = await fixture.run();
      for (const input of ['a', 'b', 'c', 'd']) await run.log(input, { spans: [{ type: 'tool', input }] });
      const log_stream_id = run.run_id;
      const filters = JSON.stringify([{ type: 'text', column_id: 'input', operator: 'one_of', value: ['a', 'b', 'c'] }]);
      const sort = JSON.stringify({ column_id: 'input', ascending: true });
      const page = { limit: '1', starting_token: '1' };
      const one = await tried('log_record', { log_stream_id, scoreable_node_types: '["session"]', filters, sort, ...page });
      expect((await found(one, 'sessions')).map(seenBy)).toMatchObject([{ input: 'b' }]);
      const both = await tried('log_record', { log_stream_id, scoreable_node_types: '["tool","session"]', limit: '6' });
      const judged = [...(await found(both, 'spans')), ...(await found(both, 'sessions'))].filter(
        (record) => METRIC in record.metric_info,
      );
      expect(judged.map(({ type }) => type).sort()).toEqual(['session', 'session', 'tool', 'tool', 'tool', 'tool']);
      const evidence = await server.cradle.validationStore.find(both.metrics_experiment_id);
      expect(evidence).toMatchObject({ evidence: { verdict: 'valid', records: 6, succeeded: 6 } });
    });
  });

  describe('a scorer that a candidate requires', () => {
    const judge = async (model_name: string): Promise<{ id: string; name: string }> => {
      const made = await fixture.create({ scorer_type: 'llm', scoreable_node_types: ['trace'], output_type: 'boolean' });
      const version = { model_name, num_judges: 1, user_prompt: 'Polite? {{output}}' };
      expect((await server.request('POST', `/v2/scorers/${made.id}/version/llm`, version)).status).toBe(200);
      return made;
    };

    it.each([
      ['never answers', 'silent', /^no answer within 3 seconds$/],
      ['refuses', 'down', /answered 400/],
    ])('and that %s has failed within the time of the trial, and the candidate is told null', async (_, model, message) => {
      const [mute, code] = [await judge(model), await fixture.create({ scoreable_node_types: ['trace'] })];
      await fixture.upload(code.id, 'const scorer = () => 5;');
      const run = await fixture.run();
      for (let at = 0; at < 30; at += 1) await run.log(`q${at}`);
      const required_scorers = JSON.stringify([mute.name, code.name]);
      const trial = await tried('log_record', { log_stream_id: run.run_id, scoreable_node_types: '["trace"]', required_scorers });
      const traces = await found(trial, 'traces');
      expect(traces).toHaveLength(30);
      for (const trace of traces) {
        expect(trace.metric_info[mute.name]).toMatchObject({
          status_type: expect.stringMatching(/failed|error/),
          message: expect.stringMatching(message),
        });
        expect(seenBy(trace).required).toEqual({ [mute.name]: null, [code.name]: 5 });
      }
    });
  });

  describe('a judge that is the candidate and never answers', () => {
    let impatient: TestServer;
    beforeAll(async () => {
      const trialLimits = asValue({ required_ms: 300, candidate_ms: 500 });
      impatient = await start({ modelProviders: [provider], overrides: { trialLimits } });
      await impatient.request('PUT', '/v2/integrations/a_judge', { token: 'sk-judge' });
    });
    afterAll(() => impatient.close());
    const own = scorerFixture(() => impatient);
    const scorer_configuration = {
      model_alias: 'silent',
      num_judges: 1,
      output_type: 'boolean',
      scoreable_node_types: ['trace'],
    };
    const trial = { user_prompt: 'Polite? {{output}}', query: 'q', response: 'a', scorer_configuration };

    it('has failed on all records within the time of the trial, and says why', async () => {
      const run = await own.run();
      for (let at = 0; at < 30; at += 1) await run.log(`q${at}`);
      const reply = await impatient.request('POST', '/v2/scorers/llm/validate/log_record', {
        ...trial,
        log_stream_id: run.run_id,
      });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      const { project_id, metrics_experiment_id } = reply.body;
      const latest = `/v2/projects/${project_id}/runs/${metrics_experiment_id}/jobs/latest`;
      const status = async () => (await impatient.request('GET', latest)).body.status;
      await expect.poll(status, { timeout: 30_000 }).toBe('completed');
      const tried = await impatient.cradle.validationStore.find(metrics_experiment_id);
      expect(tried?.evidence).toMatchObject({ verdict: 'invalid', succeeded: 0 });
      expect(tried!.evidence!.errors).toContain('no answer within 0.5 seconds');
    });

    it('is invalid on samples, and says why', async () => {
      const { task_result_id } = (await impatient.request('POST', '/v2/scorers/llm/validate', trial)).body;
      const task = async () => (await impatient.request('GET', `/v2/scorers/llm/validate/${task_result_id}`)).body;
      await expect.poll(async () => (await task()).status, { timeout: 30_000 }).toBe('completed');
      const { result } = (await task()).result;
      expect(result).toMatchObject({ result_type: 'invalid', error_message: 'no answer within 0.5 seconds' });
    });
  });
}
