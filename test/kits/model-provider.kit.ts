import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Completion,
  type CompletionRequest,
  MAX_REPLY_BYTES,
  type ModelProviderPlugin,
  type OfferedModel,
  PluginError,
  SDK_VERSION,
  secretPaths,
  withoutSecrets,
  z,
} from '../../core/plugin-sdk/index.ts';
import { asks, type FakeProvider, type FakeReply, hostOf, type SeenRequest, startFakeProvider } from './fake-provider.ts';
import { settingsTable } from './settings-table.ts';

/** A file of `replies/`: what is asked, without the query, and the body it is answered with. */
interface Captured {
  readonly asks: string;
  readonly body: unknown;
}

export interface ModelProviderCase<S extends z.ZodType> {
  readonly plugin: ModelProviderPlugin<S>;
  /** Settings that the schema accepts. Whatever stands in their secrets must show up nowhere. */
  readonly settings: z.input<S>;
  /**
   * The plugin's folder. Its `replies/` hold `answer.json`, `structured.json` and, where the far side is asked for them,
   * `models.json` and `check.json`, besides what is asked on the way, named `token*.json`.
   */
  readonly folder: string;
  readonly model: string;
  /** What is read from `answer.json`, and from `structured.json`. */
  readonly expected: Completion;
  readonly expectedValue: unknown;
  readonly offered: readonly OfferedModel[];
  readonly operatorSettings?: Readonly<Record<string, string>>;
}

