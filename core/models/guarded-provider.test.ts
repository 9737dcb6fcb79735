import { beforeEach, describe, expect, it } from 'vitest';
import type { Log } from '../kernel/ports.ts';
import { type Completion, type ModelProvider, PluginError } from '../plugin-sdk/index.ts';
import { guarded } from './guarded-provider.ts';

let lines: string[];
const note = (message: string, fields?: object) => void lines.push(JSON.stringify({ message, ...fields }));
const log: Log = { info: note, warn: note, error: note };
const redact = (text: string): string => text.replaceAll('sk-secret', '[secret]');
beforeEach(() => {
  lines = [];
});

const SOUND: Completion = { text: 'yes', usage: { input_tokens: 10, output_tokens: 0 }, finish_reason: 'stop', model: 'm-1' };
const never = new AbortController().signal;

function provider(act: (signal: AbortSignal) => unknown): ModelProvider {
  const method = (given: AbortSignal | { readonly signal: AbortSignal }) =>
    act(given instanceof AbortSignal ? given : given.signal) as Promise<never>;
  return guarded({ complete: method, models: method, check: method }, { log, facts: { integration_id: 'i1' }, redact });
}
const complete = (act: (signal: AbortSignal) => unknown, signal = never) =>
  provider(act).complete({ model: 'm', messages: [{ role: 'user', content: 'is it?' }], signal });
const models = (given: unknown) => provider(async () => given).models(never);

describe('a completion of a plugin', () => {
  it('comes in as it is when it is sound, without what nobody knows and what is null', async () => {
    expect(await complete(async () => ({ ...SOUND, value: { rating: true }, cost: 0.5 }))).toEqual({
      ...SOUND,
      value: { rating: true },
      cost: 0.5,
    });
    const usage = { input_tokens: 10, output_tokens: 0, cached_tokens: null, colour: 'red' };
    expect(await complete(async () => ({ ...SOUND, usage, cost: null, mood: 'good' }))).toEqual(SOUND);
    expect(lines).toEqual([]);
  });

  it.each([
    ['nothing', undefined],
    ['a string', 'yes'],
    ['no usage', { ...SOUND, usage: undefined }],
    ['tokens as a string', { ...SOUND, usage: { input_tokens: '10' } }],
    ['tokens below zero', { ...SOUND, usage: { output_tokens: -1 } }],
    ['no number of tokens', { ...SOUND, usage: { input_tokens: Number.NaN } }],
    ['a fraction of a token', { ...SOUND, usage: { output_tokens: 0.5 } }],
    ['endless tokens', { ...SOUND, usage: { cached_tokens: Number.POSITIVE_INFINITY } }],
    ['a cost below zero', { ...SOUND, cost: -1 }],
    ['no text', { ...SOUND, text: undefined }],
    ['a text without end', { ...SOUND, text: 'x'.repeat(1024 * 1024 + 1) }],
    ['an unknown end', { ...SOUND, finish_reason: 'bored' }],
    ['a model that is no name', { ...SOUND, model: 7 }],
    ['a value that is no JSON', { ...SOUND, value: { big: 7n } }],
  ])('is refused with %s, and logged', async (_, given) => {
    await expect(complete(async () => given)).rejects.toMatchObject({ failure: 'bad_reply', retryable: false });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('i1');
  });
});

describe('a list of models of a plugin', () => {
  it('comes in as it is when it is sound', async () => {
    expect(await models([{ name: 'a', for_scorers: true, alias: null }])).toEqual([{ name: 'a', for_scorers: true }]);
  });

  it.each([
    ['no list', { models: [] }],
    ['nothing', undefined],
    ['names', ['a']],
    ['no word on scorers', [{ name: 'a' }]],
    ['modalities that are no list', [{ name: 'a', for_scorers: true, input_modalities: 'text' }]],
    ['more than anybody offers', Array.from({ length: 10_001 }, () => ({ name: 'a', for_scorers: true }))],
  ])('is refused when it is %s', async (_, given) => {
    await expect(models(given)).rejects.toMatchObject({ failure: 'bad_reply' });
    expect(lines).toHaveLength(1);
  });
});

describe('what a plugin throws', () => {
  it('is a defect unless it is said otherwise: logged with its stack, without secrets, and not asked again', async () => {
    const failing = complete(() => {
      throw new TypeError('no such thing: sk-secret');
    });
    await expect(failing).rejects.toMatchObject({ failure: 'bad_reply', message: 'the plugin failed (TypeError)' });
    expect(lines[0]).toContain('no such thing: [secret]');
    expect(lines[0]).toContain('guarded-provider.test.ts');
    expect(lines.join()).not.toContain('sk-secret');
  });

  it('may pass when it comes from the network', async () => {
    const lost = new TypeError('fetch failed', { cause: Object.assign(new Error('sk-secret'), { code: 'UND_ERR_SOCKET' }) });
    await expect(complete(() => Promise.reject(lost))).rejects.toMatchObject({ failure: 'unavailable', retryable: true });
    expect(lines.join()).not.toContain('sk-secret');
  });

  it('goes on as a PluginError without secret, cause or odd fields', async () => {
    const cause = new Error('sk-secret');
    const thrown = new PluginError('rate_limited', 'slow down, sk-secret', { cause, status: 429, retry_after_seconds: 3 });
    const failed = await complete(() => Promise.reject(thrown)).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      failure: 'rate_limited',
      message: 'slow down, [secret]',
      status: 429,
      retry_after_seconds: 3,
    });
    expect((failed as Error).cause).toBeUndefined();
    expect((failed as Error).stack).not.toContain('sk-secret');
    const odd = new PluginError('on_strike' as never, 'x'.repeat(9_000), { status: Number.NaN, retry_after_seconds: Number.NaN });
    const known = (await complete(() => Promise.reject(odd)).catch((error: unknown) => error)) as PluginError;
    expect(known).toMatchObject({ failure: 'bad_reply', status: undefined, retry_after_seconds: undefined });
    expect(known.message).toHaveLength(1_000);
  });

  it("is the reason of the caller's signal once that is aborted", async () => {
    const stop = new AbortController();
    const failing = complete(async () => {
      stop.abort(new Error('stopped'));
      throw new TypeError('aborted inside');
    }, stop.signal);
    await expect(failing).rejects.toThrow('stopped');
    expect(lines).toEqual([]);
  });
});
