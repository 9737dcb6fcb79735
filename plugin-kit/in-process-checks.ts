import assert from 'node:assert/strict';
import type { z } from '../core/plugin-sdk/index.ts';
import { type Check, check, expectSame } from './check.ts';
import { processState } from './process-state.ts';
import type { ModelProviderCase } from './provider-case.ts';
import type { Stage } from './provider-stage.ts';
import { SCHEMA } from './reply-checks.ts';

const never = () => new AbortController().signal;

/** What a provider has to hold whose model runs inside the process: the same contract, without requests. */
export function inProcessChecks<S extends z.ZodType>(given: ModelProviderCase<S>, stage: Stage): Check[] {
  const { expected, expectedValue, offered, lacks = [] } = given;
  const calls = async () => {
    const provider = stage.create();
    return [await provider.complete(stage.request()), await provider.models(never()), await provider.check(never())] as const;
  };
  return [
    check('answers as it is told to', async () => {
      expectSame(await stage.create().complete(stage.request()), expected);
    }),
    check('reads a structured answer', async () => {
      const { value, text } = await stage.create().complete(stage.request({ schema: SCHEMA }));
      if (lacks.includes('schema')) return;
      expectSame(value, expectedValue);
      expectSame(JSON.parse(text), expectedValue);
    }),
    check('reads no value where no schema was given', async () => {
      expectSame((await stage.create().complete(stage.request())).value, undefined);
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
      expectSame({ requests: stage.fake.seen.length, past: stage.past }, { requests: 0, past: [] });
    }),
    check('changes nothing of what it is given', async () => {
      const settings = given.plugin.settings.parse(given.settings);
      const { signal, ...request } = stage.request({ schema: structuredClone(SCHEMA), stop: ['STOP'] });
      const before = structuredClone({ settings, request });
      await given.plugin.create(stage.host(), settings).complete({ ...request, signal });
      expectSame({ settings, request }, before);
    }),
    check('gives the same answer again, and to two callers at a time', async () => {
      const provider = stage.create();
      const answers = await Promise.all([provider.complete(stage.request()), provider.complete(stage.request())]);
      for (const answer of [...answers, await provider.complete(stage.request())]) expectSame(answer, expected);
    }),
    check('ends with the reason of an abort', async () => {
      const reason = new Error('not wanted any more');
      const call = stage.create().complete(stage.request({ signal: AbortSignal.abort(reason) }));
      await assert.rejects(call, (error) => error === reason);
    }),
    check('leaves the process as it was', async () => {
      const state = processState();
      await calls().finally(() => state.restore());
      assert.deepEqual(state.changes(), []);
    }),
  ];
}
