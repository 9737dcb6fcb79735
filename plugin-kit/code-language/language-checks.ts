import assert from 'node:assert/strict';
import type { CodeFlaw, CodeInput } from '../../core/plugin-sdk/index.ts';
import { type Check, type CheckList, check, expectSame } from '../check.ts';
import { languageFolderChecks } from '../folder-checks.ts';
import { fixedHeadCheck, headCheck } from '../head-check.ts';
import { processState } from '../process-state.ts';
import { attemptChecks } from './attempt-checks.ts';
import { ATTEMPTS, type CodeLanguageCase } from './language-case.ts';
import { LanguageStage } from './language-stage.ts';
import { demandOutcomes } from './outcome-shape.ts';

export type { CodeAttempts, CodeLanguageCase } from './language-case.ts';

/** Checks of every code-language plugin. */
export function codeLanguageChecks(given: CodeLanguageCase): CheckList {
  const { plugin, source, records, expected, attempts, lacks = [], folder } = given;
  const stage = new LanguageStage(given);
  const checks: Check[] = [
    headCheck(plugin),
    fixedHeadCheck(plugin),
    check('shows every attempt that its programs can make', () => {
      const open = ATTEMPTS.filter((name) => attempts[name] === undefined && !lacks.includes(name));
      expectSame(open, []);
    }),
    check('does nothing when it is created', () => {
      stage.create();
      expectSame([...stage.used, ...stage.past], []);
    }),
    check('gives one outcome per record, in order', async () => expectSame(await stage.run(source, records), expected)),
    check('gives no outcome when there is no record', async () => expectSame(await stage.run(source, []), [])),
    check('finds nothing wrong with a program that is right', async () =>
      assert.equal((await stage.check(source)) ?? undefined, undefined),
    ),
    ...flawChecks(given, stage),
    check('runs a record alone as among others', async () => {
      for (const [index, record] of records.entries()) expectSame(await stage.run(source, [record]), [expected[index]]);
    }),
    check('keeps two calls at a time apart', async () => {
      const broken = stage.run(given.broken.source, records).catch((error: unknown) => error);
      const both = await Promise.all([stage.run(source, records), stage.run(source, records.toReversed())]);
      await broken;
      expectSame(both, [expected, expected.toReversed()]);
    }),
    check('changes nothing that it is given', async () => {
      const inputs: CodeInput[] = structuredClone([...records]);
      const before = structuredClone(inputs);
      await stage.run(source, inputs);
      expectSame(inputs, before);
    }),
    check('runs nothing when it was aborted before', async () => {
      const reason = new Error('not wanted any more');
      await assert.rejects(stage.run(source, records, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
    }),
    ...attemptChecks(given, stage),
    check('reaches nothing but what the host provides', async () => {
      await stage.check(source);
      await stage.run(source, records);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expectSame([...stage.past, ...stage.visits], []);
    }),
    check('leaves the process as it was', async () => {
      const state = processState();
      await stage.run(source, records).finally(() => state.restore());
      assert.deepEqual(state.changes(), []);
    }),
    ...languageFolderChecks(folder),
  ];
  return {
    title: `code language ${plugin.id}`,
    checks,
    open: () => stage.open(),
    reset: () => stage.reset(),
    close: () => stage.close(),
  };
}

/** Checks that errors in programs are reported by `check`, and by no run. */
function flawChecks({ broken, unsigned, records }: CodeLanguageCase, stage: LanguageStage): Check[] {
  const refuses = async (source: string): Promise<CodeFlaw> => {
    const flaw = await stage.check(source);
    if (!flaw) assert.fail('it found nothing wrong');
    assert.match(flaw.message, /\S/, 'the message is empty');
    const outcomes = await stage.run(source, records);
    assert.equal(outcomes.length, records.length);
    demandOutcomes(outcomes);
    const kinds = outcomes.map(({ kind }) => kind);
    assert.ok(!kinds.includes('returned'), 'it gave values of a program that it refuses');
    return flaw;
  };
  return [
    check('refuses a mistake of syntax, and says in which line', async () => {
      assert.equal((await refuses(broken.source)).line, broken.line);
    }),
    ...(unsigned === undefined ? [] : [check('refuses a program that is no scorer', () => refuses(unsigned))]),
  ];
}
