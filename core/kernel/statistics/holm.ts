/**
 * Holm's adjusted p-values, in the order of those given: where tests with a value below α are called significant, the chance of any
 * false one is at most α, however the tests depend on each other. S. Holm, Scandinavian Journal of Statistics 6 (1979), 65–70.
 */
export function adjustByHolm(p_values: readonly number[]): number[] {
  const order = p_values.map((_, at) => at).toSorted((a, b) => p_values[a]! - p_values[b]!);
  const adjusted = new Array<number>(p_values.length);
  let largest = 0;
  for (const [rank, at] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (order.length - rank) * p_values[at]!));
    adjusted[at] = largest;
  }
  return adjusted;
}
