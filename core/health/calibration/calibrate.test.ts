import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { interpolate } from '../../scorers/calibration/score-mapping.ts';
import { calibrate } from './calibrate.ts';
import { fitIsotonic } from './isotonic.ts';
import type { Outcomes } from './outcomes.ts';
import { fitPlatt } from './platt.ts';
import { computeBrier, computeCalibrationError, toReliabilityCurve } from './reliability.ts';
import { chooseThreshold, listThresholds } from './thresholds.ts';
import { countRowsNeeded, toShare } from './wilson.ts';

interface Case {
  readonly scores: number[];
  readonly truths: number[];
  readonly brier: number;
  readonly ece: number;
  readonly curve_rate: number[];
  readonly curve_mean: number[];
  readonly isotonic_at: number[];
  readonly isotonic: number[];
  readonly platt: [number, number];
  readonly threshold: number;
  readonly precision: number;
  readonly recall: number;
}

/** Made by scikit-learn 1.9.1: `brier_score_loss`, `calibration_curve`, `IsotonicRegression`, `_SigmoidCalibration`, `precision_score`. */
const fixture = new URL('../../../test/fixtures/health/calibration.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(fixture, 'utf8')) as { cases: Case[] };

const toOutcomes = ({ scores, truths }: Pick<Case, 'scores' | 'truths'>): Outcomes => ({
  scores: Float64Array.from(scores),
  truths: Uint8Array.from(truths),
});
const pause = async (): Promise<void> => {};

describe('calibration beside scikit-learn', () => {
  it.each(cases.map((one, at) => [at, one] as const))('measures case %i as it does', (_at, one) => {
    const outcomes = toOutcomes(one);
    expect(computeBrier(outcomes)).toBeCloseTo(one.brier, 12);
    const curve = toReliabilityCurve(outcomes, 10);
    expect(curve).toHaveLength(one.curve_rate.length);
    for (const [at, bin] of curve.entries()) {
      expect(bin.rate.value).toBeCloseTo(one.curve_rate[at]!, 12);
      expect(bin.mean_score).toBeCloseTo(one.curve_mean[at]!, 12);
    }
    expect(computeCalibrationError(curve).ece).toBeCloseTo(one.ece, 12);
  });

  it.each(cases.map((one, at) => [at, one] as const))('maps case %i as it does', (_at, one) => {
    const outcomes = toOutcomes(one);
    const points = fitIsotonic(outcomes);
    for (const [at, score] of one.isotonic_at.entries()) expect(interpolate(points, score)).toBeCloseTo(one.isotonic[at]!, 9);
    const { slope, offset } = fitPlatt(outcomes);
    expect(slope).toBeCloseTo(one.platt[0], 3);
    expect(offset).toBeCloseTo(one.platt[1], 3);
  });

  it.each(cases.map((one, at) => [at, one] as const))('draws the line in case %i as it does', (_at, one) => {
    const drawn = [...listThresholds(toOutcomes(one))].find(({ threshold }) => threshold === one.threshold)!;
    expect(drawn.precision!.value).toBeCloseTo(one.precision, 12);
    expect(drawn.recall!.value).toBeCloseTo(one.recall, 12);
  });
});

describe('reliability', () => {
  it('puts a score on a border into the lower part, however the product is rounded', () => {
    const scores = [0, 0.1, 0.3, 0.6, 0.7, 1];
    const curve = toReliabilityCurve(toOutcomes({ scores, truths: [0, 0, 0, 1, 1, 1] }), 10);
    expect(curve.map(({ high }) => high)).toEqual([0.1, 0.3, 0.6, 0.7, 1]);
    expect(curve[0]!.rate.n).toBe(2);
  });
});

describe('the Wilson score interval', () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998), 857–872, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i of %i is that of the published examples', (hits, n, low, high) => {
    const share = toShare(hits, n)!;
    expect(share.low).toBeCloseTo(low, 4);
    expect(share.high).toBeCloseTo(high, 4);
  });

  it('says how many rows it takes to be narrow', () => {
    expect(countRowsNeeded({ value: 0.5, low: 0.4, high: 0.6, n: 90 }, 0.05)).toBe(385);
    expect(countRowsNeeded({ value: 1, low: 0.9, high: 1, n: 30 }, 0.05)).toBe(139);
  });
});

