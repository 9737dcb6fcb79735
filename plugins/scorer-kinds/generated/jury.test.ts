import { describe, expect, it } from 'vitest';
import { type ModelChoice, PluginError, type ScoreOutcome, type ScorerKit } from '../../../core/plugin-sdk/index.ts';
import { FakeModel, type FakeReply } from '../../../plugin-kit/fake-model.ts';
import { Definition } from './definition.ts';
import { generated } from './index.ts';

const record = JSON.stringify({ type: 'trace', id: 't', input: 'Where is it?', output: 'In the box.' });
const jurors = [
  { model_name: 'big', provider: 'acme', weight: 3 },
  { model_name: 'small', weight: 1 },
  { model_name: 'other', weight: 1 },
];
const down = new PluginError('unavailable', 'acme: answered 503');

interface Asked {
  readonly outcome: ScoreOutcome;
  readonly choices: ReadonlyMap<string, ModelChoice | undefined>;
  readonly models: ReadonlyMap<string, FakeModel>;
}

/** Each juror says what it is told to; an error as the opening of a model says that there is none. */
async function judge(says: Readonly<Record<string, FakeReply | { readonly missing: Error }>>, more: object = {}): Promise<Asked> {
  const choices = new Map<string, ModelChoice | undefined>();
  const models = new Map<string, FakeModel>();
  const kit = {
    clock: () => new Date(0),
    model: async (alias: string, choice?: ModelChoice) => {
      choices.set(alias, choice);
      const said = says[alias]!;
      if (typeof said === 'object' && 'missing' in said) throw said.missing;
      const model = new FakeModel(() => said);
      models.set(alias, model);
      return model;
    },
  } as unknown as ScorerKit;
  const definition = Definition.parse({ user_prompt: 'Does it answer?', jurors, ...more });
  const [outcome] = await generated.create(kit, definition).score({ items: [{ record }], signal: new AbortController().signal });
  return { outcome: outcome!, choices, models };
}

const rating = (value: unknown): string => JSON.stringify({ rating: value });

describe('a jury', () => {
  it('asks each model once, of the provider that is named, and decides by weight', async () => {
    const { outcome, choices, models } = await judge({ big: rating(true), small: rating(false), other: rating(false) });
    expect(outcome).toMatchObject({ status: 'success', value: true });
    expect(outcome.effort).toMatchObject({ num_judges: 3, agreement: 3 / 5, input_tokens: 300, output_tokens: 30, cost: 0.03 });
    expect(outcome.effort).not.toHaveProperty('model');
    expect(outcome.effort).not.toHaveProperty('missing_votes');
    expect(outcome.effort?.votes).toEqual([
      { value: true, model: 'big', weight: 3 },
      { value: false, model: 'small', weight: 1 },
      { value: false, model: 'other', weight: 1 },
    ]);
    expect(choices.get('big')).toEqual({ provider: 'acme', is_replaceable: true });
    expect([...models.values()].flatMap(({ calls }) => calls.map((call) => call.judge))).toEqual([0, 1, 2]);
  });

  it('judges without the jurors that fail, and says who is missing and why', async () => {
    const { outcome } = await judge({
      big: down,
      small: { missing: new PluginError('unsupported', 'no such model') },
      other: rating(false),
    });
    expect(outcome).toMatchObject({ status: 'success', value: false, effort: { num_judges: 3, agreement: 1 } });
    expect(outcome.effort?.missing_votes).toEqual([
      { model: 'big', weight: 3, message: 'acme: answered 503' },
      { model: 'small', weight: 1, message: 'no such model' },
    ]);
  });

  it('fails when all of its jurors fail', async () => {
    const { outcome } = await judge({
      big: down,
      small: down,
      other: { missing: new PluginError('unsupported', 'no such model') },
    });
    const message = '3 of 3 judges gave no verdict: acme: answered 503; no such model';
    expect(outcome).toMatchObject({ status: 'failed', message, effort: { votes: [] } });
    expect(outcome.effort?.missing_votes).toHaveLength(3);
  });

  it('lets a failure pass that is no failure of a model', async () => {
    const handedBack = new Error('handed back');
    await expect(judge({ big: { missing: handedBack }, small: rating(true), other: rating(true) })).rejects.toBe(handedBack);
  });

  it.each([
    ['mean', (3 * 0.9 + 0.5 + 0.1) / 5],
    ['median', 0.9],
    ['min', 0.1],
  ])('has the weighted %s of numbers, and agrees the more the nearer they are', async (aggregation, value) => {
    const said = { big: rating(0.9), small: rating(0.5), other: rating(0.1) };
    const { outcome } = await judge(said, { output_type: 'percentage', aggregation });
    const apart = (3 * Math.abs(0.9 - value) + Math.abs(0.5 - value) + Math.abs(0.1 - value)) / 5;
    expect(outcome.status === 'success' && outcome.value).toBeCloseTo(value);
    expect(outcome.effort?.agreement).toBeCloseTo(Math.max(0, 1 - 2 * apart));
  });

  it('agrees not at all when half of its weight is at each end of the scale', async () => {
    const halves = { jurors: [{ model_name: 'a' }, { model_name: 'b' }], output_type: 'discrete', range: { min: 0, max: 10 } };
    const { outcome } = await judge({ a: rating(0), b: rating(10) }, halves);
    expect(outcome).toMatchObject({ value: 5, effort: { agreement: 0 } });
  });

  it('gives a tie of classes to the first label, however weights add up', async () => {
    const tied = {
      jurors: [
        { model_name: 'a', weight: 0.1 },
        { model_name: 'b', weight: 0.2 },
        { model_name: 'c', weight: 0.3 },
      ],
      output_type: 'categorical',
      labels: ['late', 'early'],
    };
    const { outcome } = await judge({ a: rating('early'), b: rating('early'), c: rating('late') }, tied);
    expect(outcome).toMatchObject({ status: 'success', value: 'late' });
    expect(outcome.effort?.agreement).toBeCloseTo(0.5);
  });

  it.each([
    [[{ model_name: 'alone' }]],
    [[{ model_name: 'a' }, { model_name: 'b', weight: 0 }]],
    [Array.from({ length: 11 }, (_, at) => ({ model_name: `model ${at}` }))],
    [[{ model_name: 'a' }, { model_name: '' }]],
    [
      [
        { model_name: 'a', provider: 'one' },
        { model_name: 'a', provider: 'another' },
      ],
    ],
  ])('is none of %j', (given) => {
    expect(Definition.safeParse({ user_prompt: 'x', jurors: given }).success).toBe(false);
  });
});
