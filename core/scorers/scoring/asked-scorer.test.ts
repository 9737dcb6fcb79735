import { beforeEach, describe, expect, it } from 'vitest';
import type { Log } from '../../kernel/ports.ts';
import type { ScoreItem, ScoreOutcome } from '../../plugin-sdk/index.ts';
import { askScorer } from './asked-scorer.ts';

let lines: string[];
const note = (message: string, fields?: object) => void lines.push(JSON.stringify({ message, ...fields }));
const log: Log = { info: note, warn: note, error: note };
beforeEach(() => {
  lines = [];
});

const ask = (score: () => unknown, records = 1, signal = new AbortController().signal, output_type: string | null = null) => {
  const items: ScoreItem[] = Array.from({ length: records }, (_, at) => ({ record: `${at}` }));
  const facts = { scorer_id: 's1' };
  return askScorer(() => ({ score: score as () => Promise<ScoreOutcome[]> }), { items, signal }, { output_type, log, facts });
};
const ODD = { status: 'failed', message: 'the plugin of the scorer gave a result of an unknown shape' };
const success = (more: object) => ({ status: 'success', value: 1, ...more });

describe('outcomes of a plugin', () => {
  it('come in as they are when they are sound, without what nobody knows', async () => {
    const effort = { model: 'm', num_judges: 2, input_tokens: 7, cost: null, votes: [{ value: [true, false] }], latency_ms: 0.5 };
    const sound = success({ explanation: 'why', effort });
    expect(await ask(() => [{ ...sound, colour: 'red' }])).toEqual([sound]);
    expect(await ask(async () => [{ status: 'not_applicable', message: 'no' }])).toEqual([
      { status: 'not_applicable', message: 'no' },
    ]);
    expect(lines).toEqual([]);
  });

  it.each([
    ['no object', 7],
    ['nothing', undefined],
    ['an unknown status', { status: 'pending' }],
    ['no value', { status: 'success' }],
    ['a value that is no JSON', success({ value: 7n })],
    ['a value in a circle', success({ value: circle() })],
    ['no message', { status: 'failed' }],
    ['an explanation that is no string', success({ explanation: 7 })],
    ['tokens that are a string', success({ effort: { input_tokens: '10' } })],
    ['tokens below zero', success({ effort: { output_tokens: -1 } })],
    ['a fraction of a token', success({ effort: { input_tokens: 0.5 } })],
    ['no number of tokens', success({ effort: { input_tokens: Number.NaN } })],
    ['a cost below zero', success({ effort: { cost: -0.1 } })],
  ])('fail on their record alone when they have %s', async (_, odd) => {
    expect(await ask(() => [odd, success({})], 2)).toEqual([ODD, success({})]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('s1');
  });

  it('are cut to what is kept, and no more than were asked for', async () => {
    const [outcome, ...others] = await ask(() => [success({ explanation: 'x'.repeat(200_000) }), success({})]);
    expect((outcome as { explanation: string }).explanation).toHaveLength(100_000);
    expect(others).toEqual([]);
  });

  it('are held to the output type', async () => {
    expect(await ask(() => [success({ value: 'many' })], 1, undefined, 'count')).toMatchObject([{ status: 'failed' }]);
  });
});

describe('a plugin of a scorer that fails', () => {
  it.each([
    ['throws at once', defect],
    ['rejects', async () => defect()],
    ['gives no list', async () => ({})],
  ])('by a defect (%s) says so for good, and is logged with where it was', async (_, score) => {
    await expect(ask(score)).rejects.toMatchObject({ failure: 'bad_reply', retryable: false });
    expect(lines).toHaveLength(1);
  });

  it('logs the stack of a defect', async () => {
    await expect(ask(defect)).rejects.toThrow('the plugin of the scorer failed (TypeError)');
    expect(lines[0]).toContain('asked-scorer.test.ts');
  });

  it('is asked again after what may pass', async () => {
    const lost = new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
    await expect(ask(() => Promise.reject(lost))).rejects.toBe(lost);
    const busy = new Error('the sandbox cannot start a process');
    await expect(ask(() => Promise.reject(busy))).rejects.toBe(busy);
  });

  it('does not hold up a job that is ended, whether it heeds the signal or not', async () => {
    const stop = new AbortController();
    const asked = ask(() => new Promise(() => {}), 1, stop.signal);
    stop.abort(new Error('ended'));
    await expect(asked).rejects.toThrow('ended');
  });
});

/** As a plugin in plain JavaScript would have it. */
function defect(): unknown {
  return (undefined as unknown as { value: unknown }).value;
}

function circle(): unknown[] {
  const round: unknown[] = [];
  round.push(round);
  return round;
}
