import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../kernel/json.ts';
import type { OutputType } from '../plugin-sdk/index.ts';
import { getHealth } from './health-of.ts';
import { withOverlay } from './join-rows.ts';

type Row = readonly [truth: string | null, score?: JsonValue];

/** Rows r1, r2 and so on. A row without a score has no successful one. */
function health(output_type: OutputType, rows: readonly Row[], overlay: Record<string, string | null> = {}) {
  const ids = rows.map((_row, at) => `r${at + 1}`);
  const truths = rows.map(([truth], at) => ({ row_id: ids[at]!, truth }));
  const scores = new Map(rows.flatMap(([, score], at) => (score === undefined ? [] : [[ids[at]!, [score]] as const])));
  return getHealth(output_type, withOverlay(truths, overlay), scores, async () => undefined);
}

const zipped = (truths: readonly string[], scores: readonly JsonValue[]): Row[] =>
  truths.map((truth, at) => [truth, scores[at]!]);
const about = (value: number) => expect.closeTo(value, 6);

describe('the worked examples', () => {
  it('H1 boolean', async () => {
    const rows: Row[] = [
      ['true', true],
      ['yes', false],
      ['1', true],
      ['false'],
      [null, true],
      ['No', false],
      ['unsure', true],
      ['true', 'maybe'],
    ];
    expect(await health('boolean', rows, { r5: 'false', r6: null, r99: 'true' })).toMatchObject({
      health_score_type: 'macro_f1',
      value: about(0.333333),
      total_scored_rows: 7,
      total_mgt_rows: 7,
      joined_rows: 6,
      skipped_rows: 2,
      secondary: {
        n: 4,
        micro_f1: about(0.5),
        accuracy: about(0.5),
        cohen_kappa: about(-0.333333),
        'f1:true': about(0.666667),
        'f1:false': 0,
        'support:true': 3,
        'support:false': 1,
      },
      confusion_table: {
        labels: ['false', 'true'],
        counts: [
          [0, 1],
          [1, 2],
        ],
        other_rows: 0,
      },
      baseline: { value: about(0.428571), prediction: 'true' },
    });
  });

  it('H2 percentage', async () => {
    const rows = zipped(['85%', '0.9', '10', 'abc', '120%'], [0.8, 0.95, 0.2, 0.5, 0.9]);
    expect(await health('percentage', rows)).toMatchObject({
      health_score_type: 'mse',
      value: about(0.005),
      joined_rows: 5,
      skipped_rows: 2,
      secondary: { n: 3, mae: about(0.066667), rmse: about(0.070711), r2: about(0.962656) },
      confusion_table: null,
    });
  });

  it('H3 multilabel', async () => {
    const rows = zipped(['["a","b"]', 'a; c', '[]', 'b'], [['a'], ['a', 'c', 'd'], [], ['a']]);
    expect(await health('multilabel', rows)).toMatchObject({
      health_score_type: 'micro_f1',
      value: about(0.6),
      joined_rows: 4,
      skipped_rows: 0,
      secondary: {
        n: 4,
        macro_f1: about(0.45),
        subset_accuracy: about(0.25),
        'f1:a': about(0.8),
        'f1:b': 0,
        'f1:c': 1,
        'f1:d': 0,
      },
    });
  });

  it('H4 chunk list', async () => {
    const scores = [
      [true, true, true],
      [false, false],
      [true, false],
    ];
    expect(await health('retrieved_chunk_list_boolean', zipped(['[true,false,true]', '1,0', '[true]'], scores))).toMatchObject({
      health_score_type: 'micro_f1',
      value: about(0.666667),
      joined_rows: 3,
      skipped_rows: 1,
      secondary: { n: 2, 'f1:false': about(0.5), macro_f1: about(0.583333), accuracy: about(0.6) },
    });
  });

  it('H5 discrete', async () => {
    expect(await health('discrete', zipped(['4', '5', '3', '2', '5'], [4, 4, 3, 1, 5]))).toMatchObject({
      health_score_type: 'mae',
      value: about(0.4),
      secondary: {
        n: 5,
        mse: about(0.4),
        rmse: about(0.632456),
        r2: about(0.705882),
        accuracy: about(0.6),
        cohen_kappa: about(0.880952),
      },
      baseline: { value: 1, prediction: 4 },
    });
  });

  it('H6 nothing usable', async () => {
    expect(await health('boolean', zipped(['perhaps', '?'], [true, false]))).toEqual({
      health_score_type: 'macro_f1',
      value: null,
      total_scored_rows: 2,
      total_mgt_rows: 2,
      joined_rows: 2,
      skipped_rows: 2,
      secondary: {},
      interval: null,
      baseline: null,
      confusion_table: null,
    });
  });

  it('H7 overlay only', async () => {
    const rows: Row[] = [
      [null, true],
      [null, false],
      [null, true],
    ];
    const measured = await health('boolean', rows, { r1: 'true', r2: 'false' });
    expect(measured).toMatchObject({ value: 1, total_mgt_rows: 2, total_scored_rows: 3, joined_rows: 2, skipped_rows: 0 });
  });

  it('freeform has counters alone', async () => {
    const rows: Row[] = [['right', 'said'], ['right'], [null, 'said']];
    expect(await health('freeform', rows)).toMatchObject({
      health_score_type: null,
      value: null,
      secondary: {},
      total_scored_rows: 2,
      total_mgt_rows: 2,
      joined_rows: 1,
      skipped_rows: 0,
    });
  });

  it('classes: F1 0.8, 0, 0, macro 0.266667, micro 0.333333, kappa 0', async () => {
    const measured = await health('categorical', zipped(['0', '1', '2', '0', '1', '2'], ['0', '2', '1', '0', '0', '1']));
    expect(measured).toMatchObject({
      value: about(0.266667),
      secondary: { 'f1:0': about(0.8), 'f1:1': 0, 'f1:2': 0, micro_f1: about(0.333333), cohen_kappa: 0 },
    });
  });

  it('numbers: MSE 0.375, MAE 0.5, RMSE 0.612372, R² 0.948608', async () => {
    expect(await health('discrete', zipped(['3', '-0.5', '2', '7'], [2.5, 0, 2, 8]))).toMatchObject({
      value: 0.5,
      secondary: { mse: 0.375, rmse: about(0.612372), r2: about(0.948608) },
    });
  });
});