const SCHEMA = {
  type: 'object',
  properties: { explanation: { type: 'string' }, rating: { type: 'boolean' } },
  required: ['explanation', 'rating'],
  additionalProperties: false,
};
const HEADINGS = ['Status', 'Settings', 'Errors', 'Example', 'Limits'];
const ECHO = 'what the far side said';
const ELSEWHERE = 'environment-canary';
/** Where vendors' packages look for what they were not given. */
const ENVIRONMENT = [
  ...['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'MISTRAL_API_KEY'],
  ...['AZURE_API_KEY', 'AZURE_RESOURCE_NAME', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_VERTEX_API_KEY', 'AWS_REGION'],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK', 'AWS_ENDPOINT_URL'],
];

/** What every model-provider plugin has to hold; a plugin's own test calls it in one line. */
export function modelProviderKit<S extends z.ZodType>(given: ModelProviderCase<S>): void {
  const { plugin, settings, folder, model, expected } = given;
  const replies = new Map(globSync(join(folder, 'replies/*.json')).map((path) => [basename(path, '.json'), capturedIn(path)]));
  const answer = replies.get('answer');
  const structured = replies.get('structured');
  if (!answer || !structured) throw new Error(`${folder} has no replies/answer.json or no replies/structured.json`);

  describe(`model provider ${plugin.id}`, () => {
    let fake: FakeProvider;
    const logged: unknown[] = [];
    const canaries = secretsOf(plugin.settings, settings);

    const host = (fetch = fake.fetch) =>
      hostOf(fake, {
        fetch,
        log: (...line) => logged.push(line),
        operatorSetting: (name) => given.operatorSettings?.[name],
      });
    const create = (fetch?: typeof globalThis.fetch) => plugin.create(host(fetch), plugin.settings.parse(settings));
    const request = (more: Partial<CompletionRequest> = {}): CompletionRequest => ({
      model,
      system: 'You judge.',
      messages: [{ role: 'user', content: 'Is it good?' }],
      signal: new AbortController().signal,
      ...more,
    });
    const goodly = (main: Captured) => (seen: SeenRequest) => replyTo(seen, [main, ...replies.values()]);
    /** Tokens are issued as ever; whatever else is asked gets this reply. */
    const only = (reply: FakeReply) => (seen: SeenRequest) =>
      replyTo(
        seen,
        [...replies].filter(([name]) => name.startsWith('token')).map(([, one]) => one),
        reply,
      );

    beforeAll(async () => {
      for (const name of ENVIRONMENT) vi.stubEnv(name, name.endsWith('URL') ? `https://${ELSEWHERE}.test` : ELSEWHERE);
      vi.stubGlobal('fetch', () => Promise.reject(new Error(`${plugin.id} went past the host's fetch`)));
      fake = await startFakeProvider();
    });
    beforeEach(() => {
      fake.seen.length = 0;
      logged.length = 0;
      fake.answer = goodly(answer);
    });
    afterAll(async () => {
      vi.unstubAllEnvs();
      vi.unstubAllGlobals();
      await fake.close();
    });

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
      expectNone(canaries, surprised.error);
    });

    it('refuses an unknown type of credentials by its name', () => {
      for (const field of ['authentication_type', 'credential_type'].filter((name) => name in shapeOf(plugin.settings))) {
        const refused = plugin.settings.safeParse({ ...(settings as object), [field]: 'surprise' });
        expect(refused.error?.issues).toMatchObject([{ path: [field] }]);
        expectNone(canaries, refused.error);
      }
    });

    it('shows its settings without secrets', () => {
      const shown = withoutSecrets(plugin.settings, plugin.settings.parse(settings));
      expectNone(canaries, shown);
      expect(canaries.length).toBeGreaterThan(0);
    });

    it('asks nothing when it is created', () => {
      create();
      expect(fake.seen).toEqual([]);
    });

    it('reads a good reply', async () => {
      expect(await create().complete(request())).toEqual(expected);
      const asked = fake.seen.filter((one) => asks(one) === answer.asks);
      expect(asked).toHaveLength(1);
      expect(asked[0]?.body).toContain('You judge.');
      expect(asked[0]?.body).toContain('Is it good?');
    });

    it('reads a structured answer', async () => {
      fake.answer = goodly(structured);
      const completion = await create().complete(request({ schema: SCHEMA }));
      expect(completion.value).toEqual(given.expectedValue);
      expect(JSON.parse(completion.text)).toEqual(given.expectedValue);
    });

    it('gives the text alone when it is not the JSON that was asked for', async () => {
      const completion = await create().complete(request({ schema: SCHEMA }));
      expect(completion.text).toBe(expected.text);
      expect(completion.value).toBeUndefined();
    });

    it('offers models', async () => {
      const offered = await create().models(new AbortController().signal);
      expect(offered.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(given.offered);
    });

    it('checks with a call that good settings pass', async () => {
      await create().check(new AbortController().signal);
      expect(fake.seen.length).toBeGreaterThan(0);
    });

    it('takes nothing from the environment', async () => {
      const provider = create();
      await provider.complete(request());
      await provider.check(new AbortController().signal);
      expectNone([ELSEWHERE], fake.seen);
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
      fake.answer = only({ status, body: JSON.stringify({ error: { message: `${ECHO}: ${canaries.join(' ')}` } }) });
      const calls = [create().complete(request()), create().check(new AbortController().signal)];
      for (const error of await Promise.all(calls.map(failureOf))) {
        expect(error).toMatchObject({ failure, retryable, status });
        expectNone([...canaries, ECHO], error, logged);
      }
    });

    it.each([
      [{ 'retry-after': '7' }, 7],
      [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1.5],
      [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30],
      [{}, undefined],
    ])('carries how long to wait of %j', async (headers, seconds) => {
      fake.answer = only({ status: 429, headers, body: '{}' });
      expect(await failureOf(create().complete(request()))).toMatchObject({ retry_after_seconds: seconds });
    });

    it.each([
      ['cut in the middle', JSON.stringify(answer.body).slice(0, -20)],
      ['not JSON', `<html>${ECHO}</html>`],
      ['empty', ''],
      ['of another shape', JSON.stringify({ surprise: ECHO })],
      ['a list', '[]'],
    ])('refuses a reply that is %s', async (_what, body) => {
      fake.answer = only({ body });
      const error = await failureOf(create().complete(request()));
      expect(error).toMatchObject({ failure: 'bad_reply', retryable: false });
      expectNone([...canaries, ECHO], error, logged);
    });

    it('stops reading a reply that does not end', async () => {
      fake.answer = only('endless');
      const error = await failureOf(create().complete(request()));
      expect(error).toMatchObject({ failure: 'bad_reply', message: expect.stringContaining(String(MAX_REPLY_BYTES)) });
      await fake.seen.at(-1)?.hungUp;
    });

    it('follows no redirect', async () => {
      fake.answer = only({ status: 307, headers: { location: 'https://elsewhere.test/' }, body: '' });
      expect(await failureOf(create().complete(request()))).toMatchObject({ failure: 'bad_reply' });
      expect(fake.seen.filter((one) => one.url.includes('elsewhere'))).toEqual([]);
      expect(fake.seen.filter((one) => asks(one) === answer.asks)).toHaveLength(1);
    });

    it('says that the far side cannot be reached when the connection is lost or refused', async () => {
      fake.answer = only('cut');
      expect(await failureOf(create().complete(request()))).toMatchObject({ failure: 'unavailable' });
      const refusing = create(() => Promise.reject(new TypeError(`fetch failed: ${canaries.join(' ')}`)));
      const error = await failureOf(refusing.complete(request()));
      expect(error).toMatchObject({ failure: 'unavailable' });
      expectNone(canaries, error, logged);
    });

    it("lets the host's own refusal pass", async () => {
      const refusal = new PluginError('unsupported', 'the address is not allowed');
      expect(await failureOf(create(() => Promise.reject(refusal)).complete(request()))).toBe(refusal);
    });

    it.each(['silence', 'stall'] as const)('ends at once when it is aborted during %s', async (reply) => {
      fake.answer = only(reply);
      const reason = new Error('the caller changed its mind');
      const controller = new AbortController();
      const call = create().complete(request({ signal: controller.signal }));
      call.catch(() => {});
      await vi.waitUntil(() => fake.seen.some((one) => asks(one) === answer.asks), { timeout: 5000, interval: 5 });
      controller.abort(reason);
      await expect(call).rejects.toBe(reason);
      await fake.seen.at(-1)?.hungUp;
    });

    it('ends with the reason of a time limit', async () => {
      fake.answer = only('silence');
      await expect(create().complete(request({ signal: AbortSignal.timeout(200) }))).rejects.toMatchObject({
        name: 'TimeoutError',
      });
      await expect(create().check(AbortSignal.timeout(200))).rejects.toMatchObject({ name: 'TimeoutError' });
    });

    it('lets no name lead to another address', async () => {
      await create()
        .complete(request({ model: '../../keys?x=1' }))
        .catch(() => {});
      expect(fake.seen.filter((one) => /[/]keys/.test(new URL(one.url).pathname))).toEqual([]);
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

const capturedIn = (path: string): Captured => JSON.parse(readFileSync(path, 'utf8'));

function replyTo(seen: SeenRequest, captured: readonly Captured[], otherwise?: FakeReply): FakeReply {
  const found = captured.find((one) => one.asks === asks(seen));
  if (!found) return otherwise ?? { status: 404, body: '' };
  return { body: typeof found.body === 'string' ? found.body : JSON.stringify(found.body) };
}

async function failureOf(call: Promise<unknown>): Promise<PluginError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(PluginError);
  return outcome as PluginError;
}

/** Nowhere: not in messages, causes, stacks, nor in anything reachable from them. */
function expectNone(canaries: readonly string[], ...places: readonly unknown[]): void {
  const shown = inspect(places, { depth: 12, showHidden: true, maxStringLength: null, maxArrayLength: null });
  expect(canaries.filter((canary) => shown.includes(canary))).toEqual([]);
}

const shapeOf = (settings: z.ZodType): object => (z.toJSONSchema(settings, { io: 'input' }).properties ?? {}) as object;

/** The texts in the secrets of settings, those inside JSON texts too. */
function secretsOf(schema: z.ZodType, settings: unknown): string[] {
  return secretPaths(schema).flatMap((path) => textsIn(path.reduce<unknown>((held, name) => Object(held)[name], settings)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  if (typeof value !== 'string') return [];
  return value.startsWith('{') ? textsIn(JSON.parse(value)) : [value];
}

function linesOf(folder: string): Map<string, number> {
  const sources = globSync(join(folder, '*.{ts,js}')).filter((path) => !/\.test\.[jt]s$/.test(path));
  return new Map(sources.map((path) => [basename(path), readFileSync(path, 'utf8').trimEnd().split('\n').length]));
}
