import assert from 'node:assert/strict';
import type { z } from '../core/plugin-sdk/index.ts';
import { type Check, check, expectNone, expectSame } from './check.ts';
import { asks } from './fake-provider.ts';
import { ELSEWHERE, type ModelProviderCase, type Stage } from './provider-stage.ts';

const SCHEMA = {
  type: 'object',
  properties: { explanation: { type: 'string' }, rating: { type: 'boolean' } },
  required: ['explanation', 'rating'],
  additionalProperties: false,
};
const never = () => new AbortController().signal;

/** What is asked, and what is read from good replies. */
export function replyChecks<S extends z.ZodType>(given: ModelProviderCase<S>, stage: Stage): Check[] {
  const { expected, expectedValue, offered } = given;
  return [
    check('asks nothing when it is created', async () => {
      let asked = 0;
      stage.create(() => {
        asked += 1;
        return new Promise(() => {});
      });
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.equal(asked, 0);
    }),
    check('reads a good reply', async () => {
      expectSame(await stage.create().complete(stage.request()), expected);
      const asked = stage.asked();
      assert.equal(asked.length, 1, `${stage.answer.asks} is to be asked once`);
      for (const text of ['You judge.', 'Is it good?']) assert.ok(asked[0]?.body.includes(text), `"${text}" was not sent`);
    }),
    check('reads a structured answer', async () => {
      stage.answerWith('structured');
      const { value, text } = await stage.create().complete(stage.request({ schema: SCHEMA }));
      expectSame(value, expectedValue);
      expectSame(JSON.parse(text), expectedValue);
    }),
    check('gives the text alone when it is not the JSON that was asked for', async () => {
      const { value, text } = await stage.create().complete(stage.request({ schema: SCHEMA }));
      expectSame({ value, text }, { text: expected.text });
    }),
    check('offers models', async () => {
      const models = await stage.create().models(never());
      expectSame(
        models.toSorted((a, b) => a.name.localeCompare(b.name)),
        offered,
      );
    }),
    check('checks with a call that good settings pass', async () => {
      await stage.create().check(never());
      assert.ok(stage.fake.seen.length > 0, 'nothing was asked');
    }),
    check('takes nothing from the environment', async () => {
      const provider = stage.create();
      await provider.complete(stage.request());
      await provider.check(never());
      expectNone([ELSEWHERE], stage.fake.seen);
    }),
    check('lets no name lead to another address', async () => {
      await stage
        .create()
        .complete(stage.request({ model: '../../keys?x=1' }))
        .catch(() => {});
      const led = stage.fake.seen.filter(({ url }) => /[/]keys/.test(new URL(url).pathname));
      expectSame(led.map(asks), []);
    }),
  ];
}
