import { hash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../../adapters/memory/memory-database.ts';
import { MemoryAnswerCache } from '../../adapters/memory/models/memory-answer-cache.ts';
import { MemoryPriceStore } from '../../adapters/memory/models/memory-price-store.ts';
import { MemorySpendingStore } from '../../adapters/memory/models/memory-spending-store.ts';
import { ScriptedModel } from '../../test/setup/scripted-model.ts';
import { silent } from '../../test/setup/silent.ts';
import { type Completion, PluginError } from '../plugin-sdk/index.ts';
import { SpendingBudgets } from './budgets/spending-budgets.ts';
import { CIRCUIT_SETTINGS } from './circuit-breaker.ts';
import { MAX_CONCURRENT_CALLS } from './concurrency-limiter.ts';
import type { CacheOption, CallOptions, ModelUsage, Question } from './model-call.ts';
import { ModelGateway } from './model-gateway.ts';
import { ProviderCalls } from './provider-calls.ts';

const answer: Completion = { text: 'yes', usage: { input_tokens: 10, output_tokens: 2 }, finish_reason: 'stop', model: 'm-1' };
const question: Question = { messages: [{ role: 'user', content: 'is it?' }] };
const never = new AbortController().signal;
const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

let project_id: string;
let usage: ModelUsage;
let model: ScriptedModel;
let delays: number[];
let price: number | null;
let isForbidden: boolean;
let now: Date;
let spendingStore: MemorySpendingStore;
let priceStore: MemoryPriceStore;
let spendingBudgets: SpendingBudgets;
let providerCalls: ProviderCalls;
let gateway: ModelGateway;

beforeEach(() => {
  project_id = randomUUID();
  usage = {
    purpose: 'judge',
    project_id,
    run_id: randomUUID(),
    scorer_id: randomUUID(),
    scorer_version_id: randomUUID(),
    user_id: 'ada',
  };
  delays = [];
  model = new ScriptedModel(answer);
  price = 0.5;
  isForbidden = false;
  now = new Date('2026-01-02T12:00:00.000Z');
  spendingStore = new MemorySpendingStore({ database: new MemoryDatabase() });
  priceStore = new MemoryPriceStore({ database: new MemoryDatabase() });
  spendingBudgets = new SpendingBudgets({ priceStore, spendingStore, clock: () => now });
  providerCalls = new ProviderCalls({ clock: () => now, log: silent });
  const integration = { id: 'i1', provider: 'fake', updated_at: '2026-01-01T00:00:00.000Z' };
  gateway = new ModelGateway({
    modelDirectory: { offer: async () => ({ integration, provider: model, model: 'm' }) },
    providerCalls,
    answerCache: new MemoryAnswerCache({ database: new MemoryDatabase() }),
    spendingStore,
    spendingBudgets,
    priceLookup: { computeCost: async () => price, isForbidden: async () => isForbidden },
    retryClock: {
      sleep: async (ms, signal) => {
        signal.throwIfAborted();
        delays.push(ms);
      },
      random: () => 1,
    },
    sha256: (bytes) => hash('sha256', bytes, 'hex'),
    clock: () => now,
  });
});

const cached = (more: Partial<CacheOption> = {}): Partial<CallOptions> => ({
  cache: { scope: 'version 0', accept: () => true, ...more },
});
const ask = async (more: Partial<CallOptions> = {}, asked = question, session = gateway.session()) =>
  (await session.open(usage, 'alias')).ask(asked, { signal: never, ...more });
const spent = async () => (await spendingStore.list(project_id, {}))[0];
const failing = (status: number, retry_after?: number) => PluginError.fromStatus(status, 'fake', retry_after);
const about = (content: string): Question => ({ messages: [{ role: 'user', content }] });

describe('a model behind the gateway', () => {
  it('is asked by its name at the provider, with what the call belongs to, and says what the answer cost', async () => {
    expect(await ask({}, { ...question, max_tokens: 5 })).toEqual({ completion: answer, cost: 0.5, cached: false });
    const labels = { project_id, run_id: usage.run_id };
    expect(model.asked[0]).toMatchObject({ ...question, model: 'm', max_tokens: 5, labels });
  });

  it('is counted for who called it for what', async () => {
    await ask();
    const { project_id: _project, ...key } = usage;
    expect(await spent()).toMatchObject({ ...key, calls: 1, cost: 0.5, input_tokens: 10, output_tokens: 2 });
  });
});

describe('a call that fails', () => {
  it.each([408, 409, 429, 500, 503, 529])('with %s is made again, later each time, and counted each time', async (status) => {
    model.outcomes = [failing(status), failing(status), failing(status), answer];
    expect((await ask()).completion.text).toBe('yes');
    expect(delays).toEqual([1_000, 2_000, 4_000]);
    expect(await spent()).toMatchObject({ calls: 4, failed_calls: 3, cost: 0.5 });
  });

  it('is given up after four attempts', async () => {
    model.outcomes = [new PluginError('unavailable', 'fake: could not be reached')];
    await expect(ask()).rejects.toMatchObject({ failure: 'unavailable', message: 'fake: could not be reached, in 4 tries' });
    expect(await spent()).toMatchObject({ calls: 4, failed_calls: 4, cost: 0 });
  });

  it('waits no shorter than the provider asks for, within a minute, and a random moment longer', async () => {
    model.outcomes = [failing(429, 7), failing(503, 3_600), answer];
    await ask();
    expect(delays).toEqual([8_000, 61_000]);
  });

  it.each([400, 404, 422])('with %s is not made again', async (status) => {
    model.outcomes = [failing(status)];
    await expect(ask()).rejects.toMatchObject({ failure: 'unsupported' });
    expect(model.asked).toHaveLength(1);
  });

  it.each([401, 403])('with %s keeps the integration from being called in the rest of the session', async (status) => {
    model.outcomes = [failing(status), answer];
    const session = gateway.session();
    for (let time = 0; time < 3; time += 1)
      await expect(ask({}, question, session)).rejects.toMatchObject({ failure: 'credentials_rejected' });
    expect(model.asked).toHaveLength(1);
    expect((await ask()).completion.text).toBe('yes');
  });

  it('ends when its signal is aborted, and is not made again', async () => {
    model.outcomes = ['silence'];
    const stop = new AbortController();
    const asking = ask({ signal: stop.signal });
    await expect.poll(() => model.asked.length).toBe(1);
    stop.abort(new Error('stopped'));
    await expect(asking).rejects.toThrow('stopped');
    expect(await spent()).toMatchObject({ calls: 1, failed_calls: 1 });
  });

  it('never returning ends at the deadline, each attempt, and is counted', async () => {
    model.outcomes = ['silence'];
    await expect(ask({ deadlineMs: 5 })).rejects.toThrow('no answer within 0.005 seconds, in 4 tries');
    expect(await spent()).toMatchObject({ calls: 4, failed_calls: 4 });
  });

  it('by throwing before it returns a promise fails like any other, and gives its slot back', async () => {
    model.complete = () => {
      throw new TypeError('a defect');
    };
    for (let time = 0; time < 4; time += 1)
      await expect(ask({}, about(`${time}`))).rejects.toThrow('the call failed, in 4 tries');
    expect(await spent()).toMatchObject({ calls: 16, failed_calls: 16 });
    model = new ScriptedModel(answer);
    expect((await ask()).completion.text).toBe('yes');
  });
});

describe('slots of an integration', () => {
  it('go to projects in turns: a thousand waiting calls of one do not hold up the call of another', async () => {
    const ends: (() => void)[] = [];
    model.complete = () => new Promise((resolve) => ends.push(() => resolve(answer)));
    const many = Array.from({ length: 1_000 }, (_, at) => ask({}, about(`question ${at}`)));
    await expect.poll(() => ends.length).toBe(MAX_CONCURRENT_CALLS);
    usage = { ...usage, project_id: randomUUID() };
    let isAnswered = false;
    const one = ask().then(() => {
      isAnswered = true;
    });
    await settle();
    // One call of the first project that ends, and at most one more of its calls before the other project's.
    for (let ended = 0; ended < 2; ended += 1) {
      ends.shift()!();
      await settle();
    }
    for (const end of ends.splice(MAX_CONCURRENT_CALLS - 2)) end();
    await settle();
    expect(isAnswered).toBe(true);
    const all = Promise.all([one, ...many]).then(() => true);
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await settle();
    }
    expect(await all).toBe(true);
  });
});

