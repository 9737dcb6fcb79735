import { randomUUID } from 'node:crypto';
import { asFunction, asValue } from 'awilix';
import { afterEach, describe, expect, it } from 'vitest';
import type { Cradle } from '../../../config/cradle.ts';
import { MAX_CONCURRENT_CALLS } from '../../../core/models/concurrency-limiter.ts';
import { ModelGateway } from '../../../core/models/model-gateway.ts';
import { ProviderCalls } from '../../../core/models/provider-calls.ts';
import { type CompletionRequest, defineModelProvider, PluginError, z } from '../../../core/plugin-sdk/index.ts';
import { JudgeModels } from '../../../core/scorers/scoring/judge-models.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestSettings } from '../harness.ts';
import { ANSWERS, expectEnded, getUse, JUDGES, ROWS, type Use, uses } from './model-uses.ts';

/** Counts calls, and holds each until it is released. */
class CountingModel {
  running = 0;
  peak = 0;
  readonly calls: Use[] = [];
  readonly #released = Promise.withResolvers<void>();
  readonly #failed = new Set<Use>();

  async complete(request: CompletionRequest): Promise<string> {
    const use = getUse([request.system, ...request.messages.map(({ content }) => content)].join('\n'));
    this.calls.push(use);
    this.running += 1;
    this.peak = Math.max(this.peak, this.running);
    await this.#released.promise;
    await new Promise((resolve) => setImmediate(resolve));
    this.running -= 1;
    // The first call of each use fails in a way that passes.
    if (this.#failed.size === this.#failed.add(use).size) return ANSWERS[use];
    throw new PluginError('unavailable', 'counting: answered 503');
  }

  release(): void {
    this.#released.resolve();
  }
}

async function startFixture(settings: TestSettings = {}) {
  const model = new CountingModel();
  const provider = defineModelProvider({
    id: 'counting',
    sdk: 1,
    stability: 'experimental',
    label: 'Counting',
    summary: 'A provider of the test.',
    settings: z.strictObject({ token: z.string() }),
    create: () => ({
      complete: async (request) => {
        const usage = { input_tokens: 3, output_tokens: 2 };
        return { text: await model.complete(request), usage, finish_reason: 'stop', model: request.model, cost: 0.5 };
      },
      models: async () => [{ name: 'm-1', for_scorers: true }],
      check: async () => {},
    }),
  });
  const overrides = { retryClock: asValue({ sleep: async () => {}, random: () => 0.5 }), ...settings.overrides };
  const server = await startTestServer({ ...settings, modelProviders: [provider], overrides });
  const project_id: string = (await server.request('POST', '/v2/projects', { name: randomUUID() })).body.id;
  const integration_id: string = (await server.request('PUT', '/v2/integrations/counting', { token: 'a' })).body.id;
  return { server, model, project_id, integration_id, at: `/v2/projects/${project_id}` };
}
type Fixture = Awaited<ReturnType<typeof startFixture>>;

/** Begins what calls a model, one use after the other, while no call ends. */
async function beginAll(fixture: Fixture) {
  const jobs = new Map<Use, string>();
  for (const use of ['scorer_autogen', 'synthetic_rows', 'experiment', 'judge'] as const) {
    jobs.set(use, await uses[use](fixture));
    await eventually(async () => expect(fixture.model.calls).toContain(use));
  }
  return jobs;
}

let fixture: Fixture;
afterEach(async () => {
  fixture.model.release();
  await fixture.server.close();
});

describe('judges, experiments, autogen and synthetic rows', () => {
  it('together never exceed the limit of one integration, and every call of each is in the spending ledger', async () => {
    fixture = await startFixture();
    const { model, server, at } = fixture;
    const jobs = await beginAll(fixture);
    await eventually(async () => expect(model.running).toBe(MAX_CONCURRENT_CALLS));
    model.release();
    await expectEnded(fixture, jobs);
    expect(model.peak).toBe(MAX_CONCURRENT_CALLS);

    const ofProject = (await server.request('GET', `${at}/model-spending`)).body.spending;
    const own = (await server.request('GET', '/v2/model-spending')).body.spending;
    const counted = [...ofProject, ...own].map(({ purpose, calls, failed_calls, cost, input_tokens }) => {
      return { purpose, calls, failed_calls, cost, input_tokens };
    });
    const expected = Object.entries({ experiment: ROWS, judge: JUDGES, synthetic_rows: 1, scorer_autogen: 1 }).map(
      ([use, answers]) => {
        const calls = model.calls.filter((one) => one === use).length;
        expect(calls).toBe(answers + 1);
        return { purpose: use, calls, failed_calls: 1, cost: 0.5 * answers, input_tokens: 3 * answers };
      },
    );
    const byPurpose = (a: { purpose: string }, b: { purpose: string }) => (a.purpose < b.purpose ? -1 : 1);
    expect(counted.toSorted(byPurpose)).toEqual(expected.toSorted(byPurpose));
    expect(own).toMatchObject([{ purpose: 'scorer_autogen', run_id: null, scorer_id: null, user_id: expect.any(String) }]);
  });

  it('exceed it as soon as one of them has a limiter of its own: the count would notice', async () => {
    const ownLimiter = (cradle: Cradle) => {
      const providerCalls = new ProviderCalls(cradle);
      return new JudgeModels({
        ...judgeDepsOf(cradle),
        modelGateway: new ModelGateway({ ...gatewayDepsOf(cradle), providerCalls }),
      });
    };
    fixture = await startFixture({ overrides: { judgeModels: asFunction(ownLimiter).singleton() } });
    await beginAll(fixture);
    await eventually(async () => expect(fixture.model.running).toBe(ROWS + JUDGES + 2));
    expect(fixture.model.peak).toBeGreaterThan(MAX_CONCURRENT_CALLS);
  });
});

describe('an open circuit breaker', () => {
  const reason = /did not answer several calls in a row, and is not called for another \d+ s/;

  it('refuses judges, experiments, autogen, synthetic rows and lists of models at once, and says why', async () => {
    fixture = await startFixture();
    const { model, server, integration_id } = fixture;
    model.release();
    await trip(fixture);
    for (const use of ['experiment', 'scorer_autogen', 'synthetic_rows'] as const) {
      const job_id = await uses[use](fixture);
      await eventually(async () => {
        const { body } = await server.request('GET', `/v2/jobs/${job_id}`);
        expect(body).toMatchObject({ status: 'processing', progress_message: expect.stringMatching(reason) });
      });
    }
    const trial = { query: 'x', response: 'y', chain_poll_template: { template: 'Polite? {{output}}' }, user_prompt: 'x' };
    const scorer_configuration = { model_alias: 'm-1', num_judges: 1, output_type: 'boolean', scoreable_node_types: ['trace'] };
    const started = await server.request('POST', '/v2/scorers/llm/validate', { ...trial, scorer_configuration });
    await eventually(async () => {
      const { body } = await server.request('GET', `/v2/scorers/llm/validate/${started.body.task_result_id}`);
      expect(JSON.stringify(body)).toMatch(reason);
    });
    const { body } = await server.request('GET', `/v2/integrations/${integration_id}/status`);
    expect(body).toEqual({ status: 'inactive', error: expect.stringMatching(reason), circuit: 'open' });
    expect(model.calls).toEqual([]);
  });
});

async function trip({ server, integration_id }: Fixture): Promise<void> {
  // Known before the provider falls silent.
  await server.request('GET', '/v2/llm_integrations/counting/models');
  const { providerCalls, integrationStore } = server.cradle;
  const integration = (await integrationStore.find(integration_id))!;
  for (let at = 0; providerCalls.circuitOf(integration_id) === 'closed'; at += 1) {
    const call = () => Promise.reject(new PluginError('unavailable', 'counting: answered 503'));
    const question = `question ${at}`;
    await providerCalls.attempt(integration, { owner: 'a', deadlineMs: 1_000, question, call }).catch(() => {});
  }
}

const judgeDepsOf = ({ judgeFiles, projectVisibility }: Cradle) => ({ judgeFiles, projectVisibility });
const gatewayDepsOf = ({
  modelDirectory,
  answerCache,
  spendingStore,
  spendingBudgets,
  priceLookup,
  retryClock,
  sha256,
  clock,
}: Cradle) => {
  return { modelDirectory, answerCache, spendingStore, spendingBudgets, priceLookup, retryClock, sha256, clock };
};
