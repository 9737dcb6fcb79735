import assert from 'node:assert/strict';
import type { z } from '../../core/plugin-sdk/index.ts';
import { type Check, check, expectSame } from '../check.ts';
import { processState } from '../process-state.ts';
import type { ModelProviderCase } from './provider-case.ts';
import { SCHEMA } from './reply-checks.ts';
import type { TestProvider } from './test-provider.ts';

const never = () => new AbortController().signal;

/** Checks of a provider whose model runs inside the process: the same contract, without requests. */
export function inProcessChecks<S extends z.ZodType>(given: ModelProviderCase<S>, testProvider: TestProvider): Check[] {
  const { expected, expectedValue, offered, lacks = [] } = given;
  const calls = async () => {
    const provider = testProvider.create();
    return [
      await provider.complete(testProvider.request()),
      await provider.models(never()),
      await provider.check(never()),
    ] as const;
  };
  return [
    check('answers as it is told to', async () => {
      expectSame(await testProvider.create().complete(testProvider.request()), expected);
    }),
    check('reads a structured answer', async () => {
      const { value, text } = await testProvider.create().complete(testProvider.request({ schema: SCHEMA }));
      if (lacks.includes('schema')) return;
      expectSame(value, expectedValue);
      expectSame(JSON.parse(text), expectedValue);
    }),
    check('reads no value where no schema was given', async () => {
      expectSame((await testProvider.create().complete(testProvider.request())).value, undefined);
    }),
    check('offers models', async () => {
      const [, models] = await calls();
      expectSame(
        models.toSorted((a, b) => a.name.localeCompare(b.name)),
        offered,
      );
    }),
    check('asks nobody', async () => {
      await calls();
      expectSame({ requests: testProvider.fake.seen.length, past: testProvider.past }, { requests: 0, past: [] });
    }),
    check('changes nothing of what it is given', async () => {
      const settings = given.plugin.settings.parse(given.settings);
      const { signal, ...request } = testProvider.request({ schema: structuredClone(SCHEMA), stop: ['STOP'] });
      const before = structuredClone({ settings, request });
      await given.plugin.create(testProvider.host(), settings).complete({ ...request, signal });
      expectSame({ settings, request }, before);
    }),
    check('gives the same answer again, and to two callers at a time', async () => {
      const provider = testProvider.create();
      const answers = await Promise.all([provider.complete(testProvider.request()), provider.complete(testProvider.request())]);
      for (const answer of [...answers, await provider.complete(testProvider.request())]) expectSame(answer, expected);
    }),
    check('ends with the reason of an abort', async () => {
      const reason = new Error('not wanted any more');
      const call = testProvider.create().complete(testProvider.request({ signal: AbortSignal.abort(reason) }));
      await assert.rejects(call, (error) => error === reason);
    }),
    check('leaves the process as it was', async () => {
      const state = processState();
      await calls().finally(() => state.restore());
      assert.deepEqual(state.changes(), []);
    }),
  ];
}