describe('the answer cache', () => {
  it('gives an answer that could be used for nothing the next time, whatever the nonce', async () => {
    await ask(cached({ nonce: 'abc' }), about('<<x abc>>'));
    expect(await ask(cached({ nonce: 'def' }), about('<<x def>>'))).toEqual({ completion: answer, cost: 0, cached: true });
    expect(model.asked).toHaveLength(1);
    expect(await spent()).toMatchObject({ calls: 1, cached_answers: 1, cost: 0.5, input_tokens: 10 });
  });

  it('is used by calls alone that ask for it', async () => {
    await ask();
    await ask();
    await ask(cached());
    expect(model.asked).toHaveLength(3);
  });

  it.each<[string, Partial<Question>, Partial<CacheOption>]>([
    ['of another scope', {}, { scope: 'version 1' }],
    ['with other parameters', { temperature: 0.5 }, {}],
    ['with another system prompt', { system: 'you are a judge' }, {}],
    ['with another schema', { schema: { type: 'object' } }, {}],
    ['with other messages', about('was it?'), {}],
  ])('has nothing for a question %s', async (_what, other, option) => {
    await ask(cached());
    await ask(cached(option), { ...question, ...other });
    expect(model.asked).toHaveLength(2);
  });

  it('has nothing for another project', async () => {
    await ask(cached());
    usage = { ...usage, project_id: randomUUID() };
    await ask(cached());
    expect(model.asked).toHaveLength(2);
  });

  it('keeps no answer that cannot be used, nor any for ever', async () => {
    await ask(cached({ accept: () => false }));
    await ask(cached());
    expect(model.asked).toHaveLength(2);
    now = new Date('2026-01-09T12:00:00.000Z');
    await ask(cached());
    expect(model.asked).toHaveLength(3);
  });
});

