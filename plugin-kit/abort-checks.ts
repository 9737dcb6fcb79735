import assert from 'node:assert/strict';
import { type Check, check, until } from './check.ts';
import type { Stage } from './provider-stage.ts';

const REPLIES = ['silence', 'stall'] as const;

/** That nobody waits for a call that is not wanted any more. */
export const abortChecks = (stage: Stage): Check[] => [
  ...REPLIES.map((reply) =>
    check(`ends at once when it is aborted during ${reply}`, async () => {
      stage.answerOnly(reply);
      const reason = new Error('the caller changed its mind');
      const controller = new AbortController();
      const call = stage.create().complete(stage.request({ signal: controller.signal }));
      call.catch(() => {});
      await until(stage.answer.asks, () => stage.asked().length > 0);
      controller.abort(reason);
      await assert.rejects(call, (error) => error === reason, 'it is to reject with the reason of the signal');
      await stage.fake.seen.at(-1)?.hungUp;
    }),
  ),
  check('ends with the reason of a time limit', async () => {
    stage.answerOnly('silence');
    const late = { name: 'TimeoutError' };
    await assert.rejects(stage.create().complete(stage.request({ signal: AbortSignal.timeout(200) })), late);
    await assert.rejects(stage.create().check(AbortSignal.timeout(200)), late);
  }),
];
