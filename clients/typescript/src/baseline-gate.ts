/** The gate of an experiment: no metric may be worse than in the baseline. */
export interface BaselineGate {
  /** Id of an experiment over the same dataset. */
  readonly baseline: string;
  readonly metrics: readonly string[];
  /** By how much a metric may be worse. 0 unless given. */
  readonly margin?: number;
}

interface Compared {
  readonly name: string;
  readonly n: number;
  readonly mean_difference: number;
  readonly lower_is_better: boolean;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** One line for each metric whose whole interval of the mean difference lies on the bad side, or which cannot be compared. */
export function findWorse(compared: readonly Compared[], { metrics, margin = 0 }: BaselineGate): string[] {
  return metrics.flatMap((name) => {
    const metric = compared.find((one) => one.name === name);
    if (!metric) return [`no row has ${name} in both experiments`];
    const { n, interval, lower_is_better, mean_difference } = metric;
    if (!interval) return [`${n} rows with ${name} are too few to know what is chance`];
    const isWorse = lower_is_better ? interval.low > margin : interval.high < -margin;
    const { low, high } = interval;
    return isWorse ? [`${name} ${toSigned(mean_difference)} on ${n} rows (${toSigned(low)} to ${toSigned(high)})`] : [];
  });
}

const toSigned = (value: number): string => `${value > 0 ? '+' : ''}${Number(value.toPrecision(4))}`;
