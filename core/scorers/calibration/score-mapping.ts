import { z } from 'zod';

/** A point of a rising curve from scores to rates. */
const CurvePoint = z.object({ score: z.number(), rate: z.number() });
export type CurvePoint = z.output<typeof CurvePoint>;

/** The rate at a score is 1 / (1 + exp(slope · score + offset)). */
const PlattCurve = z.object({ slope: z.number(), offset: z.number() });
export type PlattCurve = z.output<typeof PlattCurve>;

/** A mapping of scores between 0 and 1 to the rates at which they were true. */
export const ScoreMapping = z.discriminatedUnion('method', [
  z.object({ method: z.literal('isotonic'), points: z.array(CurvePoint).min(1) }),
  PlattCurve.extend({ method: z.literal('platt') }),
]);
export type ScoreMapping = z.output<typeof ScoreMapping>;

/** The mapping that a version applies to its scores, and what it was fitted to. */
export const VersionCalibration = z
  .object({
    mapping: ScoreMapping,
    of_version_id: z.string().describe('The version whose scores it was fitted to, and whose definition this one has.'),
    project_id: z.string(),
    run_id: z.string().describe('The run whose rows it was fitted to.'),
    positive_label: z.string().nullable(),
    rows: z.int(),
    ece: z.number().describe('Expected calibration error of the scores as they were.'),
    mapped_ece: z.number().describe('The same after the mapping, of rows that had no part in it.'),
  })
  .meta({ id: 'ScorerVersionCalibration' });
export type VersionCalibration = z.output<typeof VersionCalibration>;

export const applyMapping = (mapping: ScoreMapping, score: number): number =>
  mapping.method === 'platt' ? applyPlatt(mapping, score) : interpolate(mapping.points, score);

export const applyPlatt = ({ slope, offset }: PlattCurve, score: number): number => {
  const power = slope * score + offset;
  return power >= 0 ? Math.exp(-power) / (1 + Math.exp(-power)) : 1 / (1 + Math.exp(power));
};

/** The curve at a score: between two points in proportion, outside of them that of the nearest one. */
export function interpolate(points: readonly CurvePoint[], score: number): number {
  let [low, high] = [0, points.length - 1];
  if (score <= points[low]!.score) return points[low]!.rate;
  if (score >= points[high]!.score) return points[high]!.rate;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (points[middle]!.score <= score) low = middle;
    else high = middle;
  }
  const [from, to] = [points[low]!, points[high]!];
  return from.rate + ((score - from.score) / (to.score - from.score)) * (to.rate - from.rate);
}
