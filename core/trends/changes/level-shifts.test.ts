import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../kernel/statistics/random-from.ts';
import { computeChance, findLevelShifts } from './level-shifts.ts';

const SIGNIFICANCE = 0.01;
const random = randomFrom(11);
/** From the standard normal distribution, by the method of Box and Muller. */
const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const series = <T>(length: number, value: (at: number) => T): T[] => Array.from({ length }, (_, at) => value(at));
const shiftsIn = (values: readonly number[], significance = SIGNIFICANCE) =>
  findLevelShifts(values, { significance }).map(({ index }) => index);

/** Of so many series the share that has a shift. */
const shareWith = (count: number, make: () => number[], significance = SIGNIFICANCE): number =>
  series(count, () => shiftsIn(make(), significance)).filter(({ length }) => length > 0).length / count;

// Annual flow of the Nile at Aswan, 1871 to 1970, in 10^8 m³: Cobb, "The problem of the Nile", Biometrika 65 (1978).
const NILE = [
  1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140, 1100, 1210,
  1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969, 831, 726, 456, 824, 702, 1120,
  1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040, 759, 781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649,
  846, 812, 742, 801, 1040, 860, 874, 848, 890, 744, 749, 838, 1050, 918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746,
  919, 718, 714, 740,
];

// Four levels: 60 values about 50, 40 about 62, 68 about 50, 72 about 41, with a standard deviation of 4.
const FOUR_LEVELS = [
  48, 55, 43, 49, 46, 49, 58, 51, 49, 52, 51, 50, 55, 49, 54, 59, 44, 51, 50, 50, 51, 50, 44, 43, 50, 44, 55, 50, 55, 56, 54, 55,
  50, 59, 45, 52, 48, 50, 46, 50, 43, 44, 46, 46, 45, 53, 46, 47, 42, 52, 54, 55, 56, 54, 56, 50, 47, 48, 45, 49, 60, 61, 55, 63,
  61, 59, 60, 62, 65, 66, 59, 54, 62, 63, 63, 62, 63, 63, 63, 68, 60, 63, 65, 60, 58, 59, 65, 69, 62, 62, 70, 60, 62, 60, 65, 61,
  58, 61, 73, 63, 49, 51, 43, 59, 47, 49, 48, 52, 49, 45, 51, 55, 50, 45, 54, 51, 55, 54, 52, 45, 48, 51, 47, 52, 47, 48, 49, 50,
  43, 49, 60, 48, 56, 49, 54, 53, 48, 52, 52, 54, 44, 48, 48, 52, 46, 47, 48, 54, 56, 52, 53, 54, 50, 52, 53, 45, 55, 48, 49, 46,
  52, 60, 50, 48, 50, 47, 50, 45, 43, 40, 44, 41, 42, 33, 43, 34, 43, 36, 43, 40, 44, 42, 39, 36, 44, 45, 39, 40, 40, 38, 44, 41,
  40, 42, 46, 49, 45, 37, 42, 41, 46, 44, 39, 44, 49, 43, 36, 36, 43, 47, 43, 37, 42, 46, 41, 37, 36, 43, 49, 35, 42, 46, 39, 38,
  47, 42, 43, 39, 37, 43, 38, 37, 42, 42, 47, 47, 48, 43, 33, 40,
];

