import { beforeEach, describe, expect, it } from 'vitest';
import { silent } from '../../test/setup/silent.ts';
import { PluginError } from '../plugin-sdk/index.ts';
import { CIRCUIT_SETTINGS } from './circuit-breaker.ts';
import { MAX_CONCURRENT_CALLS } from './concurrency-limiter.ts';
import { ProviderCalls } from './provider-calls.ts';

const SETTINGS = { id: 'i1', provider: 'fake', updated_at: '2026-01-01T00:00:00.000Z' };
const settle = () => new Promise((resolve) => setImmediate(resolve));

let now: number;
let calls: ProviderCalls;
beforeEach(() => {
  now = Date.parse('2026-01-02T00:00:00.000Z');
  calls = new ProviderCalls({ clock: () => new Date(now), log: silent });
});

const call = <T>(question: string | undefined, run: (signal: AbortSignal) => Promise<T>, more: object = {}, target = SETTINGS) =>
  calls.attempt(target, {
    owner: 'a project',
    deadlineMs: 10_000,
    ...(question !== undefined && { question }),
    call: run,
    ...more,
  });
const unavailable = () => Promise.reject(new PluginError('unavailable', 'fake: answered 503'));
const trip = async () => {
  for (let at = 0; at < CIRCUIT_SETTINGS.maxFailures; at += 1)
    await expect(call(`question ${at}`, unavailable)).rejects.toThrow();
  expect(calls.circuitOf('i1')).toBe('open');
};

/** Calls that hold all slots until they are ended. */
function fill() {
  const ends: (() => void)[] = [];
  const held = Array.from({ length: MAX_CONCURRENT_CALLS }, (_, at) =>
    call(`held ${at}`, () => new Promise<void>((resolve) => ends.push(resolve))),
  );
  return {
    end: async () => {
      await settle();
      for (const one of ends) one();
      await Promise.all(held);
    },
  };
}

describe('calls of the provider of an integration', () => {
  it('have as many slots as one limiter gives, lists of models among them, and others have their own', async () => {
    const { end } = fill();
    const done: string[] = [];
    const listing = call(undefined, async () => done.push('listed'), { owner: 'directory' });
    const other = call('q', async () => 'other', {}, { ...SETTINGS, id: 'i2' });
    expect(await other).toBe('other');
    await settle();
    expect(done).toEqual([]);
    await end();
    await listing;
    expect(done).toEqual(['listed']);
  });

  it('that wait for a slot longer than they may are refused, which says nothing of the provider', async () => {
    const { end } = fill();
    const late = call(undefined, async () => 'late', { maxWaitMs: 5 });
    await expect(late).rejects.toThrow('fake: too many calls are waiting for this integration');
    await end();
    expect(await call(undefined, async () => 'next', { maxWaitMs: 5 })).toBe('next');
    expect(calls.circuitOf('i1')).toBe('closed');
  });

  it('are refused at once while the circuit breaker is open, those that wait for a slot too', async () => {
    const failures: (() => void)[] = [];
    const failing = Array.from({ length: 2 * CIRCUIT_SETTINGS.maxFailures }, (_, at) =>
      call(`question ${at}`, () => new Promise((_resolve, reject) => failures.push(() => unavailable().catch(reject)))),
    );
    const outcomes = Promise.allSettled(failing);
    while (calls.circuitOf('i1') === 'closed') {
      await settle();
      failures.shift()?.();
    }
    for (const fail of failures) fail();
    const reasons = (await outcomes).map((one) => (one.status === 'rejected' ? one.reason.message : 'none'));
    const open = 'fake: did not answer several calls in a row, and is not called for another 15 s';
    expect(reasons.filter((reason) => reason === open)).not.toHaveLength(0);
    const made: string[] = [];
    for (const question of ['another', undefined])
      await expect(call(question, async () => made.push('call'))).rejects.toThrow(open);
    expect(made).toEqual([]);
  });

  it('to list models pass while it is half open, and leave the decision to a completion', async () => {
    await trip();
    now += CIRCUIT_SETTINGS.openMs;
    expect(await call(undefined, async () => 'models')).toBe('models');
    expect(calls.circuitOf('i1')).toBe('half_open');
    await call('the try', async () => 'yes');
    expect(calls.circuitOf('i1')).toBe('closed');
  });

  it('are made again with settings that have changed since', async () => {
    await trip();
    const changed = { ...SETTINGS, updated_at: '2026-01-02T00:00:00.000Z' };
    expect(await call('q', async () => 'new', {}, changed)).toBe('new');
    expect(calls.circuitOf('i1')).toBe('closed');
  });

  it('end at the deadline when they never return, and give their slots back', async () => {
    const hung = Array.from({ length: MAX_CONCURRENT_CALLS }, () => call('one', () => new Promise(() => {}), { deadlineMs: 5 }));
    for (const one of hung) await expect(one).rejects.toThrow('no answer within 0.005 seconds');
    expect(await call('two', async () => 'next')).toBe('next');
  });

  it('fail when they throw before they return a promise, and give their slots back', async () => {
    const throwing = () => {
      throw new TypeError('a defect');
    };
    for (let at = 0; at <= MAX_CONCURRENT_CALLS; at += 1) await expect(call('one', throwing)).rejects.toThrow('the call failed');
    expect(await call('two', async () => 'next')).toBe('next');
  });

  it('that are not ready to be made say nothing of the provider', async () => {
    const prepare = () => Promise.reject(new Error('no budget'));
    for (let at = 0; at < CIRCUIT_SETTINGS.maxFailures; at += 1)
      await expect(call(`${at}`, async () => 'made', { prepare })).rejects.toThrow('no budget');
    expect(calls.circuitOf('i1')).toBe('closed');
  });
});
