import assert from 'node:assert/strict';
import {
  type CodeOutcome,
  type ScoreItem,
  type ScoreOutcome,
  type ScorerKindPlugin,
  type ScorerKit,
  z,
} from '../core/plugin-sdk/index.ts';
import { type Check, type CheckList, check, expectSame, type Fixed } from './check.ts';
import { FakeModel, type FakeReply } from './fake-model.ts';
import { headCheck } from './head-check.ts';

export interface ScorerKindCase<D extends z.ZodType> {
  readonly plugin: ScorerKindPlugin<D>;
  /** A definition that its schema accepts. */
  readonly definition: Fixed<z.input<D>>;
  /** What the host's sandbox is to answer, one per record; for kinds that run code. */
  readonly codeOutcomes?: readonly CodeOutcome[];
  /** What a lent model is to answer; for kinds that ask one. */
  readonly reply?: FakeReply;
  /** The records to score, alone or with what is known around them, and what is expected of each. */
  readonly records: readonly (string | ScoreItem)[];
  readonly expected: readonly ScoreOutcome[];
}

/** What every scorer-kind plugin has to hold. */
export function scorerKindChecks<D extends z.ZodType>(given: ScorerKindCase<D>): CheckList {
  const { plugin, definition, expected } = given;
  const records = given.records.map((record) => (typeof record === 'string' ? { record } : record));
  const model = given.reply === undefined ? undefined : new FakeModel(() => given.reply!);
  const { kit, calls } = kitThatLends(given.codeOutcomes ?? [], model);
  const create = () => plugin.create(kit, plugin.definition.parse(definition));
  const score = (items: readonly ScoreItem[], signal = new AbortController().signal) => create().score({ items, signal });

  const checks = [
    headCheck(plugin),
    check('has a definition that prints as JSON Schema', () => {
      assert.partialDeepStrictEqual(z.toJSONSchema(plugin.definition, { io: 'input' }), { type: 'object' });
    }),
    check('refuses an empty definition', () => {
      assert.ok(!plugin.definition.safeParse({}).success, 'an empty definition is to be refused');
    }),
    check('does nothing when it is created', () => {
      create();
      expectSame(calls, []);
    }),
    check('gives one outcome per record, in order', async () => {
      expectSame(await score(records), expected);
    }),
    check('gives no outcome when there is no record', async () => {
      expectSame(await score([]), []);
    }),
    ...(model ? modelChecks(model, (signal) => score(records, signal)) : []),
  ];
  return {
    title: `scorer kind ${plugin.id}`,
    checks,
    open: async () => {},
    reset: () => {
      calls.length = 0;
      if (model) model.calls.length = 0;
    },
    close: async () => {},
  };
}

/** What a kind that asks models has to hold beside the rest. */
function modelChecks(model: FakeModel, score: (signal: AbortSignal) => Promise<unknown>): Check[] {
  return [
    check('asks a model only what can be sent, and hands on the signal', async () => {
      const { signal } = new AbortController();
      await score(signal);
      assert.ok(model.calls.length > 0, 'a model was to be asked');
      for (const call of model.calls) {
        assert.equal(call.messages.at(-1)?.role, 'user');
        assert.equal(call.signal, signal);
        assert.deepEqual(JSON.parse(JSON.stringify(call.schema ?? {})), call.schema ?? {});
      }
    }),
    check('ends with the reason of an abort', async () => {
      const reason = new Error('enough');
      await assert.rejects(score(AbortSignal.abort(reason)), (error) => error === reason);
    }),
  ];
}

/** A kit that notes what is asked of it, and lends only the sandbox and perhaps a model. */
function kitThatLends(outcomes: readonly CodeOutcome[], model: FakeModel | undefined): { kit: ScorerKit; calls: string[] } {
  const calls: string[] = [];
  const kit: ScorerKit = {
    fetch: async () => {
      calls.push('fetch');
      throw new TypeError('no network in the kit');
    },
    clock: () => new Date('2026-01-01T00:00:00Z'),
    log: () => {},
    model: async (alias) => {
      calls.push(`model ${alias}`);
      if (!model) throw new Error('the kit lends no model');
      return model;
    },
    runCode: async (_program, given) => {
      calls.push(`runCode ${given.length}`);
      return outcomes.slice(0, given.length);
    },
  };
  return { kit, calls };
}
