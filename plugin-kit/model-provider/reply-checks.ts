import assert from 'node:assert/strict';
import { PluginError, type z } from '../../core/plugin-sdk/index.ts';
import { type Check, check, expectSame } from '../check.ts';
import type { ModelProviderCase } from './provider-case.ts';
import type { TestProvider } from './test-provider.ts';

export const SCHEMA = {
  type: 'object',
  properties: { explanation: { type: 'string' }, rating: { type: 'boolean' } },
  required: ['explanation', 'rating'],
  additionalProperties: false,
};
/** As a model may well write it. */
const WRITTEN = ' \n"Ja" – 漢字 🧪 \\n {"a": 1} \n\n';
const OTHER_MODEL = 'model-2026-01-kit';
const USAGE = /usage|tokens/i;
const never = () => new AbortController().signal;

/** Checks of reading good replies. */
export function replyChecks<S extends z.ZodType>(given: ModelProviderCase<S>, testProvider: TestProvider): Check[] {
  const { expected, expectedValue, offered, lacks = [] } = given;
  const completed = (more = {}) => testProvider.create().complete(testProvider.request(more));
  return [
    check('reads a good reply', async () => {
      expectSame(await completed(), expected);
      const asked = testProvider.asked();
      assert.equal(asked.length, 1, `${testProvider.answer.asks} is to be asked once`);
      for (const text of ['You judge.', 'Is it good?']) assert.ok(asked[0]?.body.includes(text), `"${text}" was not sent`);
    }),
    check('reads a structured answer', async () => {
      testProvider.answerWith('structured');
      const { value, text } = await completed({ schema: SCHEMA });
      expectSame(value, expectedValue);
      expectSame(JSON.parse(text), expectedValue);
    }),
    check('gives the text alone when it is not the JSON that was asked for', async () => {
      const { value, text } = await completed({ schema: SCHEMA });
      expectSame({ value, text }, { text: expected.text });
    }),
    check('reads no value where no schema was given', async () => {
      testProvider.answerWith('structured');
      expectSame((await completed()).value, undefined);
    }),
    check('gives the text exactly as the model wrote it', async () => {
      for (const text of [WRITTEN, '']) {
        const [body, count] = replaced(testProvider.answer.body, expected.text, text);
        if (count === 0) continue;
        testProvider.answerBody(body);
        const completion = await completed().catch((error: unknown) => assert.fail(`"${text}" was not read: ${error}`));
        assert.equal(completion.text, text);
      }
    }),
    check('says why a reply ended', async () => {
      const reasons = testProvider.captured.filter((name) => name.startsWith('finish-'));
      if (!lacks.includes('finish_reason'))
        assert.ok(reasons.includes('finish-length'), 'there is no replies/finish-length.json');
      for (const name of reasons) {
        testProvider.answerWith(name);
        assert.equal((await completed()).finish_reason, name.slice('finish-'.length), `of ${name}.json`);
      }
    }),
    check('names the model that answered', async () => {
      if (lacks.includes('model')) return;
      const [body, count] = replaced(testProvider.answer.body, expected.model, OTHER_MODEL);
      assert.ok(
        count > 0,
        `answer.json does not name ${expected.model}: a service that names none is told by "lacks" of the case`,
      );
      testProvider.answerBody(body);
      assert.equal((await completed()).model, OTHER_MODEL);
    }),
    check('invents no token counts', async () => {
      testProvider.answerBody(without(testProvider.answer.body, USAGE));
      const completion = await completed().catch((error: unknown) => {
        if (!(error instanceof PluginError)) throw error;
        assert.equal(error.failure, 'bad_reply');
      });
      if (hasKey(testProvider.answer.body, USAGE)) expectSame(completion?.usage ?? {}, {});
    }),
    check('offers models', async () => {
      const models = await testProvider.create().models(never());
      expectSame(
        models.toSorted((a, b) => a.name.localeCompare(b.name)),
        offered,
      );
    }),
    check('checks with a call that good settings pass', async () => {
      await testProvider.create().check(never());
      assert.ok(testProvider.fake.seen.length > 0, 'nothing was asked');
    }),
  ];
}

/** A copy of JSON with one string replaced wherever it stands alone, and how often that was. */
function replaced(body: unknown, from: string, to: string): [copy: unknown, count: number] {
  let count = 0;
  const copy = JSON.parse(JSON.stringify(body), (_name, value) => {
    if (value !== from) return value;
    count += 1;
    return to;
  });
  return [copy, count];
}

const without = (body: unknown, name: RegExp): unknown =>
  JSON.parse(JSON.stringify(body), (key, value) => (name.test(key) ? undefined : value));

const hasKey = (body: unknown, name: RegExp): boolean => JSON.stringify(without(body, name)) !== JSON.stringify(body);
