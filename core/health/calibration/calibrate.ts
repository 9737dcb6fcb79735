import { applyPlatt, interpolate } from '../../scorers/calibration/score-mapping.ts';
import type { Calibration, CalibrationFit, CalibrationRequest } from './calibration.ts';
import { mapUnseen } from './cross-fit.ts';
import { fitIsotonic } from './isotonic.ts';
import { countTrue, type Outcomes } from './outcomes.ts';
import { fitPlatt } from './platt.ts';
import { computeBrier, computeCalibrationError, toReliabilityCurve } from './reliability.ts';
import { chooseThreshold, listThresholds } from './thresholds.ts';

type Wanted = Pick<CalibrationRequest, 'bins' | 'precision' | 'recall'>;
type Measured = Omit<Calibration, 'scorer_version_id' | 'skipped_rows'>;

/** Fewer rows of a side make a curve of chance. */
const LEAST_OF_A_SIDE = 10;
const MAX_THRESHOLDS = 100;

/** The calibration of scores between 0 and 1. Pauses between its parts, each of them in O(n log n). */
export async function calibrate(outcomes: Outcomes, wanted: Wanted, pause: () => Promise<void>): Promise<Measured> {
  const rows = outcomes.scores.length;
  const positive_rows = countTrue(outcomes);
  const thresholds = [...listThresholds(outcomes)];
  await pause();
  const hasSides = Math.min(positive_rows, rows - positive_rows) >= LEAST_OF_A_SIDE;
  const isotonic = hasSides ? await toIsotonic(outcomes, wanted.bins, pause) : null;
  await pause();
  const platt = hasSides ? await toPlatt(outcomes, wanted.bins, pause) : null;
  await pause();
  return {
    rows,
    positive_rows,
    scores: rows > 0 ? toFit(outcomes, wanted.bins) : null,
    baseline_brier: rows > 0 ? (positive_rows / rows) * (1 - positive_rows / rows) : null,
    reliability: toReliabilityCurve(outcomes, wanted.bins),
    isotonic,
    platt,
    thresholds: pickEvenly(thresholds, MAX_THRESHOLDS),
    chosen_threshold: choose(outcomes, wanted) ?? null,
  };
}

const choose = (outcomes: Outcomes, { precision, recall }: Wanted) => {
  if (precision != null) return chooseThreshold(outcomes, 'precision', precision);
  return recall == null ? undefined : chooseThreshold(outcomes, 'recall', recall);
};

async function toIsotonic(outcomes: Outcomes, bins: number, pause: () => Promise<void>) {
  const train = (seen: Outcomes) => {
    const points = fitIsotonic(seen);
    return (score: number) => interpolate(points, score);
  };
  return { points: fitIsotonic(outcomes), fit: toFit(await mapUnseen(outcomes, train, pause), bins) };
}

async function toPlatt(outcomes: Outcomes, bins: number, pause: () => Promise<void>) {
  const train = (seen: Outcomes) => {
    const curve = fitPlatt(seen);
    return (score: number) => applyPlatt(curve, score);
  };
  return { ...fitPlatt(outcomes), fit: toFit(await mapUnseen(outcomes, train, pause), bins) };
}

const toFit = (outcomes: Outcomes, bins: number): CalibrationFit => ({
  brier: computeBrier(outcomes),
  ...computeCalibrationError(toReliabilityCurve(outcomes, bins)),
});

export function pickEvenly<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, at) => all[Math.round((at * (all.length - 1)) / (most - 1))]!);
}
