/** Whether a value of JSON holds more values than `limit`, itself among them. Looks at no more of them than that. */
export function holdsMoreThan(limit: number, value: unknown): boolean {
  const open: unknown[] = [value];
  let seen = 0;
  for (let next = open.pop(); seen <= limit; next = open.pop()) {
    seen += 1;
    if (typeof next === 'object' && next !== null) {
      for (const key in next) {
        if (seen + open.length > limit) return true;
        open.push((next as Record<string, unknown>)[key]);
      }
    }
    if (open.length === 0) return seen > limit;
  }
  return true;
}
