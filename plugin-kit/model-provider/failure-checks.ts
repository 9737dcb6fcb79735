import assert from 'node:assert/strict';
import { MAX_REPLY_BYTES, PluginError, type PluginFailure } from '../../core/plugin-sdk/index.ts';
import { type Check, check, expectFailure, expectNone, captureFailure as rejectedWith, until } from '../check.ts';
import { asks, type FakeReply, type SeenRequest } from '../fake-provider.ts';
import type { TestProvider } from './test-provider.ts';

/** How long a call that failed may take to end. */
const LIMIT_MS = 5_000;
const ECHO = 'what the upstream service said';

const STATUSES: readonly (readonly [status: number, failure: PluginFailure])[] = [
  [401, 'credentials_rejected'],
  [403, 'credentials_rejected'],
  [400, 'unsupported'],
  [404, 'unsupported'],
  [429, 'rate_limited'],
  [408, 'unavailable'],
  [500, 'unavailable'],
  [503, 'unavailable'],
  [529, 'unavailable'],
];

const WAITS: readonly (readonly [headers: Readonly<Record<string, string>>, seconds: number | undefined])[] = [
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1.5],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30],
  [{}, undefined],
];

/** Shapes of vendors' errors: objects, a text, a list. */
const errorShapes = (said: string): Readonly<Record<string, string>> => ({
  'nested object': JSON.stringify({
    error: { message: said, code: said, type: said, param: said, status: said, details: [{ reason: said }] },
  }),
  'flat object': JSON.stringify({
    message: said,
    Message: said,
    detail: said,
    title: said,
    reason: said,
    code: said,
    __type: said,
  }),
  'OAuth object': JSON.stringify({ error: said, error_description: said }),
  'list of errors': JSON.stringify({ errors: [{ message: said, detail: said }], detail: [{ msg: said, loc: [said] }] }),
  fault: JSON.stringify({ fault: { faultstring: said, detail: { errorcode: said } }, Error: { Message: said } }),
  list: JSON.stringify([{ error: { message: said } }]),
  string: JSON.stringify(said),
  'plain text': said,
});

