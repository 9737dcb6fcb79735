import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryAnswerCache } from '../../../adapters/memory/integrations/memory-answer-cache.ts';
import { MemorySpendingStore } from '../../../adapters/memory/integrations/memory-spending-store.ts';
import { ScriptedModel } from '../../../test/setup/scripted-model.ts';
import { CIRCUIT_SETTINGS, CircuitBreakers } from '../../integrations/circuit-breaker.ts';
import { type Completion, type JudgeCall, PluginError } from '../../plugin-sdk/index.ts';
import type { ModelUse } from '../scoring/scorer-kits.ts';
import { ModelLender } from './model-lender.ts';

const answer: Completion = { text: 'yes', usage: { input_tokens: 10, output_tokens: 2 }, finish_reason: 'stop', model: 'm-1' };

let use: ModelUse;
let model: ScriptedModel;
let waits: number[];
let price: number | null;
let now: Date;
let spendingStore: MemorySpendingStore;
let lender: ModelLender;
let circuitBreakers: CircuitBreakers;
/** Whether whoever enabled the scorer still sees the project. */
let sees: boolean;

beforeEach(() => {
  use = {
    project_id: randomUUID(),
    run_id: randomUUID(),
    scorer_id: randomUUID(),
    scorer_version_id: randomUUID(),
    user_id: 'ada',
    daily_budget: null,
  };
  waits = [];
  model = new ScriptedModel(answer);
  price = 0.5;
  sees = true;
  now = new Date('2026-01-02T12:00:00.000Z');
  spendingStore = new MemorySpendingStore();
  circuitBreakers = new CircuitBreakers();
  lender = new ModelLender({
    modelDirectory: { offer: async () => ({ integration: { id: 'i1', provider: 'fake' }, provider: model, model: 'm' }) },
    projectVisibility: { sees: async () => sees },
    answerCache: new MemoryAnswerCache(),
    spendingStore,
    circuitBreakers,
    priceBook: { computeCost: () => price },
    patience: {
      sleep: async (ms, signal) => {
        signal.throwIfAborted();
        waits.push(ms);
      },
      random: () => 1,
    },
    sha256: (bytes) => createHash('sha256').update(bytes).digest(),
    clock: () => now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
});

const call = (more: Partial<JudgeCall> = {}): JudgeCall => ({
  judge: 0,
  messages: [{ role: 'user', content: 'is it?' }],
  signal: new AbortController().signal,
  accept: () => true,
  ...more,
});
const ask = async (more: Partial<JudgeCall> = {}, lend = lender.forJob()) => (await lend(use, 'alias')).ask(call(more));
const spent = async () => (await spendingStore.list(use.project_id, {}))[0];
const failing = (status: number, retry_after?: number) => PluginError.fromStatus(status, 'fake', retry_after);

describe('a lent model', () => {
  it('is asked by its name at the provider, and says what the answer cost', async () => {
    expect(await ask({ max_tokens: 5 })).toEqual({ ...answer, price: 0.5, cached: false });
    expect(model.asked[0]).toMatchObject({
      model: 'm',
      max_tokens: 5,
      labels: { project_id: use.project_id, run_id: use.run_id },
    });
    expect(model.asked[0]).not.toHaveProperty('judge');
  });

  it('needs somebody whose integrations it is of', async () => {
    use = { ...use, user_id: null };
    await expect(ask()).rejects.toMatchObject({ failure: 'unsupported', message: expect.stringContaining('enable it anew') });
  });

  it('is not lent for a project that they have left', async () => {
    sees = false;
    await expect(ask()).rejects.toMatchObject({ failure: 'unsupported', message: expect.stringContaining('any more') });
    expect(model.asked).toEqual([]);
  });
});

describe('a call that fails', () => {
  it.each([408, 409, 429, 500, 503, 529])('with %s is made again, later each time', async (status) => {
    model.outcomes = [failing(status), failing(status), failing(status), answer];
    expect((await ask()).text).toBe('yes');
    expect(waits).toEqual([1_000, 2_000, 4_000]);
    expect(await spent()).toMatchObject({ calls: 4, failed_calls: 3, cost: 0.5 });
  });

  it('is given up after four tries', async () => {
    model.outcomes = [new PluginError('unavailable', 'fake: could not be reached')];
    await expect(ask()).rejects.toMatchObject({ failure: 'unavailable', message: 'fake: could not be reached, in 4 tries' });
    expect(await spent()).toMatchObject({ calls: 4, failed_calls: 4, cost: 0 });
  });

  it('waits as long as the provider asks for, within a minute', async () => {
    model.outcomes = [failing(429, 7), failing(503, 3_600), answer];
    await ask();
    expect(waits).toEqual([7_000, 60_000]);
  });

  it.each([400, 404, 422])('with %s is not made again', async (status) => {
    model.outcomes = [failing(status)];
    await expect(ask()).rejects.toMatchObject({ failure: 'unsupported' });
    expect(model.asked).toHaveLength(1);
  });

  it.each([401, 403])('with %s switches the integration off for the rest of the job', async (status) => {
    model.outcomes = [failing(status), answer];
    const lend = lender.forJob();
    for (let time = 0; time < 3; time += 1)
      await expect(ask({}, lend)).rejects.toMatchObject({ failure: 'credentials_rejected' });
    expect(model.asked).toHaveLength(1);
    expect((await ask()).text).toBe('yes');
  });

  it('ends when it is told to, and is not made again', async () => {
    model.outcomes = ['silence'];
    const stop = new AbortController();
    const asking = ask({ signal: stop.signal });
    await expect.poll(() => model.asked.length).toBe(1);
    stop.abort(new Error('stopped'));
    await expect(asking).rejects.toThrow('stopped');
    expect(await spent()).toMatchObject({ calls: 1, failed_calls: 1 });
  });
});

describe('an answer', () => {
  it('that can be used is kept, and costs nothing the next time', async () => {
    await ask({ nonce: 'abc', messages: [{ role: 'user', content: '<<x abc>>' }] });
    const again = await ask({ nonce: 'def', messages: [{ role: 'user', content: '<<x def>>' }] });
    expect(again).toEqual({ ...answer, price: 0, cached: true });
    expect(model.asked).toHaveLength(1);
    expect(await spent()).toMatchObject({ calls: 1, cached_answers: 1, cost: 0.5, input_tokens: 10 });
  });

  it.each<[string, Partial<JudgeCall>]>([
    ['another judge', { judge: 1 }],
    ['other parameters', { temperature: 0.5 }],
    ['another system text', { system: 'you are a judge' }],
    ['another schema', { schema: { type: 'object' } }],
    ['another question', { messages: [{ role: 'user', content: 'was it?' }] }],
  ])('is not given to %s', async (_what, more) => {
    await ask();
    await ask(more);
    expect(model.asked).toHaveLength(2);
  });

  it('is not given to another version, or in another project', async () => {
    await ask();
    use = { ...use, scorer_version_id: randomUUID() };
    await ask();
    use = { ...use, project_id: randomUUID() };
    await ask();
    expect(model.asked).toHaveLength(3);
  });

  it('that cannot be used is not kept, nor any for ever', async () => {
    await ask({ accept: () => false });
    await ask();
    expect(model.asked).toHaveLength(2);
    now = new Date('2026-01-09T12:00:00.000Z');
    await ask();
    expect(model.asked).toHaveLength(3);
  });
});

describe('money', () => {
  it('is not known where the price is not', async () => {
    price = null;
    expect((await ask()).price).toBeNull();
    expect(await spent()).toMatchObject({ unpriced_calls: 1, cost: 0 });
  });

  it('ends with the budget of the day, and is there again on the next', async () => {
    use = { ...use, daily_budget: 1 };
    for (const judge of [0, 1]) await ask({ judge });
    await expect(ask({ judge: 2 })).rejects.toMatchObject({
      message: 'the budget of 1 US dollars a day for this scorer is spent',
    });
    expect((await ask({ judge: 0 })).cached).toBe(true);
    now = new Date('2026-01-03T00:00:00.000Z');
    await ask({ judge: 2 });
    expect(model.asked).toHaveLength(3);
  });
});

describe('a model whose provider does not answer', () => {
  const about = (content: string) => ({ messages: [{ role: 'user', content }] }) as const;
  const trip = async () => {
    model.outcomes = [failing(503)];
    for (let at = 0; circuitBreakers.getState('i1', now.getTime()) === 'closed'; at += 1) {
      expect(at).toBeLessThan(CIRCUIT_SETTINGS.maxFailures);
      await expect(ask(about(`question ${at}`))).rejects.toThrow();
    }
  };

  it('is not asked any more after enough failed questions; what waits for it is put off, not failed', async () => {
    await trip();
    const before = model.asked.length;
    await expect(ask(about('another'))).rejects.toMatchObject({ name: 'Deferred', delayMs: CIRCUIT_SETTINGS.openMs });
    expect(model.asked).toHaveLength(before);
  });

  it('is tried once after a while, and asked again by all when that goes well', async () => {
    await trip();
    model.outcomes = [answer];
    now = new Date(now.getTime() + CIRCUIT_SETTINGS.openMs);
    expect(circuitBreakers.getState('i1', now.getTime())).toBe('half_open');
    expect(await ask(about('the try'))).toMatchObject({ text: 'yes' });
    expect(circuitBreakers.getState('i1', now.getTime())).toBe('closed');
  });

  it('fails a trial on samples at once, for which somebody waits', async () => {
    await trip();
    use = { ...use, project_id: '00000000-0000-0000-0000-000000000000' };
    await expect(ask(about('another'))).rejects.toMatchObject({ failure: 'unavailable' });
  });
});
