export const DELIMITERS = [',', ';', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const MAX_RECORDS = 20;

/**
 * Detects the delimiter of the cells by the first records: the sign that most of them have as often as the header has
 * it, then the one that is more frequent there. A comma where nothing speaks for another.
 */
export function sniffDelimiter(head: string): Delimiter {
  let best: Delimiter = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const [header = 0, ...rest] = computeCounts(head, delimiter);
    if (header === 0) continue;
    const alike = rest.length === 0 ? 1 : rest.filter((count) => count === header).length / rest.length;
    const score = alike + Math.min(header, 1_000) / 10_000;
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

/** How often the sign stands outside quotes, record by record; the last record is only counted when it is the first. */
function computeCounts(head: string, delimiter: string): number[] {
  const counts: number[] = [];
  let count = 0;
  let quoted = false;
  for (const sign of head) {
    if (sign === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (sign === delimiter) count += 1;
    else if (sign === '\n') {
      counts.push(count);
      count = 0;
      if (counts.length >= MAX_RECORDS) return counts;
    }
  }
  return counts.length === 0 ? [count] : counts;
}