describe('keys of secondary', () => {
  const keys = async (output_type: OutputType, truth: string, score: JsonValue) =>
    Object.keys((await health(output_type, [[truth, score]])).secondary);
  const perClass = (label: string) => ['f1', 'precision', 'recall', 'support'].map((name) => `${name}:${label}`);

  it.each<[OutputType, string, JsonValue, string[]]>([
    ['boolean', 'true', true, ['micro_f1', 'accuracy', 'cohen_kappa', 'n', ...perClass('true')]],
    ['categorical', 'A: b', 'a: B', ['micro_f1', 'accuracy', 'cohen_kappa', 'n', ...perClass('A: b')]],
    ['multilabel', '__proto__', ['__proto__'], ['macro_f1', 'subset_accuracy', 'n', ...perClass('__proto__')]],
    ['boolean_multilabel', '{"a":true}', { a: true }, ['macro_f1', 'subset_accuracy', 'n', ...perClass('a')]],
    ['retrieved_chunk_list_boolean', '1', [true], ['macro_f1', 'accuracy', 'n', ...perClass('true'), ...perClass('false')]],
    ['percentage', '1', 1, ['mae', 'rmse', 'r2', 'spearman', 'n']],
    ['count', '1', 1, ['mse', 'rmse', 'r2', 'accuracy', 'spearman', 'n']],
    ['discrete', '1', 1, ['mse', 'rmse', 'r2', 'accuracy', 'spearman', 'cohen_kappa', 'n']],
  ])('of %s', async (output_type, truth, score, expected) => {
    expect(await keys(output_type, truth, score)).toEqual(expected);
  });

  it('name at most a hundred classes, those with the most rows first', async () => {
    const rows = Array.from({ length: 300 }, (_, at): Row => [`class ${at % 150}`, `class ${at % 150}`]);
    const { secondary, confusion_table } = await health('categorical', [...rows, ['class 149', 'class 149']]);
    const shown = Object.keys(secondary).filter((key) => key.startsWith('f1:'));
    expect(shown).toHaveLength(100);
    expect(shown[0]).toBe('f1:class 149');
    expect(confusion_table).toMatchObject({ other_rows: 100 });
    expect(confusion_table!.labels).toHaveLength(100);
  });

  it('hold no number that JSON does not', async () => {
    const { value, secondary } = await health('discrete', zipped(['1e300', '1'], [-1e300, 1]));
    expect({ value, secondary }).toMatchObject({ value: 1e300, secondary: { mse: null, rmse: null, r2: null } });
  });
});

