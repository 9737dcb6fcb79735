import { z } from 'zod';
import { randomFrom } from '../kernel/statistics/random-from.ts';

/** Between which values the health would lie, had other rows of the same kind been in the dataset. */
export const Interval = z
  .object({ low: z.number(), high: z.number(), level: z.number(), resamples: z.int() })
  .meta({ id: 'HealthInterval' });
export type Interval = z.output<typeof Interval>;

const LEVEL = 0.95;
const [FEWEST, MOST] = [200, 1_000];
/** Rows drawn in all, beyond which fewer resamples have to do. */
const DRAWS = 10_000_000;
/** Rows drawn between two pauses: a few milliseconds. */
const DRAWS_AT_ONCE = 200_000;
const SEED = 0x5eed;

/**
 * The percentile bootstrap: rows are drawn with replacement, as many as there are, again and again, and the middle 95 % of the values is
 * the interval. The same rows always give the same interval. Null for fewer than two rows, or when the value is undefined
 * in more than half of the resamples. Pauses on the way, for others who are waiting.
 */
export async function bootstrapInterval(
  rows: number,
  over: (drawn: Uint32Array) => number | null,
  pause: () => Promise<void>,
): Promise<Interval | null> {
  if (rows < 2) return null;
  const wanted = Math.min(MOST, Math.max(FEWEST, Math.floor(DRAWS / rows)));
  const random = randomFrom(SEED);
  const drawn = new Uint32Array(rows);
  const values: number[] = [];
  let sinceThePause = 0;
  for (let sample = 0; sample < wanted; sample += 1) {
    for (let at = 0; at < rows; at += 1) drawn[at] = Math.floor(random() * rows);
    const value = over(drawn);
    if (value !== null && Number.isFinite(value)) values.push(value);
    sinceThePause += rows;
    if (sinceThePause < DRAWS_AT_ONCE) continue;
    sinceThePause = 0;
    await pause();
  }
  if (values.length * 2 <= wanted) return null;
  values.sort((a, b) => a - b);
  const tail = (1 - LEVEL) / 2;
  return { low: quantile(values, tail), high: quantile(values, 1 - tail), level: LEVEL, resamples: values.length };
}

/** Between the two nearest of the sorted values, in proportion. */
function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return below + (above - below) * (place - Math.floor(place));
}
