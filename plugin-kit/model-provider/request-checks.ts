import assert from 'node:assert/strict';
import {
  type CompletionRequest,
  MODEL_PARAMETERS,
  PluginError,
  type ProviderFeature,
  type z,
} from '../../core/plugin-sdk/index.ts';
import { type Check, check, expectNone, expectSame } from '../check.ts';
import { asks, type SeenRequest } from '../fake-provider.ts';
import { listForms } from '../secrets.ts';
import { ELSEWHERE } from '../ways-past.ts';
import type { Lack, ModelProviderCase } from './provider-case.ts';
import type { TestProvider } from './test-provider.ts';

/** Characters that a careless encoding, or a trim, loses. */
const TURNS = ['First "question"\n7f3 – für 漢字 🧪', 'An answer, 8a1 ', ' A second\tquestion, 9c2'] as const;
const MESSAGES: CompletionRequest['messages'] = [
  { role: 'user', content: TURNS[0] },
  { role: 'assistant', content: TURNS[1] },
  { role: 'user', content: TURNS[2] },
];
const SYSTEM = 'You judge for the kit, 6d0.';
const LABEL = 'label-canary-of-the-kit';

/** One request for each parameter: some models refuse two of them together. */
const PARAMETERS: readonly (readonly [name: Lack, given: Partial<CompletionRequest>, sent: string])[] = [
  ['temperature', { temperature: 0.375 }, '0.375'],
  ['max_tokens', { max_tokens: 1237 }, '1237'],
  ['top_p', { top_p: 0.8125 }, '0.8125'],
  ['stop', { stop: ['STOP-4f1'] }, 'STOP-4f1'],
  ['seed', { seed: 424_242 }, '424242'],
  ['schema', { schema: schemaWith('verdict_5b8') }, 'verdict_5b8'],
];

/** Those of which a provider says whether it sends them. */
const OPTIONAL: readonly (readonly [name: ProviderFeature, given: Partial<CompletionRequest>])[] = [
  ['top_k', { top_k: 17 }],
  ['frequency_penalty', { frequency_penalty: 0.375 }],
  ['presence_penalty', { presence_penalty: 0.375 }],
  ['reasoning_effort', { reasoning_effort: 'high' }],
  ['verbosity', { verbosity: 'low' }],
];

