import assert from 'node:assert/strict';
import type { CompletionRequest, z } from '../../core/plugin-sdk/index.ts';
import { type Check, check, expectSame, until } from '../check.ts';
import type { SeenRequest } from '../fake-provider.ts';
import { processState } from '../process-state.ts';
import { withMarkedSecrets } from '../secrets.ts';
import type { ModelProviderCase } from './provider-case.ts';
import { SCHEMA } from './reply-checks.ts';
import type { TestProvider } from './test-provider.ts';

const never = () => new AbortController().signal;
let tries = 0;

/** Checks that a provider keeps no state but that of its own integration, and changes nothing else. */
export function stateChecks<S extends z.ZodType>(given: ModelProviderCase<S>, testProvider: TestProvider): Check[] {
  return [
    // First of all: a token that is kept for all integrations is asked for only once in a process.
    ...(given.keyless ? [] : [check('keeps two integrations apart', () => keepsIntegrationsApart(given, testProvider))]),
    check('keeps two calls apart', () => keepsCallsApart(given, testProvider)),
    check('changes nothing of what it is given', async () => {
      const settings = given.plugin.settings.parse(given.settings);
      const { signal, ...request } = testProvider.request({
        schema: structuredClone(SCHEMA),
        stop: ['STOP'],
        labels: { run_id: 'r' },
      });
      const before = structuredClone({ settings, request });
      const provider = given.plugin.create(testProvider.host(), settings);
      const asked = { ...request, signal };
      await provider.complete(asked);
      await provider.models(never());
      await provider.check(never());
      const { signal: _, ...after } = asked;
      expectSame({ settings, request: after }, before);
      expectSame(request, before.request);
    }),
    check('asks only through the host', async () => {
      const provider = testProvider.create();
      await Promise.allSettled([provider.complete(testProvider.request()), provider.models(never()), provider.check(never())]);
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.deepEqual(testProvider.past, [], "went past the host's fetch");
    }),
    check('leaves the process as it was', async () => {
      const state = processState();
      try {
        const provider = testProvider.create();
        await Promise.allSettled([provider.complete(testProvider.request()), provider.models(never()), provider.check(never())]);
      } finally {
        state.restore();
      }
      assert.deepEqual(state.changes(), []);
    }),
  ];
}

/** Two integrations, the second made before the first is used: each call carries the secrets of its own. */
async function keepsIntegrationsApart<S extends z.ZodType>(
  given: ModelProviderCase<S>,
  testProvider: TestProvider,
): Promise<void> {
  tries += 1;
  const marks = [`-one${tries}`, `-two${tries}`] as const;
  const integrations = marks.map((mark, index) => {
    const from = index === 1 ? (given.otherSettings ?? given.settings) : given.settings;
    const settings = withMarkedSecrets(given.plugin.settings, from, mark);
    const { success } = given.plugin.settings.safeParse(settings);
    assert.ok(success, 'the settings are refused when something is added to their secrets: give "otherSettings"');
    return { mark, provider: testProvider.create(undefined, settings) };
  });
  testProvider.answerOnly({ body: JSON.stringify(testProvider.answer.body) });
  for (const { mark, provider } of [...integrations, ...integrations]) {
    testProvider.fake.seen.length = 0;
    await provider.complete(testProvider.request());
    const shown = marks.filter((one) => testProvider.fake.seen.some((seen) => readable(seen).includes(one)));
    assert.ok(!shown.some((one) => one !== mark), 'a call carried the secret of another integration');
    shownBy.set(provider, shown.length > 0 || shownBy.get(provider) === true);
  }
  for (const { provider } of integrations) assert.ok(shownBy.get(provider), 'no request shows by whose secret it was made');
}

const shownBy = new WeakMap<object, boolean>();

/** Two calls at a time, one aborted, and one that has been made before. */
async function keepsCallsApart<S extends z.ZodType>(given: ModelProviderCase<S>, testProvider: TestProvider): Promise<void> {
  const provider = testProvider.create();
  const saying = (content: string, more: Partial<CompletionRequest> = {}) =>
    provider.complete(testProvider.request({ messages: [{ role: 'user', content }], ...more }));
  await Promise.all([saying('question-one'), saying('question-two')]);
  const bodies = () => testProvider.asked().map(({ body }) => body);
  for (const text of ['question-one', 'question-two'])
    assert.equal(
      bodies().filter((body) => body.includes(text)).length,
      1,
      `of two calls at a time, "${text}" is to be sent once`,
    );

  expectSame(await saying('question-one'), given.expected);
  assert.equal(testProvider.asked().length, 3, 'a call that has been made before is to be made again: the host keeps answers');

  testProvider.fake.seen.length = 0;
  testProvider.answerOnly('silence');
  const [first, second] = [new AbortController(), new AbortController()];
  const calls = [saying('question-three', { signal: first.signal }), saying('question-four', { signal: second.signal })];
  const settled = calls.map((call) =>
    call.then(
      () => 'done',
      () => 'failed',
    ),
  );
  await until('two calls', () => testProvider.asked().length === 2);
  first.abort(new Error('not wanted any more'));
  assert.equal(await settled[0], 'failed');
  const other = await Promise.race([settled[1], new Promise((resolve) => setTimeout(resolve, 20, 'waiting'))]);
  second.abort(new Error('not wanted either'));
  await settled[1];
  assert.equal(other, 'waiting', 'a call ended when another was aborted');
}

/** A request as text, with what stands in it in base64. */
function readable({ url, headers, body }: SeenRequest): string {
  const text = [url, ...Object.values(headers), body].join('\n');
  const decoded = text.match(/[\w+/-]{16,}/g)?.map((run) => Buffer.from(run, 'base64').toString('latin1')) ?? [];
  return [text, ...decoded].join('\n');
}
