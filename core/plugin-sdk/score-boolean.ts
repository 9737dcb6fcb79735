import { readDecimal } from './score-number.ts';
import type { ScoreRole } from './score-role.ts';
import { cleanScoreText, unquoted } from './score-text.ts';

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', '1', '1.0'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', '0', '0.0'].map((word) => [word, false] as const),
]);

/** A score between 0 and 1 is the share of judges that said yes: more than half of them decide. */
export function readBoolean(given: unknown, role: ScoreRole): boolean | undefined {
  if (typeof given === 'boolean') return given;
  if (typeof given !== 'number' && typeof given !== 'string') return undefined;
  const word = unquoted(cleanScoreText(String(given))).toLowerCase();
  const share = role === 'score' ? (typeof given === 'number' ? given : readDecimal(word)) : undefined;
  if (share !== undefined && share > 0 && share < 1) return share > 0.5;
  return WORDS.get(word);
}