describe('spending', () => {
  it('counts calls apart whose price is not known', async () => {
    price = null;
    expect((await ask()).cost).toBeNull();
    expect(await spent()).toMatchObject({ unpriced_calls: 1, cost: 0 });
  });

  it('is none on a model without a price where such calls are forbidden, also when that is set after the model was opened', async () => {
    const opened = await gateway.session().open(usage, 'alias');
    isForbidden = true;
    const message = 'the price of the model "m" is not known, and calls of models without a price are forbidden';
    await expect(gateway.session().open(usage, 'alias')).rejects.toMatchObject({ failure: 'unsupported', message });
    await expect(opened.ask(question, { signal: never })).rejects.toMatchObject({ failure: 'unsupported', message });
    expect(model.asked).toEqual([]);
    expect(await spent()).toBeUndefined();
  });

  it('ends with the budget of the day, and goes on the next', async () => {
    const within = { ...cached(), budget: { perDay: 1 } };
    for (const text of ['a', 'b']) await ask(within, about(text));
    const message = 'the budget of 1 US dollars a day for this scorer is spent';
    await expect(ask(within, about('c'))).rejects.toMatchObject({ message });
    expect((await ask(within, about('a'))).cached).toBe(true);
    now = new Date('2026-01-03T00:00:00.000Z');
    await ask(within, about('c'));
    expect(model.asked).toHaveLength(3);
  });
});

