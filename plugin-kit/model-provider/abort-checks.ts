import assert from 'node:assert/strict';
import { type Check, check, until } from '../check.ts';
import type { TestProvider } from './test-provider.ts';

const REPLIES = ['silence', 'stall'] as const;

/** That nobody waits for a call that is not wanted any more. */
export const abortChecks = (testProvider: TestProvider): Check[] => [
  ...REPLIES.map((reply) =>
    check(`ends at once when it is aborted during ${reply}`, async () => {
      testProvider.answerOnly(reply);
      const reason = new Error('the caller changed its mind');
      const controller = new AbortController();
      const call = testProvider.create().complete(testProvider.request({ signal: controller.signal }));
      call.catch(() => {});
      await until(testProvider.answer.asks, () => testProvider.asked().length > 0);
      controller.abort(reason);
      await assert.rejects(call, (error) => error === reason, 'it is to reject with the reason of the signal');
      await testProvider.fake.seen.at(-1)?.hungUp;
    }),
  ),
  check('ends with the reason of a time limit', async () => {
    testProvider.answerOnly('silence');
    const provider = testProvider.create();
    const calls = {
      complete: (signal: AbortSignal) => provider.complete(testProvider.request({ signal })),
      models: (signal: AbortSignal) => provider.models(signal),
      check: (signal: AbortSignal) => provider.check(signal),
    };
    for (const [method, call] of Object.entries(calls)) {
      testProvider.fake.seen.length = 0;
      const limit = Object.assign(new Error('late'), { name: 'TimeoutError' });
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(limit), 100);
      const outcome = await Promise.race([toOutcome(call(controller.signal)), afterwards(controller.signal)]);
      clearTimeout(timer);
      if (method !== 'models' || testProvider.fake.seen.length > 0) assert.equal(outcome, limit, `of ${method}`);
    }
  }),
  check('asks nothing when it was aborted before', async () => {
    const provider = testProvider.create();
    const reason = new Error('not wanted any more');
    assert.equal(await toOutcome(provider.complete(testProvider.request({ signal: AbortSignal.abort(reason) }))), reason);
    assert.deepEqual(testProvider.asked(), []);
  }),
];

const toOutcome = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'a result',
    (error: unknown) => error,
  );

/** How long after an abort a call may take to end. */
const LATE_MS = 1_000;

const afterwards = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => setTimeout(resolve, LATE_MS, `nothing within ${LATE_MS} ms of the abort`));
  });