describe('level shifts', () => {
  it('are those that ruptures 1.1.10 finds by dynamic programming over ranks', () => {
    // Dynp(model="rank", min_size=5, jump=1): predict(n_bkps=1) is [28, 100], and predict(n_bkps=3) is [60, 100, 167, 240].
    expect(shiftsIn(NILE)).toEqual([28]);
    expect(shiftsIn(FOUR_LEVELS)).toEqual([60, 100, 167]);
  });

  it('are as improbable as Miller and Siegmund say: never less often by chance than in 40,000 shuffled series', () => {
    // Shares of shuffled series of numpy 2 whose largest statistic is beyond this, by their length.
    const shuffled = [
      [30, 2.5, 0.08255],
      [30, 3.5, 0.001575],
      [60, 2.5, 0.134175],
      [60, 3.5, 0.00475],
      [168, 3, 0.0528],
      [168, 3.5, 0.009575],
      [168, 3.75, 0.0039],
    ] as const;
    for (const [count, statistic, share] of shuffled) {
      expect(computeChance(statistic, count)).toBeGreaterThan(share);
      expect(computeChance(statistic, count)).toBeLessThan(share * 12 + 0.01);
    }
    expect(computeChance(0.5, 100)).toBe(1);
  });

  it.each([24, 56, 168, 720])(
    'are found in at most one of a hundred series of noise of %i values, however they are distributed',
    (length) => {
      const count = Math.round(60_000 / length);
      expect(shareWith(count, () => series(length, normal))).toBeLessThanOrEqual(SIGNIFICANCE);
      expect(shareWith(count, () => series(length, () => Math.exp(3 * normal())))).toBeLessThanOrEqual(SIGNIFICANCE);
      expect(shareWith(count, () => series(length, () => (random() < 0.2 ? 1 : 0)))).toBeLessThanOrEqual(SIGNIFICANCE);
      // Without the penalty that significance is, noise is full of them.
      expect(shareWith(20, () => series(length, normal), 1)).toBe(1);
    },
  );

  it('are as rare in what comes again each day, and not much more often found where values follow the one before', () => {
    const daily = () => series(168, (hour) => 3 * Math.sin((hour / 24) * 2 * Math.PI) + normal());
    expect(shareWith(400, daily)).toBeLessThanOrEqual(SIGNIFICANCE);
    const following = () => {
      let last = 0;
      return series(168, () => {
        last = 0.5 * last + normal();
        return last;
      });
    };
    expect(shareWith(400, following)).toBeLessThan(0.04);
  });

  it.each([
    [3, 0.9],
    [4, 0.98],
  ])(
    'of %f standard deviations are all found in a week of hours, a share of %f of them at most one bucket off',
    (size, share) => {
      const near = series(400, () => {
        const place = 24 + Math.floor(random() * 120);
        const shifts = shiftsIn(series(168, (at) => normal() + (at >= place ? size : 0)));
        expect(shifts.length).toBeGreaterThan(0);
        return shifts.some((index) => Math.abs(index - place) <= 1);
      });
      expect(near.filter(Boolean).length / near.length).toBeGreaterThan(share);
    },
  );

  it('of four standard deviations are both found where the level comes back again', () => {
    const found = series(200, () => shiftsIn(series(168, (at) => normal() + (at >= 60 && at < 100 ? 4 : 0))));
    const both = found.filter((shifts) => [60, 100].every((place) => shifts.some((index) => Math.abs(index - place) <= 1)));
    expect(both.length).toBeGreaterThan(0.95 * 200);
    expect(shiftsIn([...series(30, () => 0), ...series(30, () => 1), ...series(30, () => 0)])).toEqual([30, 60]);
  });

  it('are none of a few values, of values that are all the same, and of one that is extreme', () => {
    expect(shiftsIn([])).toEqual([]);
    expect(shiftsIn([...series(9, () => 0), ...series(10, () => 1)])).toEqual([]);
    expect(shiftsIn(series(500, () => 7))).toEqual([]);
    expect(shiftsIn(series(200, (at) => (at === 100 ? 1e300 : (at * 7) % 10)))).toEqual([]);
    expect(shiftsIn([...series(15, () => 0), ...series(15, () => 1)])).toEqual([15]);
    expect(shiftsIn([...series(100, () => 0), ...series(15, () => 1)])).toEqual([100]);
    expect(shiftsIn(series(200, (at) => (at === 150 ? 1e300 : ((at * 7) % 10) + (at >= 60 ? 50 : 0))))).toEqual([60]);
  });

  it('are at most twenty, the clearest', () => {
    expect(shiftsIn(series(2_000, (at) => Math.floor(at / 40) % 2)).length).toBeLessThanOrEqual(20);
  });
});