describe('a model whose provider does not answer', () => {
  const trip = async () => {
    model.outcomes = [failing(503)];
    for (let at = 0; providerCalls.circuitOf('i1') === 'closed'; at += 1) {
      expect(at).toBeLessThan(CIRCUIT_SETTINGS.maxFailures);
      await expect(ask({}, about(`question ${at}`))).rejects.toThrow();
    }
  };

  it('is not called any more after enough failed questions: calls are refused at once, with the reason, uncounted', async () => {
    await trip();
    const before = await spent();
    delays = [];
    const message = 'fake: did not answer several calls in a row, and is not called for another 15 s';
    const refusal = { failure: 'unavailable', message, retryAfterMs: CIRCUIT_SETTINGS.openMs };
    await expect(ask({}, about('another'))).rejects.toMatchObject(refusal);
    expect(delays).toEqual([]);
    expect(await spent()).toEqual(before);
  });

  it('is tried once after a while, and called by all when that goes well', async () => {
    await trip();
    model.outcomes = [answer];
    now = new Date(now.getTime() + CIRCUIT_SETTINGS.openMs);
    expect(providerCalls.circuitOf('i1')).toBe('half_open');
    expect((await ask({}, about('the try'))).completion.text).toBe('yes');
    expect(providerCalls.circuitOf('i1')).toBe('closed');
  });
});

describe('a budget', () => {
  const daily = (amount: number | null, monthly: number | null = null) => ({ daily: amount, monthly });
  const setBudget = async (place: string | null, budget: { daily: number | null; monthly: number | null }) => {
    await priceStore.setBudget(place, budget);
    spendingBudgets.forget();
  };
  const calls = async () => (await spent())?.calls ?? 0;

  it('of a project lets calls through until it is spent, and refuses the next before it is made', async () => {
    await setBudget(project_id, daily(1));
    await ask();
    await ask();
    await expect(ask()).rejects.toThrow('the budget of 1 US dollars a day for this project is spent');
    expect([model.asked.length, await calls()]).toEqual([2, 2]);
    await setBudget(project_id, daily(1.2));
    await ask();
    await expect(ask()).rejects.toThrow('is spent');
  });

  it('of the organisation holds in all projects and outside of them', async () => {
    await setBudget(null, daily(null, 1));
    await ask();
    usage = { ...usage, project_id: randomUUID() };
    await ask();
    usage = { ...usage, project_id: null, run_id: null, scorer_id: null, scorer_version_id: null };
    await expect(ask()).rejects.toThrow('the budget of 1 US dollars a month for the organization is spent');
  });

  it('begins anew with the day, and with the month', async () => {
    await setBudget(project_id, daily(0.5, 1));
    await ask();
    await expect(ask()).rejects.toThrow('a day for this project');
    now = new Date('2026-01-03T00:00:00.000Z');
    await ask();
    now = new Date('2026-01-04T00:00:00.000Z');
    await expect(ask()).rejects.toThrow('a month for this project');
    now = new Date('2026-02-01T00:00:00.000Z');
    await ask();
  });

  it('is seen with what other instances spend and set, within a second', async () => {
    await setBudget(project_id, daily(2));
    await ask();
    await spendingStore.add({ ...usage, provider: 'fake', model: 'm', day: '2026-01-02' }, { cost: 5 });
    await ask();
    now = new Date(now.getTime() + 1_000);
    await expect(ask()).rejects.toThrow('is spent');
    await priceStore.setBudget(project_id, daily(null));
    now = new Date(now.getTime() + 1_000);
    await ask();
  });

  it('whose sum cannot be read takes no answer away that is paid for', async () => {
    await setBudget(project_id, daily(5));
    const sumCosts = spendingStore.sumCosts.bind(spendingStore);
    model.outcomes = [answer];
    const complete = model.complete.bind(model);
    model.complete = async (request) => {
      // The sum of before is forgotten meanwhile, and the next one fails while what the call cost is counted on.
      spendingBudgets.forget();
      spendingStore.sumCosts = async () => {
        for (let turn = 0; turn < 10; turn += 1) await settle();
        throw new Error('the database does not answer');
      };
      void spendingBudgets.requireLeft(project_id).catch(() => {});
      return complete(request);
    };
    expect(await ask()).toMatchObject({ completion: answer, cost: 0.5 });
    spendingStore.sumCosts = sumCosts;
  });

  it('of nothing refuses every call, and none leaves answers that are kept', async () => {
    await ask(cached());
    await setBudget(project_id, daily(0));
    expect(await ask(cached())).toMatchObject({ cached: true });
    await expect(ask()).rejects.toThrow('the budget of 0 US dollars a day');
  });
});
