import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineModelProvider, z } from '../../../core/plugin-sdk/index.ts';
import { makeDataset } from '../../http/datasets/dataset-fixture.ts';
import type { TestServer, TestSettings } from '../../http/harness.ts';
import { eventually } from '../../setup/timing.ts';

/** A model each call of which costs half a dollar. */
const dear = defineModelProvider({
  id: 'dear',
  sdk: 1,
  stability: 'experimental',
  label: 'Dear',
  summary: 'A model of the tests.',
  settings: z.strictObject({ token: z.string() }),
  create: () => ({
    complete: async ({ model }) => ({ text: '{"rating": true}', usage: {}, finish_reason: 'stop', model, cost: 0.5 }),
    models: async () => [{ name: 'dear-1', alias: 'dear-1', for_scorers: true }],
    check: async () => {},
  }),
});

/** The way of a budget: set, spent by every use of a model, shown, refused, and raised. */
export function spendingBudgetWalk(name: string, start: (settings: TestSettings) => Promise<TestServer>): void {
  describe(`budgets of projects and of the organisation on ${name}`, () => {
    let server: TestServer;
    let project_id: string;
    let at: string;
    beforeAll(async () => {
      server = await start({ modelProviders: [dear] });
      project_id = (await server.request('POST', '/v2/projects', { name: `p ${randomUUID()}` })).body.id;
      at = `/v2/projects/${project_id}`;
      expect((await server.request('PUT', '/v2/integrations/dear', { token: 'a' })).status).toBe(200);
    });
    afterAll(() => server.close());

    const put = (path: string, daily: number | null, monthly: number | null = null) =>
      server.request('PUT', `${path}/spending-budget`, { daily, monthly });
    const play = async () => {
      const variants = [{ template: 'x', settings: { model_alias: 'dear-1' } }];
      const { status, body } = await server.request('POST', `${at}/playground`, { variants, values: {} });
      expect(status).toBe(200);
      return body.variants[0];
    };

    const makeJudge = async (): Promise<{ id: string }> => {
      const scorer = { name: `polite ${randomUUID()}`, scorer_type: 'llm', scoreable_node_types: ['trace'] };
      const { id } = (await server.request('POST', '/v2/scorers', scorer)).body;
      const version = { model_name: 'dear-1', num_judges: 1, user_prompt: 'Is this polite? {{output}}' };
      expect((await server.request('POST', `/v2/scorers/${id}/version/llm`, version)).status).toBe(200);
      return { id };
    };
    /** An experiment, and the job that runs a prompt over so many rows into it. */
    const preparePromptRun = async (rows = 1) => {
      const dataset = await makeDataset(
        server,
        Array.from({ length: rows }, (_, n) => ({ input: `row ${n}` })),
        { project_id },
      );
      const template = { name: randomUUID(), template: 'say {{input}}', settings: { model_alias: 'dear-1' } };
      const { selected_version_id } = (await server.request('POST', '/v2/templates', template)).body;
      const run = { dataset: { dataset_id: dataset.id, version_index: 1 }, prompt_template_version_id: selected_version_id };
      const { id: run_id } = (await server.request('POST', `${at}/experiments`, { name: randomUUID(), ...run })).body;
      const what = { prompt_template_version_id: selected_version_id, prompt_settings: {}, dataset_id: dataset.id };
      return { run, job: { job_name: 'playground_run', project_id, run_id, scorers: null, task_type: 16, ...what } };
    };

    it('stop the playground and judges once they are spent, in words', async () => {
      expect((await server.request('GET', `${at}/spending-budget`)).body).toEqual({
        ...{ daily: null, monthly: null, spent_today: 0, spent_this_month: 0 },
        is_spent_by_organization: false,
      });
      expect((await put(at, 1)).body).toMatchObject({ daily: 1, spent_today: 0 });
      expect((await play()).error ?? null).toBeNull();
      expect((await play()).error ?? null).toBeNull();
      const refused = JSON.stringify(await play());
      expect(refused).toContain('the budget of 1 US dollars a day for this project is spent');
      expect((await server.request('GET', `${at}/spending-budget`)).body).toMatchObject({ spent_today: 1, spent_this_month: 1 });

      const { id } = await makeJudge();
      const log_stream_id = (await server.request('POST', `${at}/log_streams`, { name: randomUUID() })).body.id;
      await server.request('POST', `${at}/runs/${log_stream_id}/scorer-settings`, { scorers: [{ id, name: 'polite' }] });
      const traces = [{ input: 'x', output: 'yes' }];
      const logged = await server.request('POST', `${at}/traces`, { log_stream_id, traces });
      await eventually(async () => {
        const { body } = await server.request('GET', `${at}/traces/${logged.body.trace_ids[0]}`);
        expect(JSON.stringify(body.metric_info.polite)).toContain('a day for this project is spent');
      });

      expect((await server.request('GET', `${at}/spending-budget`)).body).toMatchObject({ spent_today: 1 });
    });

    it('refuse what begins without a model in vain, by their code', async () => {
      const spent = { status: 400, body: { code: 'budget_spent', detail: expect.stringContaining('for this project is spent') } };
      const variants = [{ template: 'x', settings: { model_alias: 'dear-1' } }];
      expect((await play()).error).toMatchObject({ kind: 'unsupported', code: 'budget_spent' });
      const stream = await server.request('POST', `${at}/playground/stream`, { variants, values: {} });
      expect(JSON.stringify(stream.body)).toContain('budget_spent');
      expect(await server.request('POST', '/v2/datasets/extend', { count: 1, project_id })).toMatchObject(spent);
      const { run, job } = await preparePromptRun();
      expect(await server.request('POST', '/v2/jobs', job)).toMatchObject(spent);
      const triggered = { ...run, name: randomUUID(), trigger: true };
      expect(await server.request('POST', `${at}/experiments`, triggered)).toMatchObject(spent);
    });

    it('end what is under way when they are spent, with their code or the rows that are there', async () => {
      expect((await put(at, 1.5)).status).toBe(200);
      const { job } = await preparePromptRun(20);
      const { job_id } = (await server.request('POST', '/v2/jobs', job)).body;
      await eventually(async () => expect((await server.request('GET', `/v2/jobs/${job_id}`)).body.status).toBe('completed'));
      const { records } = (await server.request('POST', `${at}/traces/search`, { experiment_id: job.run_id })).body;
      const refused = records.filter((record: object) => JSON.stringify(record).includes('a day for this project is spent'));
      expect(records.length).toBe(20);
      // Calls in flight may go beyond: eight rows at most are asked about at once.
      expect(refused.length).toBeGreaterThanOrEqual(12);
      expect(refused.length).toBeLessThan(20);

      const { spent_today } = (await server.request('GET', `${at}/spending-budget`)).body;
      expect((await put(at, spent_today + 0.5)).status).toBe(200);
      const { dataset_id } = (await server.request('POST', '/v2/datasets/extend', { count: 30, project_id })).body;
      await eventually(async () => {
        const { body } = await server.request('GET', `/v2/datasets/extend/${dataset_id}`);
        expect(body.steps_completed).toBe(body.steps_total);
        expect(body).toMatchObject({
          error_code: 'budget_spent',
          progress_message: expect.stringContaining('for this project is spent'),
        });
      });
      expect((await server.request('GET', `/v2/jobs/${dataset_id}`)).body).toMatchObject({
        status: 'failed',
        error_code: 'budget_spent',
      });
    });

    it('of the organisation hold in every project, and are lifted when they are raised', async () => {
      expect((await put(at, null)).body).toMatchObject({ daily: null });
      const { monthly, spent_this_month } = (await put('/v2', null, 1)).body;
      expect(monthly).toBe(1);
      expect(spent_this_month).toBeGreaterThanOrEqual(1);
      expect(JSON.stringify(await play())).toContain('the budget of 1 US dollars a month for the organization is spent');
      const spent = {
        status: 400,
        body: { code: 'budget_spent', detail: expect.stringContaining('for the organization is spent') },
      };
      const writing = {
        instructions: 'Is it polite?',
        model_name: 'dear-1',
        output_type: 'boolean',
        scoreable_node_types: ['llm'],
      };
      expect(await server.request('POST', '/v2/scorers/llm/autogen', { ...writing, cot_enabled: true })).toMatchObject(spent);
      expect(await server.request('POST', '/v2/datasets/extend', { count: 1 })).toMatchObject(spent);
      const { id } = await makeJudge();
      expect(await server.request('POST', `/v2/scorers/${id}/audits`, {})).toMatchObject(spent);
      expect((await server.request('POST', `/v2/scorers/${id}/audits`, { dry_run: true })).status).toBe(200);
      const configuration = { model_alias: 'dear-1', num_judges: 1, output_type: 'boolean', scoreable_node_types: ['trace'] };
      const trial = { user_prompt: 'Polite? {{output}}', scorer_configuration: configuration };
      const { task_result_id } = (await server.request('POST', '/v2/scorers/llm/validate', trial)).body;
      await eventually(async () => {
        const { body } = await server.request('GET', `/v2/scorers/llm/validate/${task_result_id}`);
        // It says nothing of the judge, which is not called invalid.
        expect(body).toMatchObject({ status: 'failed', error_code: 'budget_spent', result: spent.body.detail });
      });
      expect((await server.request('GET', `${at}/spending-budget`)).body).toMatchObject({ is_spent_by_organization: true });
      expect((await put('/v2', null, spent_this_month + 1)).status).toBe(200);
      expect((await play()).error ?? null).toBeNull();
      await put('/v2', null);
    });

    it('are refused where they are no amounts', async () => {
      for (const body of [{ daily: -1, monthly: null }, { daily: '1', monthly: null }, { daily: 1 }, {}])
        expect((await server.request('PUT', `${at}/spending-budget`, body)).status).toBe(422);
    });
  });
}
