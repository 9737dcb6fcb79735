/**
 * Probability of `hits` or more of `n` when each has the probability `share`, exactly: the one-sided binomial test. Summed from
 * logarithms, so that no factorial overflows. C. J. Clopper and E. S. Pearson, Biometrika 26 (1934), 404–413.
 */
export function computeUpperTail(hits: number, n: number, share: number): number {
  let log = n * Math.log1p(-share);
  let sum = hits === 0 ? Math.exp(log) : 0;
  for (let k = 1; k <= n; k += 1) {
    log += Math.log((n - k + 1) / k) + Math.log(share) - Math.log1p(-share);
    if (k >= hits) sum += Math.exp(log);
  }
  return Math.min(1, sum);
}