describe('edges', () => {
  it('all sets empty and no label listed: undefined; with a label listed: 0', async () => {
    expect((await health('multilabel', [['[]', []]])).value).toBeNull();
    expect((await health('boolean_multilabel', [['{"a":false}', { a: false }]])).value).toBe(0);
  });

  it('labels are the same whatever their case and blanks, and shown as the truth first has them', async () => {
    const measured = await health('categorical', zipped(['Very  Good', 'very good'], ['VERY GOOD', 'very  good']));
    expect(measured).toMatchObject({ value: 1, secondary: { 'f1:Very  Good': 1, cohen_kappa: null } });
  });

  it('truths that are all equal have an R² of 1 or 0, also where their mean is not equal to them', async () => {
    const r2 = async (scores: number[]) =>
      (
        await health(
          'percentage',
          zipped(
            scores.map(() => '0.1'),
            scores,
          ),
        )
      ).secondary.r2;
    expect(await r2([0.1, 0.1, 0.1])).toBe(1);
    expect(await r2([0.1, 0.1, 0.2])).toBe(0);
    expect(await r2([0.1])).toBeNull();
  });

  it('keeps its digits on large offsets', async () => {
    const truths = ['1000000000001', '1000000000002', '1000000000003'];
    expect((await health('count', zipped(truths, truths.map(Number)))).secondary.r2).toBe(1);
    const off = truths.map((truth) => Number(truth) + 1);
    expect((await health('count', zipped(truths, off))).secondary.r2).toBe(-0.5);
  });
});

describe('several records of one row', () => {
  const several = (output_type: OutputType, truth: string, said: JsonValue[]) =>
    getHealth(output_type, [{ row_id: 'r', truth }], new Map([['r', said]]), async () => undefined);

  it.each<[OutputType, string, JsonValue[]]>([
    ['boolean', 'true', [true, true, false]],
    ['boolean', 'false', [true, false]],
    ['categorical', 'b', ['B', 'a', 'b']],
    ['categorical', 'a', ['b', 'a']],
    ['percentage', '0.5', [0.25, 0.75]],
    ['count', '3', [2, 'unreadable', 4]],
    ['multilabel', 'a', [['a', 'b'], ['a'], ['c']]],
    ['boolean_multilabel', '{"a":true,"b":false}', [{ a: true }, { a: true, b: true }, { b: false }]],
    [
      'retrieved_chunk_list_boolean',
      '1,0',
      [
        [true, true],
        [true, false],
      ],
    ],
  ])('%s: %s is what several make together', async (output_type, truth, said) => {
    const { value, joined_rows, skipped_rows } = await several(output_type, truth, said);
    expect({ joined_rows, skipped_rows }).toEqual({ joined_rows: 1, skipped_rows: 0 });
    expect(value).toBe(['percentage', 'count'].includes(output_type) ? 0 : 1);
  });

  it('lists of chunks that differ in length make none', async () => {
    expect(await several('retrieved_chunk_list_boolean', '1', [[true], [true, false]])).toMatchObject({ skipped_rows: 1 });
  });
});

describe('the interval', () => {
  const mixed = Array.from({ length: 60 }, (_, at): Row => [at % 3 ? 'true' : 'false', at % 4 !== 0]);

  it('holds the value, is the same every time, and narrows with more rows', async () => {
    const [first, again, more] = await Promise.all([
      health('boolean', mixed),
      health('boolean', mixed),
      health('boolean', Array.from({ length: 20 }, () => mixed).flat()),
    ]);
    expect(first.interval).toEqual(again.interval);
    expect(first.interval).toMatchObject({ level: 0.95, resamples: 1000 });
    expect(first.interval!.low).toBeLessThan(first.value!);
    expect(first.interval!.high).toBeGreaterThan(first.value!);
    const width = ({ interval }: typeof first) => interval!.high - interval!.low;
    expect(width(more)).toBeLessThan(width(first) / 3);
  });

  it('of a mean is what its standard error says', async () => {
    const errors = Array.from({ length: 400 }, (_, at) => at % 5);
    const { interval, value } = await health(
      'count',
      errors.map((error): Row => ['10', 10 + error]),
    );
    const standardError = Math.SQRT2 / Math.sqrt(400);
    expect(value).toBe(2);
    expect(interval!.low).toBeCloseTo(2 - 1.96 * standardError, 1);
    expect(interval!.high).toBeCloseTo(2 + 1.96 * standardError, 1);
  });

  it('is not there for a single row', async () => {
    expect((await health('boolean', [['true', true]])).interval).toBeNull();
  });
});

describe('the baseline', () => {
  it.each<[OutputType, string[], object]>([
    ['boolean', ['true', 'true', 'true', 'false'], { value: about(0.428571), prediction: 'true' }],
    ['multilabel', ['a', 'a; b', 'a', '[]'], { value: about(0.75), prediction: ['a'] }],
    ['retrieved_chunk_list_boolean', ['1,0', '1'], { value: about(0.8), prediction: true }],
    ['percentage', ['0.2', '0.4'], { value: about(0.01), prediction: about(0.3) }],
    ['count', ['1', '2', '30', '40'], { value: 16.75, prediction: 16 }],
  ])('of %s is what the best constant is worth', async (output_type, truths, expected) => {
    const { baseline } = await health(output_type, zipped(truths, truths));
    expect(baseline).toEqual(expected);
  });
});
