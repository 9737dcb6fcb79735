import assert from 'node:assert/strict';
import { PluginError, z } from '../../core/plugin-sdk/index.ts';
import { type Check, type CheckList, check, expectSame } from '../check.ts';
import type { FakeModel } from '../fake-model.ts';
import { headCheck, sameHeadCheck } from '../head-check.ts';
import { outcomeFlaw } from '../outcome-shape.ts';
import { scorerDeclarationChecks } from './declaration-checks.ts';
import { openScorerStage, type ScorerKindCase, type ScorerStage } from './scorer-stage.ts';
import { scorerStateChecks } from './state-checks.ts';

export type { ScorerKindCase } from './scorer-stage.ts';

/** Records as they come in from applications of every sort. */
const STRANGE = [
  {},
  { input: '', output: '' },
  { input: ' \n', output: ' \n' },
  { input: null, output: null },
  { input: 5, output: 0 },
  { input: [], output: [] },
  { input: {}, output: {} },
  { input: [{ role: 'user', content: [{ type: 'text', text: 'Hm?' }] }], output: { role: 'assistant', content: null } },
  { type: 'trace', spans: null, metrics: {}, output: '\ud800 漢字 🧪' },
  { output: 'x'.repeat(100_000) },
].map((record) => ({ record: JSON.stringify(record) }));

/** Checks of every scorer-kind plugin. */
export function scorerKindChecks<D extends z.ZodType>(given: ScorerKindCase<D>): CheckList {
  const { plugin, definition, expected } = given;
  const stage = openScorerStage(given);
  const { items, calls, model } = stage;
  const checks = [
    headCheck(plugin),
    sameHeadCheck(plugin, definition),
    check('has a definition that prints as JSON Schema', () => {
      assert.partialDeepStrictEqual(z.toJSONSchema(plugin.definition, { io: 'input' }), { type: 'object' });
    }),
    check('refuses an empty definition', () => {
      assert.ok(!plugin.definition.safeParse({}).success, 'an empty definition is to be refused');
    }),
    check('accepts its definition as it is stored', () => {
      const parsed = plugin.definition.parse(definition);
      expectSame(plugin.definition.parse(JSON.parse(JSON.stringify(parsed))), parsed);
    }),
    check('says the same of its surroundings each time', () => {
      const parsed = plugin.definition.parse(definition);
      const said = [1, 2, 3].map(() => plugin.surroundings?.(parsed) ?? 'none');
      assert.ok(['none', 'trace', 'session'].includes(said[0] ?? ''), `"${said[0]}" is none of none, trace and session`);
      assert.equal(new Set(said).size, 1, `said ${said.join(', ')}`);
    }),
    check('does nothing when it is created', () => {
      stage.create();
      expectSame(calls, []);
    }),
    check('gives one outcome per record, in order', async () => {
      expectSame(await stage.score(items), expected);
    }),
    check('gives no outcome when there is no record', async () => {
      expectSame(await stage.score([]), []);
    }),
    check('gives outcomes that can be stored', async () => demandWhole(await stage.score(items))),
    check('judges strange records without failing', async () => {
      const outcomes = await stage
        .score(STRANGE)
        .catch((error: unknown) => assert.fail(`it threw ${error}: say it in an outcome`));
      assert.equal(outcomes.length, STRANGE.length);
      demandWhole(outcomes);
    }),
    check('ends with the reason of an abort', async () => {
      const reason = new Error('enough');
      const isReason = (error: unknown) => error === reason;
      await assert.rejects(stage.score(items, AbortSignal.abort(reason)), isReason, 'rejects with the reason of its signal');
      expectSame(
        calls.filter((call) => call.startsWith('runCode')),
        [],
      );
    }),
    ...scorerDeclarationChecks(given, stage),
    ...scorerStateChecks(given, stage),
    ...(model ? modelChecks(model, stage) : []),
  ];
  const { open, reset, close } = stage;
  return { title: `scorer kind ${plugin.id}`, checks, open, reset, close };
}

function demandWhole(outcomes: readonly unknown[]): void {
  for (const [index, outcome] of outcomes.entries()) {
    const flaw = outcomeFlaw(outcome);
    if (flaw !== undefined) assert.fail(`outcome ${index}: ${flaw}`);
  }
}

/** Further checks of a kind that calls models. */
function modelChecks(model: FakeModel, stage: ScorerStage): Check[] {
  const { items } = stage;
  return [
    check('asks a model only what can be sent, and hands on the signal', async () => {
      const { signal } = new AbortController();
      await stage.score(items, signal);
      assert.ok(model.calls.length > 0, 'a model was to be asked');
      for (const call of model.calls) {
        assert.equal(call.messages.at(-1)?.role, 'user');
        assert.equal(call.signal, signal);
        assert.deepEqual(JSON.parse(JSON.stringify(call.schema ?? {})), call.schema ?? {});
      }
    }),
    check('makes no score of a model that fails', async () => {
      const failure = new PluginError('unavailable', 'the model is away');
      stage.set({ modelFails: failure });
      const outcomes = await stage.score(items).catch((error: unknown) => {
        assert.equal(error, failure, 'the failure of the model is to pass as it is');
        return [];
      });
      demandWhole(outcomes);
      const scored = outcomes.filter(({ status }) => status === 'success');
      expectSame(scored, []);
    }),
  ];
}
