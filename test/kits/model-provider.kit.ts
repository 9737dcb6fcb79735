import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { MAX_REPLY_BYTES, PluginError, SDK_VERSION, secretPaths, withoutSecrets, z } from '../../core/plugin-sdk/index.ts';
import { asks } from './fake-provider.ts';
import { ELSEWHERE, expectNone, failureOf, linesOf, type ModelProviderCase, shapeOf, stageOf } from './provider-stage.ts';
import { settingsTable } from './settings-table.ts';

const SCHEMA = {
  type: 'object',
  properties: { explanation: { type: 'string' }, rating: { type: 'boolean' } },
  required: ['explanation', 'rating'],
  additionalProperties: false,
};
const HEADINGS = ['Status', 'Settings', 'Errors', 'Example', 'Limits'];
const ECHO = 'what the far side said';
/** What every model-provider plugin has to hold; a plugin's own test calls it in one line. */
export function modelProviderKit<S extends z.ZodType>(given: ModelProviderCase<S>): void {
  const { plugin, settings, folder, expected } = given;

  describe(`model provider ${plugin.id}`, () => {
    const stage = stageOf(given);

    it('has a well-formed head and is frozen', () => {
      expect(plugin.id).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
      expect(plugin.kind).toBe('model_provider');
      expect(plugin.sdk).toBe(SDK_VERSION);
      expect(['experimental', 'stable', 'deprecated']).toContain(plugin.stability);
      expect(plugin.label).toMatch(/^\S.*\S$/);
      expect(plugin.summary).toMatch(/^[A-Z].*\.$/);
      expect(Object.isFrozen(plugin)).toBe(true);
    });

    it('has settings that print as JSON Schema, with a secret and a meaning for every field', () => {
      const printed = z.toJSONSchema(plugin.settings, { io: 'input' });
      expect(printed).toMatchObject({ type: 'object', additionalProperties: false });
      expect(secretPaths(plugin.settings)).not.toEqual([]);
      const silent = Object.entries(printed.properties ?? {}).filter(
        ([, field]) => !(field as { description?: string }).description,
      );
      expect(silent.map(([name]) => name)).toEqual([]);
    });

    it('accepts its settings as they are printed back', () => {
      const parsed = plugin.settings.parse(settings);
      expect(plugin.settings.parse(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed);
    });

    it('refuses empty and unknown settings, without repeating a secret', () => {
      expect(plugin.settings.safeParse({}).success).toBe(false);
      const surprised = plugin.settings.safeParse({ ...(settings as object), surprise: 'yes' });
      expect(surprised.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['surprise'] }]);
      expectNone(stage.canaries, surprised.error);
    });

    it('refuses an unknown type of credentials by its name', () => {
      for (const field of ['authentication_type', 'credential_type'].filter((name) => name in shapeOf(plugin.settings))) {
        const refused = plugin.settings.safeParse({ ...(settings as object), [field]: 'surprise' });
        expect(refused.error?.issues).toMatchObject([{ path: [field] }]);
        expectNone(stage.canaries, refused.error);
      }
    });

    it('shows its settings without secrets', () => {
      const shown = withoutSecrets(plugin.settings, plugin.settings.parse(settings));
      expectNone(stage.canaries, shown);
      expect(stage.canaries.length).toBeGreaterThan(0);
    });

    it('asks nothing when it is created', () => {
      stage.create();
      expect(stage.fake.seen).toEqual([]);
    });

    it('reads a good reply', async () => {
      expect(await stage.create().complete(stage.request())).toEqual(expected);
      const asked = stage.fake.seen.filter((one) => asks(one) === stage.answer.asks);
      expect(asked).toHaveLength(1);
      expect(asked[0]?.body).toContain('You judge.');
      expect(asked[0]?.body).toContain('Is it good?');
    });

    it('reads a structured answer', async () => {
      stage.answerWith('structured');
      const completion = await stage.create().complete(stage.request({ schema: SCHEMA }));
      expect(completion.value).toEqual(given.expectedValue);
      expect(JSON.parse(completion.text)).toEqual(given.expectedValue);
    });

    it('gives the text alone when it is not the JSON that was asked for', async () => {
      const completion = await stage.create().complete(stage.request({ schema: SCHEMA }));
      expect(completion.text).toBe(expected.text);
      expect(completion.value).toBeUndefined();
    });

    it('offers models', async () => {
      const offered = await stage.create().models(new AbortController().signal);
      expect(offered.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(given.offered);
    });

    it('checks with a call that good settings pass', async () => {
      await stage.create().check(new AbortController().signal);
      expect(stage.fake.seen.length).toBeGreaterThan(0);
    });

    it('takes nothing from the environment', async () => {
      const provider = stage.create();
      await provider.complete(stage.request());
      await provider.check(new AbortController().signal);
      expectNone([ELSEWHERE], stage.fake.seen);
    });

    it.each([
      [401, 'credentials_rejected', false],
      [403, 'credentials_rejected', false],
      [400, 'unsupported', false],
      [404, 'unsupported', false],
      [429, 'rate_limited', true],
      [408, 'unavailable', true],
      [500, 'unavailable', true],
      [503, 'unavailable', true],
      [529, 'unavailable', true],
    ])('reads status %i as %s', async (status, failure, retryable) => {
      stage.answerOnly({ status, body: JSON.stringify({ error: { message: `${ECHO}: ${stage.canaries.join(' ')}` } }) });
      const calls = [stage.create().complete(stage.request()), stage.create().check(new AbortController().signal)];
      for (const error of await Promise.all(calls.map(failureOf))) {
        expect(error).toMatchObject({ failure, retryable, status });
        expectNone([...stage.canaries, ECHO], error, stage.logged);
      }
    });

    it.each([
      [{ 'retry-after': '7' }, 7],
      [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1.5],
      [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30],
      [{}, undefined],
    ])('carries how long to wait of %j', async (headers, seconds) => {
      stage.answerOnly({ status: 429, headers, body: '{}' });
      expect(await failureOf(stage.create().complete(stage.request()))).toMatchObject({ retry_after_seconds: seconds });
    });

    it.each([
      ['cut in the middle', JSON.stringify(stage.answer.body).slice(0, -20)],
      ['not JSON', `<html>${ECHO}</html>`],
      ['empty', ''],
      ['of another shape', JSON.stringify({ surprise: ECHO })],
      ['a list', '[]'],
    ])('refuses a reply that is %s', async (_what, body) => {
      stage.answerOnly({ body });
      const error = await failureOf(stage.create().complete(stage.request()));
      expect(error).toMatchObject({ failure: 'bad_reply', retryable: false });
      expectNone([...stage.canaries, ECHO], error, stage.logged);
    });

    it('stops reading a reply that does not end', async () => {
      stage.answerOnly('endless');
      const error = await failureOf(stage.create().complete(stage.request()));
      expect(error).toMatchObject({ failure: 'bad_reply', message: expect.stringContaining(String(MAX_REPLY_BYTES)) });
      await stage.fake.seen.at(-1)?.hungUp;
    });

    it('follows no redirect', async () => {
      stage.answerOnly({ status: 307, headers: { location: 'https://elsewhere.test/' }, body: '' });
      expect(await failureOf(stage.create().complete(stage.request()))).toMatchObject({ failure: 'bad_reply' });
      expect(stage.fake.seen.filter((one) => one.url.includes('elsewhere'))).toEqual([]);
      expect(stage.fake.seen.filter((one) => asks(one) === stage.answer.asks)).toHaveLength(1);
    });

    it('says that the far side cannot be reached when the connection is lost or refused', async () => {
      stage.answerOnly('cut');
      expect(await failureOf(stage.create().complete(stage.request()))).toMatchObject({ failure: 'unavailable' });
      const refusing = stage.create(() => Promise.reject(new TypeError(`fetch failed: ${stage.canaries.join(' ')}`)));
      const error = await failureOf(refusing.complete(stage.request()));
      expect(error).toMatchObject({ failure: 'unavailable' });
      expectNone(stage.canaries, error, stage.logged);
    });

    it("lets the host's own refusal pass", async () => {
      const refusal = new PluginError('unsupported', 'the address is not allowed');
      expect(await failureOf(stage.create(() => Promise.reject(refusal)).complete(stage.request()))).toBe(refusal);
    });

    it.each(['silence', 'stall'] as const)('ends at once when it is aborted during %s', async (reply) => {
      stage.answerOnly(reply);
      const reason = new Error('the caller changed its mind');
      const controller = new AbortController();
      const call = stage.create().complete(stage.request({ signal: controller.signal }));
      call.catch(() => {});
      await vi.waitUntil(() => stage.fake.seen.some((one) => asks(one) === stage.answer.asks), { timeout: 5000, interval: 5 });
      controller.abort(reason);
      await expect(call).rejects.toBe(reason);
      await stage.fake.seen.at(-1)?.hungUp;
    });

    it('ends with the reason of a time limit', async () => {
      stage.answerOnly('silence');
      await expect(stage.create().complete(stage.request({ signal: AbortSignal.timeout(200) }))).rejects.toMatchObject({
        name: 'TimeoutError',
      });
      await expect(stage.create().check(AbortSignal.timeout(200))).rejects.toMatchObject({ name: 'TimeoutError' });
    });

    it('lets no name lead to another address', async () => {
      await stage
        .create()
        .complete(stage.request({ model: '../../keys?x=1' }))
        .catch(() => {});
      expect(stage.fake.seen.filter((one) => /[/]keys/.test(new URL(one.url).pathname))).toEqual([]);
    });

    describe.runIf(existsSync(join(folder, 'README.md')))('README', () => {
      const readme = existsSync(join(folder, 'README.md')) ? readFileSync(join(folder, 'README.md'), 'utf8') : '';
      it('has the five headings and the settings as they are', () => {
        expect([...readme.matchAll(/^## (.+)$/gm)].map((match) => match[1])).toEqual(HEADINGS);
        expect(readme).toContain(settingsTable(plugin.settings));
      });

      it('has an example that the settings accept', () => {
        const example = /```json\n([^`]+)```/.exec(readme)?.[1] ?? '';
        expect(plugin.settings.safeParse(JSON.parse(example)).error?.issues).toBeUndefined();
      });
    });

    const lines = linesOf(folder);
    it(`has no file over 150 lines (${[...lines].map(([name, count]) => `${name} ${count}`).join(', ')})`, () => {
      expect([...lines.values()].filter((count) => count > 150)).toEqual([]);
    });
  });
}
