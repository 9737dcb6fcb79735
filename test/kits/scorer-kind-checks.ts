import assert from 'node:assert/strict';
import { type CodeOutcome, type ScoreOutcome, type ScorerKindPlugin, type ScorerKit, z } from '../../core/plugin-sdk/index.ts';
import { type CheckList, check, expectSame, type Fixed } from './check.ts';
import { headCheck } from './head-check.ts';

export interface ScorerKindCase<D extends z.ZodType> {
  readonly plugin: ScorerKindPlugin<D>;
  /** A definition that its schema accepts. */
  readonly definition: Fixed<z.input<D>>;
  /** What the host's sandbox is to answer, one per record; for kinds that run code. */
  readonly codeOutcomes?: readonly CodeOutcome[];
  /** The records to score, and what is expected of each. */
  readonly records: readonly string[];
  readonly expected: readonly ScoreOutcome[];
}

/** What every scorer-kind plugin has to hold. */
export function scorerKindChecks<D extends z.ZodType>(given: ScorerKindCase<D>): CheckList {
  const { plugin, definition, records, expected } = given;
  const { kit, calls } = kitThatLends(given.codeOutcomes ?? []);
  const create = () => plugin.create(kit, plugin.definition.parse(definition));
  const score = (judged: readonly string[]) =>
    create().score({ items: judged.map((record) => ({ record })), signal: new AbortController().signal });

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
  ];
  return {
    title: `scorer kind ${plugin.id}`,
    checks,
    open: async () => {},
    reset: () => void calls.splice(0),
    close: async () => {},
  };
}

/** A kit that notes what is asked of it, and lends only the sandbox. */
function kitThatLends(outcomes: readonly CodeOutcome[]): { kit: ScorerKit; calls: string[] } {
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
      throw new Error('the kit lends no model');
    },
    runCode: async (_program, given) => {
      calls.push(`runCode ${given.length}`);
      return outcomes.slice(0, given.length);
    },
  };
  return { kit, calls };
}
