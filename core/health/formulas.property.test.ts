import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohenKappa, weightedKappa } from './agreement.ts';
import { measureChunkLists } from './chunk-lists.ts';
import { measureLabelSets } from './label-sets.ts';
import { measureCounts, measurePercentages, measureRatings } from './numbers.ts';
import { measureLabels } from './single-label.ts';

/**
 * Everything once more, in the plainest way there is: whole tables, nothing pooled, nothing shared with the code under test.
 */
const plainly = {
  f1(truths: readonly string[], predictions: readonly string[], label: string): number {
    const rows = truths.map((truth, row) => [truth === label, predictions[row] === label] as const);
    const right = rows.filter(([is, said]) => is && said).length;
    const precision = right / rows.filter(([, said]) => said).length;
    const recall = right / rows.filter(([is]) => is).length;
    return right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  },
  macroF1(truths: readonly string[], predictions: readonly string[]): number {
    const labels = [...new Set([...truths, ...predictions])];
    return labels.map((label) => plainly.f1(truths, predictions, label)).reduce((sum, f1) => sum + f1) / labels.length;
  },
  /** Observed and expected counts of each pair of classes, as two tables. */
  tables(classes: number, truths: readonly number[], predictions: readonly number[]) {
    const cells = Array.from({ length: classes * classes }, (_, cell) => [Math.floor(cell / classes), cell % classes] as const);
    const count = (side: readonly number[], label: number) => side.filter((one) => one === label).length;
    return cells.map(([truth, prediction]) => ({
      truth,
      prediction,
      observed: truths.filter((one, row) => one === truth && predictions[row] === prediction).length,
      expected: (count(truths, truth) * count(predictions, prediction)) / truths.length,
    }));
  },
  kappa(
    weight: (distance: number) => number,
    classes: number,
    truths: readonly number[],
    predictions: readonly number[],
  ): number | null {
    const cells = plainly.tables(classes, truths, predictions);
    const sum = (key: 'observed' | 'expected') =>
      cells.reduce((all, cell) => all + weight(Math.abs(cell.truth - cell.prediction)) * cell[key], 0);
    return sum('expected') < 1e-9 ? null : 1 - sum('observed') / sum('expected');
  },
  r2(truths: readonly number[], predictions: readonly number[]): number | null {
    if (truths.length < 2) return null;
    const mean = truths.reduce((sum, truth) => sum + truth, 0) / truths.length;
    const residual = truths.reduce((sum, truth, row) => sum + (truth - predictions[row]!) ** 2, 0);
    const total = truths.reduce((sum, truth) => sum + (truth - mean) ** 2, 0);
    if (new Set(truths).size === 1) return residual === 0 ? 1 : 0;
    return 1 - residual / total;
  },
  mean: (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length,
};

const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 8));
const both = <T>(value: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 60 }).map((rows) => ({
    truths: rows.map(([truth]) => truth),
    predictions: rows.map(([, prediction]) => prediction),
  }));
const label = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString', 'd e');
const runs = { numRuns: 500 };