describe('the threshold that is chosen', () => {
  const outcomes = toOutcomes({ scores: [0.1, 0.2, 0.4, 0.6, 0.8, 0.9], truths: [0, 1, 0, 1, 1, 1] });

  it('keeps the precision with the most recall, or the recall with the most precision', () => {
    expect(chooseThreshold(outcomes, 'precision', 1)).toMatchObject({ threshold: 0.6, recall: { value: 0.75 }, called_true: 3 });
    expect(chooseThreshold(outcomes, 'precision', 0.7)).toMatchObject({ threshold: 0.2, recall: { value: 1 } });
    expect(chooseThreshold(outcomes, 'recall', 0.5)).toMatchObject({ threshold: 0.6, precision: { value: 1 } });
  });

  it('says how many more labels would make its interval narrow', () => {
    expect(chooseThreshold(outcomes, 'precision', 1)!.labels_needed).toBeGreaterThan(100);
  });

  it('is none where nothing reaches what is wanted', () => {
    const wrong = toOutcomes({ scores: [0.9, 0.1], truths: [0, 1] });
    expect(chooseThreshold(wrong, 'precision', 0.9)).toBeUndefined();
    expect(chooseThreshold(toOutcomes({ scores: [0.5], truths: [0] }), 'recall', 0.1)).toBeUndefined();
  });
});

describe('the calibration of a run', () => {
  const wanted = { bins: 10, precision: null, recall: null };
  /** Numbers from 0 to below 1, always the same ones. */
  const random = (seed: number) => {
    let state = seed;
    return () => {
      state = (state * 16_807) % 2_147_483_647;
      return state / 2_147_483_647;
    };
  };

  it('finds a scorer that is too sure of itself, and a mapping that mends it on rows that had no part in it', async () => {
    const draw = random(42);
    const rates = Array.from({ length: 2_000 }, draw);
    // Right rates pushed towards 0 and 1.
    const scores = rates.map((rate) => rate ** 3 / (rate ** 3 + (1 - rate) ** 3));
    const truths = rates.map((rate) => (draw() < rate ? 1 : 0));
    const found = await calibrate(toOutcomes({ scores, truths }), wanted, pause);
    expect(found.scores!.ece).toBeGreaterThan(0.1);
    for (const mapping of [found.isotonic!, found.platt!]) {
      expect(mapping.fit.ece).toBeLessThan(found.scores!.ece / 2);
      expect(mapping.fit.brier).toBeLessThan(found.scores!.brier);
    }
    expect(found.thresholds).toHaveLength(100);
  });

  it('does not take a curve of chance for a better one', async () => {
    const draw = random(7);
    const scores = Array.from({ length: 100 }, draw);
    const truths = scores.map(() => (draw() < 0.5 ? 1 : 0));
    const found = await calibrate(toOutcomes({ scores, truths }), wanted, pause);
    expect(found.isotonic!.fit.brier).toBeGreaterThan(0.23);
  });

  it('has no mapping with few rows of one side, and is empty without rows', async () => {
    const few = await calibrate(toOutcomes({ scores: [0.2, 0.9], truths: [0, 1] }), wanted, pause);
    expect(few).toMatchObject({ rows: 2, isotonic: null, platt: null, scores: { brier: expect.closeTo(0.025) } });
    const none = await calibrate(toOutcomes({ scores: [], truths: [] }), wanted, pause);
    expect(none).toEqual({
      rows: 0,
      positive_rows: 0,
      scores: null,
      baseline_brier: null,
      reliability: [],
      isotonic: null,
      platt: null,
      thresholds: [],
      chosen_threshold: null,
    });
  });

  it('takes scores that are all alike, and scores that part the truths', async () => {
    const alike = { scores: new Array(40).fill(0.5), truths: Array.from({ length: 40 }, (_, at) => at % 2) };
    const { isotonic, platt } = await calibrate(toOutcomes(alike), wanted, pause);
    expect(isotonic!.points).toEqual([{ score: 0.5, rate: 0.5 }]);
    expect(Number.isFinite(platt!.slope) && Number.isFinite(platt!.offset)).toBe(true);
    const parted = {
      scores: Array.from({ length: 40 }, (_, at) => at / 39),
      truths: Array.from({ length: 40 }, (_, at) => +(at >= 20)),
    };
    const found = await calibrate(toOutcomes(parted), wanted, pause);
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  });
});
