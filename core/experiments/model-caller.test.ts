import { beforeEach, describe, expect, it } from 'vitest';
import { ScriptedModel } from '../../test/setup/scripted-model.ts';
import { type Completion, PluginError } from '../plugin-sdk/index.ts';
import { ModelCaller } from './model-caller.ts';

const answer: Completion = { text: 'yes', usage: { input_tokens: 2 }, finish_reason: 'stop', model: 'm-1' };
const question = { messages: [{ role: 'user', content: 'is it?' }] } as const;
const never = new AbortController().signal;

let model: ScriptedModel;
let waits: number[];
let offered: Error | undefined;
let caller: ModelCaller;
beforeEach(() => {
  waits = [];
  model = new ScriptedModel(answer);
  offered = undefined;
  const integration = { id: 'i1', provider: 'fake' };
  caller = new ModelCaller({
    modelDirectory: {
      offer: async () => {
        if (offered) throw offered;
        return { integration, provider: model, model: 'm' } as never;
      },
    },
    priceBook: { computeCost: () => 0.5 },
    patience: { sleep: async (ms) => void waits.push(ms), random: () => 1 },
    clock: () => new Date('2026-01-02T12:00:00.000Z'),
  });
});
const ask = async (signal = never) => (await caller.open('ada', 'alias'))(question, signal);
const failing = (status: number, retry_after?: number) => PluginError.fromStatus(status, 'fake', retry_after);

describe('a model that a prompt is run with', () => {
  it('is asked by its name at the provider, and says what the answer cost', async () => {
    expect(await ask()).toEqual({ completion: answer, cost: 0.5 });
    expect(model.asked[0]).toMatchObject({ ...question, model: 'm' });
  });

  it('is left alone as long as its provider asks, and asked again', async () => {
    model.outcomes = [failing(429, 7), failing(503), answer];
    expect((await ask()).completion.text).toBe('yes');
    expect(waits).toEqual([7_000, 2_000]);
  });

  it('is given up after four tries, or at once where no other would do better', async () => {
    model.outcomes = [failing(503)];
    await expect(ask()).rejects.toMatchObject({ failure: 'unavailable' });
    expect(model.asked).toHaveLength(4);
    model.outcomes = [failing(401)];
    await expect(ask()).rejects.toMatchObject({ failure: 'credentials_rejected' });
    expect(model.asked).toHaveLength(5);
  });

  it('is not waited for when the work was ended', async () => {
    model.outcomes = ['silence'];
    const stop = new AbortController();
    const waiting = ask(stop.signal);
    setTimeout(() => stop.abort(new Error('over')), 5);
    await expect(waiting).rejects.toThrow('over');
    expect(model.asked).toHaveLength(1);
  });

  it('that nobody offers ends the run; one that may be offered later puts it off', async () => {
    offered = new PluginError('unsupported', 'no integration offers the model "alias"');
    await expect(ask()).rejects.toMatchObject({ kind: 'unusable', code: 'model_not_offered', message: offered.message });
    offered = new PluginError('unavailable', 'a provider does not answer');
    await expect(ask()).rejects.toMatchObject({ kind: 'unavailable', code: 'model_unavailable' });
  });
});
