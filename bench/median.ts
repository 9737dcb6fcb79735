/** The middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear between the two nearest values. NaN of nothing. */
export function quantile(values: readonly number[], part: number): number {
  const ordered = [...values].sort((a, b) => a - b);
  const at = (ordered.length - 1) * part;
  const below = ordered[Math.floor(at)];
  const above = ordered[Math.ceil(at)];
  if (below === undefined || above === undefined) return Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}