/** Checks of the requests and their URLs. */
export function requestChecks<S extends z.ZodType>(given: ModelProviderCase<S>, testProvider: TestProvider): Check[] {
  const { lacks = [], model, settings, offered, publicParts = [] } = given;
  const ask = async (more: Partial<CompletionRequest>): Promise<string> => {
    testProvider.fake.seen.length = 0;
    await testProvider.create().complete(testProvider.request(more));
    const [asked] = testProvider.asked();
    if (!asked) assert.fail(`${testProvider.answer.asks} is to be requested`);
    return `${asked.url}\n${asked.body}`;
  };
  return [
    check('asks nothing when it is created', async () => {
      let asked = 0;
      testProvider.create(() => {
        asked += 1;
        return new Promise(() => {});
      });
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.equal(asked, 0);
    }),
    check('sends the whole conversation, to the model that is asked', async () => {
      const sent = await ask({ system: SYSTEM, messages: MESSAGES });
      const places = TURNS.map((turn) => sent.indexOf(JSON.stringify(turn).slice(1, -1)));
      for (const [index, place] of places.entries()) assert.ok(place >= 0, `"${TURNS[index]}" was not sent as it is:\n${sent}`);
      expectSame(
        places,
        places.toSorted((a, b) => a - b),
      );
      assert.ok(sent.includes(SYSTEM), 'the system prompt was not sent');
      assert.ok(
        decodeURIComponent(sent.split('\n', 1)[0] ?? '').includes(model) || sent.includes(model),
        `"${model}" was not asked`,
      );
      const asUsers = await ask({ system: SYSTEM, messages: MESSAGES.map((one) => ({ ...one, role: 'user' })) });
      assert.notEqual(asUsers, sent, 'the roles of the messages were not sent');
    }),
    check('sends every parameter it is given', async () => {
      for (const [name, asked, sent] of PARAMETERS) {
        const found = (await ask(asked)).includes(sent);
        if (lacks.includes(name)) assert.ok(!found, `the case says that there is no ${name}, and it was sent`);
        else assert.ok(found, `${name} was not sent; a service without it is told by "lacks" of the case`);
      }
    }),
    check('sends every parameter that it says it supports', async () => {
      const supported = testProvider.create().supports ?? [];
      const bare = await ask({});
      for (const [name, asked] of OPTIONAL.filter(([one]) => supported.includes(one)))
        assert.notEqual(await ask(asked), bare, `${name} is in "supports", and was not sent`);
    }),
    check('asks nothing without a parameter that the answer is worth nothing without', async () => {
      for (const [name, asked] of PARAMETERS.filter(([one]) => lacks.includes(one))) {
        const parameter = MODEL_PARAMETERS.find((one) => one === name);
        if (!parameter) continue;
        testProvider.fake.seen.length = 0;
        const failed = await testProvider
          .create()
          .complete(testProvider.request({ ...asked, required: [parameter] }))
          .then(
            () => assert.fail(`${name} is required, was not sent, and the call went well`),
            (error: unknown) => error,
          );
        assert.ok(
          failed instanceof PluginError && failed.failure === 'unsupported' && failed.parameter === parameter,
          `${name} is required: the call is to fail as "unsupported", with its name as "parameter"`,
        );
        assert.equal(testProvider.asked().length, 0, `${name} is required, and the model was asked without it`);
      }
    }),
    check('sends the files that its models are said to read, after the text they go with', async () => {
      for (const { name, files } of offered.filter(({ files: read }) => read)) {
        const readable = files!.media_types.slice(0, files!.max_files);
        for (const [index, media_type] of readable.entries()) {
          const both = [media_type, ...(files!.max_files === 1 ? [] : [readable[(index + 1) % readable.length] ?? media_type])];
          const sent = both.map((type, at) => ({ media_type: type, bytes: getFileBytes(index * 2 + at) }));
          const messages: CompletionRequest['messages'] = [{ role: 'user', content: TURNS[0], files: sent }];
          const asked = await ask({ messages });
          const places = [
            asked.indexOf(JSON.stringify(TURNS[0]).slice(1, -1)),
            ...sent.map((file) => findBytes(asked, file.bytes)),
          ];
          assert.ok(!places.includes(-1), `${name} is said to read ${both.join(' and ')}, and was not sent all of it`);
          expectSame(
            places,
            places.toSorted((a, b) => a - b),
          );
        }
      }
    }),
    check('sends no label that its settings do not ask for', async () => {
      await testProvider.create().complete(testProvider.request({ labels: { project_id: LABEL, run_id: LABEL } }));
      const isAskedFor = /project_id|run_id/.test(JSON.stringify(settings));
      expectNone(isAskedFor ? [] : [LABEL], testProvider.fake.seen);
    }),
    check('puts no secret into a URL', async () => {
      const provider = testProvider.create();
      await Promise.allSettled([provider.complete(testProvider.request()), provider.models(never()), provider.check(never())]);
      expectNone(
        testProvider.canaries.filter((one) => !publicParts.flatMap(listForms).includes(one)),
        testProvider.fake.seen.map(({ url }) => url),
      );
    }),
    check('takes nothing from the environment', async () => {
      const provider = testProvider.create();
      await provider.complete(testProvider.request());
      await provider.check(never());
      expectNone([ELSEWHERE], testProvider.fake.seen);
    }),
    check('lets no name lead to another address', async () => {
      await testProvider
        .create()
        .complete(testProvider.request({ model: '../../keys?x=1' }))
        .catch(() => {});
      const led = testProvider.fake.seen.filter(({ url }: SeenRequest) => /[/]keys/.test(new URL(url).pathname));
      expectSame(led.map(asks), []);
    }),
  ];
}

/** A multiple of three, so that base64 of it ends in no padding. */
const FILE_BYTES = 48;

/** Bytes like no others of the kit. */
const getFileBytes = (number: number): Uint8Array =>
  Uint8Array.from({ length: FILE_BYTES }, (_, at) => (at * 37 + number * 101 + 200) % 256);

/** Where bytes stand in a request as base64, in either alphabet. */
function findBytes(asked: string, bytes: Uint8Array): number {
  const text = Buffer.from(bytes).toString('base64');
  // JSON may escape a slash.
  return Math.max(
    asked.indexOf(text),
    asked.replaceAll('\\/', '/').indexOf(text),
    asked.indexOf(Buffer.from(bytes).toString('base64url')),
  );
}

const never = () => new AbortController().signal;

function schemaWith(name: string): Readonly<Record<string, unknown>> {
  return { type: 'object', properties: { [name]: { type: 'boolean' } }, required: [name], additionalProperties: false };
}
