import assert from 'node:assert/strict';
import { type Completion, type CompletionRequest, PluginError, type z } from '../../core/plugin-sdk/index.ts';
import { type Check, check, expectFailure, expectSame } from '../check.ts';
import type { ModelProviderCase } from './provider-case.ts';
import type { TestProvider } from './test-provider.ts';

/** Name of the captured reply, a text of events, to the call of `answer.json` made by `stream`. */
const STREAM = 'stream';

/** Checks of a reply that is read while the model writes; none of a provider that gives whole answers alone. */
export function streamChecks<S extends z.ZodType>({ expected }: ModelProviderCase<S>, testProvider: TestProvider): Check[] {
  const isThere = () => testProvider.create().stream !== undefined && testProvider.captured.includes(STREAM);
  const read = async (more: Partial<CompletionRequest> = {}) => {
    const texts: string[] = [];
    for await (const part of testProvider.create().stream!(testProvider.request(more))) {
      if (part.type === 'end') return { texts, completion: part.completion };
      texts.push(part.text);
    }
    return { texts, completion: undefined };
  };
  return [
    check('tells a reply while it comes, and at last the whole', async () => {
      if (!isThere()) return;
      testProvider.answerWith(STREAM);
      const { texts, completion } = await read();
      assert.ok(texts.length > 1, `the reply came in ${texts.length} texts`);
      assert.equal(texts.join(''), expected.text);
      expectSame(completion satisfies Completion | undefined, expected);
    }),
    check('takes no stream that breaks off for an answer', async () => {
      if (!isThere()) return;
      testProvider.answerWith(STREAM);
      const { answer } = testProvider.fake;
      testProvider.fake.answer = (seen) => {
        const reply = answer(seen);
        const isStream = typeof reply === 'object' && reply.body.includes('data: ');
        return isStream ? { ...reply, body: reply.body.slice(0, reply.body.length / 2) } : reply;
      };
      await assert.rejects(read(), (error) => error instanceof PluginError, 'it is to fail');
    }),
    check('refuses a stream as it refuses a reply', async () => {
      if (!isThere()) return;
      testProvider.answerOnly({ status: 429, headers: { 'retry-after': '7' }, body: '{}' });
      assert.equal((await expectFailure(read(), 'rate_limited')).retry_after_seconds, 7);
      testProvider.answerOnly({ body: 'nothing that is an event' });
      await expectFailure(read(), 'bad_reply');
    }),
    check('ends a stream at once when it is aborted', async () => {
      if (!isThere()) return;
      testProvider.answerOnly('stall');
      const reason = new Error('the caller changed its mind');
      const controller = new AbortController();
      const call = read({ signal: controller.signal });
      call.catch(() => {});
      setTimeout(() => controller.abort(reason), 50);
      await assert.rejects(call, (error) => error === reason, 'it is to reject with the reason of the signal');
      await testProvider.fake.seen.at(-1)?.hungUp;
    }),
  ];
}
