import assert from 'node:assert/strict';
import type { ScoreItem, z } from '../../core/plugin-sdk/index.ts';
import { type Check, check, expectSame } from '../check.ts';
import { processState } from '../process-state.ts';
import type { ScorerKindCase, ScorerStage } from './scorer-stage.ts';

const never = () => new AbortController().signal;

/** Checks that a scorer keeps no state but that of its own version, and changes nothing else. */
export function scorerStateChecks<D extends z.ZodType>(given: ScorerKindCase<D>, stage: ScorerStage): Check[] {
  const { plugin, definition, expected } = given;
  const { items } = stage;
  return [
    check('keeps two versions apart', async () => {
      const others = otherDefinitions(given).filter((one) => plugin.definition.safeParse(one).success);
      const first = stage.create();
      const second = stage.create(others[0] ?? definition);
      const alone = await second.score({ items, signal: never() });
      expectSame(await first.score({ items, signal: never() }), expected);
      expectSame(await second.score({ items, signal: never() }), alone);
      expectSame(await first.score({ items, signal: never() }), expected);
    }),
    check('keeps two calls apart', async () => {
      const alone = await stage.score(items);
      const scorer = stage.create();
      const calls = [scorer.score({ items, signal: never() }), scorer.score({ items, signal: never() })];
      for (const outcomes of await Promise.all(calls)) expectSame(outcomes, alone);
      expectSame(await scorer.score({ items, signal: never() }), alone);
    }),
    check('judges a record alone as among others', async () => {
      const together = await stage.score(items);
      for (const [index, item] of items.entries()) {
        stage.set({ codeFrom: index });
        expectSame(await stage.score([item]), [together[index]]);
      }
    }),
    check('changes nothing of what it is given', async () => {
      const parsed = plugin.definition.parse(definition);
      const copies: ScoreItem[] = structuredClone([...items, ...items.map((item) => withSurroundings(item))]);
      const before = structuredClone({ parsed, copies });
      await plugin.create(stage.kit, parsed).score({ items: copies, signal: never() });
      expectSame({ parsed, copies }, before);
    }),
    check('asks only through the host', async () => {
      await stage.score(items);
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.deepEqual(stage.past, [], 'went past what the host provides');
    }),
    check('leaves the process as it was', async () => {
      const state = processState();
      await stage.score(items).finally(() => state.restore());
      assert.deepEqual(state.changes(), []);
    }),
  ];
}

/** Adds all surroundings of a record, whether the kind asks for them or not. */
const withSurroundings = ({ record, ...item }: ScoreItem): ScoreItem => ({
  around: [record],
  ground_truth: 'Yes.',
  required: { other: [1, 2] },
  ...item,
  record,
});

/** Definitions that judge otherwise: the one of the case, else with raised numbers, else with longer strings. */
function otherDefinitions<D extends z.ZodType>({ definition, otherDefinition }: ScorerKindCase<D>): unknown[] {
  const raised = mapped(definition, (leaf) => (typeof leaf === 'number' ? leaf + 1 : leaf));
  const longer = mapped(definition, (leaf) => (typeof leaf === 'string' ? `${leaf} ` : leaf));
  const made = [raised, longer].filter((one) => JSON.stringify(one) !== JSON.stringify(definition));
  return otherDefinition === undefined ? made : [otherDefinition];
}

function mapped(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mapped(one, change));
  if (typeof value !== 'object' || value === null) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, mapped(held, change)]));
}
