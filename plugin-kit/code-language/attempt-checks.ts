import assert from 'node:assert/strict';
import type { CodeOutcome } from '../../core/plugin-sdk/index.ts';
import { type Check, check, expectNone, expectSame } from '../check.ts';
import type { CodeAttempts, CodeLanguageCase } from './language-case.ts';
import { CANARY, LANGUAGE_LIMITS, type LanguageStage } from './language-stage.ts';
import { demandOutcomes } from './outcome-shape.ts';

/** How long after its time a run may still take, on a busy machine. */
const SLACK_MS = 6_000;
/** How long after an abort a call may take to end. */
const ABORT_MS = 1_500;
/** Limit of the service's growth when a program floods its own memory. */
const GROWTH_MB = 300;

type Try<Name extends keyof CodeAttempts> = (attempt: CodeAttempts[Name]) => Promise<unknown>;

/** Checks of forbidden attempts of programs, and of how each has to end. After each, a good program is run as if nothing had been. */
export function attemptChecks(given: CodeLanguageCase, stage: LanguageStage): Check[] {
  const { source, records, expected, attempts } = given;
  const [record = '{}'] = records;
  const one = async (program: string): Promise<CodeOutcome> => {
    const outcomes = await stage.run(program, [record]);
    demandOutcomes(outcomes);
    assert.equal(outcomes.length, 1);
    return outcomes[0]!;
  };
  const attempt = <Name extends keyof CodeAttempts>(name: Name, what: string, run: Try<Name>): Check[] => {
    const shown = attempts[name];
    if (shown === undefined) return [];
    const whole = async (): Promise<void> => {
      await run(shown);
      expectSame(await stage.run(source, records), expected);
    };
    return [check(what, whole)];
  };
  return [
    ...attempt('throws', 'says what a program fails by, and that it failed', async ({ source: program, says, line }) => {
      const outcome = await one(program);
      if (outcome.kind !== 'threw') assert.fail(`a program that throws came to "${outcome.kind}"`);
      assert.ok(outcome.message.includes(says), `"${outcome.message}" does not say "${says}"`);
      if (line !== undefined) assert.match(outcome.message, new RegExp(`scorer\\.[\\w-]+:${line}\\b`), 'names no line');
    }),
    ...attempt('hangs', 'ends a program that does not end', async (program) => {
      const late = new Promise<'late'>((resolve) => setTimeout(resolve, LANGUAGE_LIMITS.run_ms + SLACK_MS, 'late'));
      const outcome = await Promise.race([one(program), late]);
      if (outcome === 'late') assert.fail(`it runs longer than ${LANGUAGE_LIMITS.run_ms} ms a record`);
      assert.equal(outcome.kind, 'timed_out');
    }),
    ...attempt('hangs', 'runs no more records of a program that is switched off', async (program) => {
      const verdict: CodeOutcome = { kind: 'refused', message: 'switched off' };
      const many = Array.from({ length: 30 }, () => record);
      let told = 0;
      const stopAfter = () => {
        told += 1;
        return verdict;
      };
      const outcomes = await stage.run(program, many, { stopAfter });
      assert.ok(told > 0, 'nobody was told of the first outcome when it was there');
      assert.deepEqual(outcomes.at(-1), verdict, 'the rest is to get what it was told');
    }),
    ...attempt('hangs', 'ends with the reason of an abort, at once', async (program) => {
      const reason = new Error('the caller changed its mind');
      const controller = new AbortController();
      const many = Array.from({ length: 20 }, () => record);
      const ended = stage.run(program, many, { signal: controller.signal }).then(
        () => 'outcomes',
        (error: unknown) => error,
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.abort(reason);
      const late = new Promise((resolve) => setTimeout(resolve, ABORT_MS, `nothing within ${ABORT_MS} ms`));
      assert.equal(await Promise.race([ended, late]), reason, 'it is to reject with the reason of the signal');
    }),
    ...attempt('floods', 'holds a program to its memory', async (program) => {
      const before = process.memoryUsage.rss();
      const { kind } = await one(program);
      assert.ok(['out_of_memory', 'timed_out', 'threw'].includes(kind), `a program that takes all memory came to "${kind}"`);
      const grown = (process.memoryUsage.rss() - before) / 2 ** 20;
      assert.ok(grown < GROWTH_MB, `the process of the service grew by ${Math.round(grown)} MB`);
    }),
    ...attempt('shouts', 'bounds what a program gives', async (program) => {
      const outcome = await one(program);
      assert.ok(JSON.stringify(outcome).length <= LANGUAGE_LIMITS.value_chars + 100, 'it gives more than a value may hold');
    }),
    ...attempt('gives_no_value', 'gives only values that can be stored', async (programs) => {
      for (const program of programs) {
        const { kind } = await one(program);
        assert.notEqual(kind, 'returned', `what is no value was given as one: ${program}`);
      }
    }),
    ...attempt('counts', 'lets no call see another', async (program) => {
      const alone = [];
      for (let call = 0; call < 3; call += 1) alone.push(await one(program));
      const together = await Promise.all([one(program), one(program)]);
      expectSame(
        [...alone, ...together],
        [1, 2, 3, 4, 5].map(() => ({ kind: 'returned', value: 1 })),
      );
    }),
    ...attempt('changes', 'keeps what a program changes to itself', async (program) => {
      const inputs = structuredClone([...records]);
      demandOutcomes(await stage.run(program, inputs));
      expectSame(inputs, records);
    }),
    ...attempt('exits', 'outlives a program that ends its process', async (program) => {
      const { kind } = await one(program);
      expectSame(stage.exits, []);
      assert.ok(kind !== 'returned' || stage.exits.length === 0);
    }),
    ...attempt('reaches', 'lets no program reach network, files or environment', async (programs) => {
      for (const program of programs(stage.url, stage.path)) expectNone([CANARY], await one(program));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expectSame([...stage.visits, ...stage.past], []);
    }),
  ];
}
