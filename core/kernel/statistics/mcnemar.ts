/**
 * McNemar's test in its exact form (Psychometrika 1947): of the rows whose answer changed, as many should have changed either
 * way. Two-sided, by the binomial distribution with p = 1/2. Answers 1 when nothing changed.
 */
export function mcnemarExact(toYes: number, toNo: number): number {
  const changed = toYes + toNo;
  if (changed === 0) return 1;
  let term = -changed * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= Math.min(toYes, toNo); k += 1) {
    tail += Math.exp(term);
    term += Math.log(changed - k) - Math.log(k + 1);
  }
  return Math.min(1, 2 * tail);
}