/** Checks of malformed replies and lost connections. */
export function failureChecks(testProvider: TestProvider): Check[] {
  const completing = () => testProvider.create().complete(testProvider.request());
  const leaked = () => [...testProvider.canaries, ECHO];
  const said = () => `${ECHO}: ${testProvider.canaries.join(' ')}`;
  const bodies = {
    'cut in the middle': JSON.stringify(testProvider.answer.body).slice(0, -20),
    'not JSON': `<html>${ECHO}</html>`,
    empty: '',
    'of another shape': JSON.stringify({ surprise: ECHO }),
    'a list': '[]',
    'an error': JSON.stringify({ error: { message: said(), code: said() } }),
  };
  return [
    ...STATUSES.map(([status, failure]) =>
      check(`reads status ${status} as ${failure}`, async () => {
        testProvider.answerOnly({ status, body: JSON.stringify({ error: { message: said() } }) });
        for (const [method, call] of methodsOf(testProvider)) {
          const error = await captureFailure(call, testProvider);
          if (!error) continue;
          assert.equal(error.failure, failure, `of ${method}`);
          assert.equal(error.status, status, `of ${method}`);
          expectNone(leaked(), error, testProvider.logged);
        }
      }),
    ),
    check('repeats nothing of an error, whatever its shape', async () => {
      for (const status of [400, 401, 500])
        for (const [shape, body] of Object.entries(errorShapes(said()))) {
          const headers = { 'x-error-message': ECHO, 'www-authenticate': `Bearer error="${ECHO}"`, 'x-amzn-errortype': ECHO };
          testProvider.answerOnly({ status, headers, body });
          for (const [method, call] of methodsOf(testProvider)) {
            const error = await captureFailure(call, testProvider);
            if (error) expectNone(leaked(), { shape, method, error }, testProvider.logged);
          }
        }
    }),
    ...WAITS.map(([headers, seconds]) =>
      check(`carries how long to wait of ${JSON.stringify(headers)}`, async () => {
        testProvider.answerOnly({ status: 429, headers, body: '{}' });
        assert.equal((await expectFailure(completing(), 'rate_limited')).retry_after_seconds, seconds);
      }),
    ),
    ...Object.entries(bodies).map(([what, body]) =>
      check(`refuses a reply that is ${what}`, async () => {
        testProvider.answerOnly({ body });
        expectNone(leaked(), await expectFailure(completing(), 'bad_reply'), testProvider.logged);
      }),
    ),
    check('stops reading a reply that does not end', async () => {
      testProvider.answerOnly('endless');
      assert.match((await expectFailure(completing(), 'bad_reply')).message, new RegExp(String(MAX_REPLY_BYTES)));
      await testProvider.fake.seen.at(-1)?.hungUp;
    }),
    check('follows no redirect', async () => {
      testProvider.answerOnly({ status: 307, headers: { location: 'https://elsewhere.test/' }, body: '' });
      await expectFailure(completing(), 'bad_reply');
      assert.deepEqual(testProvider.fake.seen.filter(({ url }) => url.includes('elsewhere')).map(asks), []);
      assert.equal(testProvider.asked().length, 1);
    }),
    check('says that the upstream service cannot be reached when the connection is lost or refused', async () => {
      testProvider.answerOnly('cut');
      await expectFailure(completing(), 'unavailable');
      const refusing = testProvider.create(() =>
        Promise.reject(new TypeError(`fetch failed: ${testProvider.canaries.join(' ')}`)),
      );
      expectNone(
        testProvider.canaries,
        await expectFailure(refusing.complete(testProvider.request()), 'unavailable'),
        testProvider.logged,
      );
    }),
    check("lets the host's own refusal pass", async () => {
      const refusal = new PluginError('unsupported', 'the URL is not allowed');
      let refused = 0;
      const provider = testProvider.create(() => {
        refused += 1;
        return Promise.reject(refusal);
      });
      for (const [method, call] of methodsOf(testProvider, provider)) {
        const before = refused;
        const outcome = await call().then(
          () => 'a result',
          (error: unknown) => error,
        );
        if (refused > before || method !== 'models') assert.equal(outcome, refusal, `of ${method}`);
      }
    }),
    check('asks once, whatever comes of it', async () => {
      for (const [what, reply] of ONCE_FOR) {
        testProvider.answerOnly(reply);
        for (const [method, call] of methodsOf(testProvider)) {
          testProvider.fake.seen.length = 0;
          await settledOrRepeated(call, testProvider);
          assert.deepEqual(repeatsIn(testProvider.fake.seen), [], `${method} asks again after ${what}: retrying is the host's`);
        }
      }
    }),
  ];
}

const ONCE_FOR: readonly (readonly [what: string, reply: FakeReply])[] = [
  ['status 429', { status: 429, headers: { 'retry-after': '0' }, body: '{}' }],
  ['status 500', { status: 500, body: '{}' }],
  ['status 503', { status: 503, body: '{}' }],
  ['a lost connection', 'cut'],
  ['a reply of another shape', { body: '{"surprise":1}' }],
];

type Call = () => Promise<unknown>;

/** Calls of a provider, each by its method's name. */
const methodsOf = (testProvider: TestProvider, provider = testProvider.create()): [method: string, call: Call][] => [
  ['complete', () => provider.complete(testProvider.request())],
  ['models', () => provider.models(new AbortController().signal)],
  ['check', () => provider.check(new AbortController().signal)],
];

/** The PluginError of a call; undefined for a list of models that is known without a request. */
async function captureFailure(call: Call, testProvider: TestProvider): Promise<PluginError | undefined> {
  testProvider.fake.seen.length = 0;
  const outcome = await call().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in outcome && Array.isArray(outcome.value) && testProvider.fake.seen.length === 0) return undefined;
  return rejectedWith('error' in outcome ? Promise.reject(outcome.error) : Promise.resolve(outcome.value));
}

const repeatsIn = (seen: readonly SeenRequest[]): string[] => {
  const keys = seen.map((one) => `${one.method} ${one.url} ${one.body}`);
  return seen.filter((_, index) => keys.indexOf(keys[index] ?? '') < index).map(asks);
};

/** Who retries without end is not waited for. */
async function settledOrRepeated(call: Call, { fake }: TestProvider): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  call().then(end, end);
  await until('the end of a call that failed', () => isOver || repeatsIn(fake.seen).length > 0, LIMIT_MS);
}
