import assert from 'node:assert/strict';
import { MAX_REPLY_BYTES, PluginError, type PluginFailure } from '../core/plugin-sdk/index.ts';
import { type Check, check, expectFailure, expectNone, failureOf } from './check.ts';
import { asks } from './fake-provider.ts';
import type { Stage } from './provider-stage.ts';

const ECHO = 'what the far side said';

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

/** What becomes of replies that are none, and of connections that are lost. */
export function failureChecks(stage: Stage): Check[] {
  const completing = () => stage.create().complete(stage.request());
  const bodies = {
    'cut in the middle': JSON.stringify(stage.answer.body).slice(0, -20),
    'not JSON': `<html>${ECHO}</html>`,
    empty: '',
    'of another shape': JSON.stringify({ surprise: ECHO }),
    'a list': '[]',
  };
  return [
    ...STATUSES.map(([status, failure]) =>
      check(`reads status ${status} as ${failure}`, async () => {
        stage.answerOnly({ status, body: JSON.stringify({ error: { message: `${ECHO}: ${stage.canaries.join(' ')}` } }) });
        const calls = [completing(), stage.create().check(new AbortController().signal)];
        for (const error of await Promise.all(calls.map((call) => expectFailure(call, failure)))) {
          assert.equal(error.status, status);
          expectNone([...stage.canaries, ECHO], error, stage.logged);
        }
      }),
    ),
    ...WAITS.map(([headers, seconds]) =>
      check(`carries how long to wait of ${JSON.stringify(headers)}`, async () => {
        stage.answerOnly({ status: 429, headers, body: '{}' });
        assert.equal((await failureOf(completing())).retry_after_seconds, seconds);
      }),
    ),
    ...Object.entries(bodies).map(([what, body]) =>
      check(`refuses a reply that is ${what}`, async () => {
        stage.answerOnly({ body });
        expectNone([...stage.canaries, ECHO], await expectFailure(completing(), 'bad_reply'), stage.logged);
      }),
    ),
    check('stops reading a reply that does not end', async () => {
      stage.answerOnly('endless');
      assert.match((await expectFailure(completing(), 'bad_reply')).message, new RegExp(String(MAX_REPLY_BYTES)));
      await stage.fake.seen.at(-1)?.hungUp;
    }),
    check('follows no redirect', async () => {
      stage.answerOnly({ status: 307, headers: { location: 'https://elsewhere.test/' }, body: '' });
      await expectFailure(completing(), 'bad_reply');
      assert.deepEqual(stage.fake.seen.filter(({ url }) => url.includes('elsewhere')).map(asks), []);
      assert.equal(stage.asked().length, 1);
    }),
    check('says that the far side cannot be reached when the connection is lost or refused', async () => {
      stage.answerOnly('cut');
      await expectFailure(completing(), 'unavailable');
      const refusing = stage.create(() => Promise.reject(new TypeError(`fetch failed: ${stage.canaries.join(' ')}`)));
      expectNone(stage.canaries, await expectFailure(refusing.complete(stage.request()), 'unavailable'), stage.logged);
    }),
    check("lets the host's own refusal pass", async () => {
      const refusal = new PluginError('unsupported', 'the address is not allowed');
      assert.equal(await failureOf(stage.create(() => Promise.reject(refusal)).complete(stage.request())), refusal);
    }),
  ];
}