describe('the formulas, against a second implementation', () => {
  it('F1 by class, macro and micro, and accuracy', () => {
    fc.assert(
      fc.property(both(label), ({ truths, predictions }) => {
        const { value, secondary } = measureLabels(truths, predictions);
        const accuracy = truths.filter((truth, row) => truth === predictions[row]).length / truths.length;
        expect(value).toEqual(near(plainly.macroF1(truths, predictions)));
        expect(secondary).toMatchObject({ micro_f1: near(accuracy), accuracy: near(accuracy) });
        for (const one of new Set([...truths, ...predictions]))
          expect(secondary[`f1:${one}`]).toEqual(near(plainly.f1(truths, predictions, one)));
      }),
      runs,
    );
  });

  it("Cohen's kappa, plain, linear and quadratic", () => {
    fc.assert(
      fc.property(both(fc.nat(4)), ({ truths, predictions }) => {
        const differ = (distance: number) => (distance === 0 ? 0 : 1);
        expect(cohenKappa(5, truths, predictions)).toEqual(near(plainly.kappa(differ, 5, truths, predictions)));
        expect(weightedKappa('linear', 5, truths, predictions)).toEqual(near(plainly.kappa((d) => d, 5, truths, predictions)));
        expect(weightedKappa('quadratic', 5, truths, predictions)).toEqual(
          near(plainly.kappa((d) => d * d, 5, truths, predictions)),
        );
      }),
      runs,
    );
  });

  it('MSE, MAE, RMSE and R²', () => {
    fc.assert(
      fc.property(both(fc.integer({ min: -500, max: 500 }).map((value) => value / 100)), ({ truths, predictions }) => {
        const errors = truths.map((truth, row) => predictions[row]! - truth);
        const [mse, mae] = [plainly.mean(errors.map((e) => e * e)), plainly.mean(errors.map(Math.abs))];
        const r2 = plainly.r2(truths, predictions);
        expect(measurePercentages(truths, predictions)).toMatchObject({
          value: near(mse),
          secondary: { mae: near(mae), rmse: near(Math.sqrt(mse)), r2: r2 === null ? null : expect.closeTo(r2, 5) },
        });
        expect(measureCounts(truths, predictions)).toMatchObject({ value: near(mae), secondary: { mse: near(mse) } });
      }),
      runs,
    );
  });

  it('ratings: kappa by the places of values in their order', () => {
    fc.assert(
      fc.property(both(fc.constantFrom<number>(-3, 0.5, 1, 20)), ({ truths, predictions }) => {
        const values = [...new Set([...truths, ...predictions])].sort((a, b) => a - b);
        const places = (side: readonly number[]) => side.map((value) => values.indexOf(value));
        const kappa = plainly.kappa((d) => d * d, values.length, places(truths), places(predictions));
        expect(measureRatings(truths, predictions).secondary.cohen_kappa).toEqual(near(kappa));
      }),
      runs,
    );
  });

  it('sets of labels: micro, macro and subset accuracy', () => {
    fc.assert(
      fc.property(both(fc.array(label, { maxLength: 5 })), ({ truths, predictions }) => {
        const has = (sets: readonly (readonly string[])[], one: string) => sets.map((set) => String(set.includes(one)));
        const labels = [...new Set([...truths, ...predictions].flat())];
        const f1s = labels.map((one) => plainly.f1(has(truths, one), has(predictions, one), 'true'));
        const pooled = plainly.f1(
          labels.flatMap((one) => has(truths, one)),
          labels.flatMap((one) => has(predictions, one)),
          'true',
        );
        const equal = truths.map((set, row) => Number(new Set(set).symmetricDifference(new Set(predictions[row])).size === 0));
        const { value, secondary } = measureLabelSets(truths, predictions);
        expect(value).toEqual(labels.length === 0 ? null : near(pooled));
        expect(secondary).toMatchObject({
          macro_f1: labels.length === 0 ? null : near(plainly.mean(f1s)),
          subset_accuracy: near(plainly.mean(equal)),
        });
      }),
      runs,
    );
  });

  it('lists of chunks: the F1 of true, pooled', () => {
    const chunks = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(chunks, { minLength: 1, maxLength: 10 }), (rows) => {
        const side = (at: 0 | 1) => rows.map((row) => row.map((pair) => pair[at]));
        const [truths, predictions] = [side(0), side(1)];
        const pooled = plainly.f1(truths.flat().map(String), predictions.flat().map(String), 'true');
        expect(measureChunkLists(truths, predictions).value).toEqual(rows.flat().length === 0 ? null : near(pooled));
      }),
      runs,
    );
  });
});

it('the value over all rows, each drawn once, is the value', () => {
  const everyRow = (rows: number) => Array.from({ length: rows }, (_, row) => row);
  fc.assert(
    fc.property(both(label), both(fc.integer({ min: 0, max: 9 })), (labels, numbers) => {
      const sets = [labels.truths.map((one) => [one]), labels.predictions.map((one) => [one])] as const;
      for (const measure of [
        measureLabels(labels.truths, labels.predictions),
        measureLabelSets(...sets),
        measurePercentages(numbers.truths, numbers.predictions),
        measureRatings(numbers.truths, numbers.predictions),
      ])
        expect(measure.over(everyRow(measure.secondary.n!))).toEqual(near(measure.value));
    }),
  );
});
