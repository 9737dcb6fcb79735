import type { ScoreRole } from './score-role.ts';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** As many as a double keeps for certain. */
const MAX_SIGNIFICANT_DIGITS = 15;
/** The largest double takes 309 digits; what is far longer is not looked at. */
const MAX_LENGTH = 400;

/**
 * A number with a point and perhaps an exponent, without separators of thousands. Undefined for anything else, also for more
 * digits than a double keeps and for what is beyond its range.
 */
export function readDecimal(text: string): number | undefined {
  if (text.length > MAX_LENGTH || !DECIMAL.test(text)) return undefined;
  const digits = text
    .replace(/e.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
  const value = Number(text);
  return digits.length <= MAX_SIGNIFICANT_DIGITS && Number.isFinite(value) ? value + 0 : undefined;
}

export const readDiscrete = (given: unknown): number | undefined =>
  typeof given === 'number' ? finite(given) : typeof given === 'string' ? readDecimal(given) : undefined;

/** The mean of several judges is a count, too, when it is a score. */
export function readCount(given: unknown, role: ScoreRole): number | undefined {
  if (role === 'score' && typeof given === 'number') return finite(given);
  const value = readDiscrete(given);
  return value !== undefined && value >= 0 && (role === 'score' || Number.isInteger(value)) ? value : undefined;
}

/** As a share of 1. A score that is a number is taken as it is: what is out of range there is the scorer's mistake. */
export function readPercentage(given: unknown, role: ScoreRole): number | undefined {
  if (typeof given === 'number') return role === 'score' ? finite(given) : computeShare(given);
  if (typeof given !== 'string') return undefined;
  if (!given.endsWith('%')) return computeShare(readDecimal(given));
  const percent = readDecimal(given.slice(0, -1).trimEnd());
  return isWithin(percent, 100) ? percent / 100 : undefined;
}

function computeShare(value: number | undefined): number | undefined {
  if (!isWithin(value, 100)) return undefined;
  return value > 1 ? value / 100 : value;
}

const isWithin = (value: number | undefined, max: number): value is number => value !== undefined && value >= 0 && value <= max;
const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);
