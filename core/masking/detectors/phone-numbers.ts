import type { TextRange } from '../text-range.ts';
import { type DigitRun, findDigitRuns } from './digit-runs.ts';

const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?!\d)/;
const DECIMAL = /^\d+\.\d+$/;
const NORTH_AMERICAN = /^(?:1[ .-])?\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}$/;
const SEPARATOR = /[ .\-/()]/;

/**
 * Phone numbers: with `+` and country code, national ones that begin with 0 and are written in groups, and those of North America
 * in their groups. A number without any of these signs may be anything, and stays.
 */
export function findPhoneNumbers(text: string): TextRange[] {
  return findDigitRuns(text).flatMap((run) => toPhoneNumber(text, run) ?? []);
}

function toPhoneNumber(text: string, { start, end, digits }: DigitRun): TextRange | undefined {
  const opening = text[start - 1] === '(' ? 1 : 0;
  const before = text[start - 1 - opening];
  if (before === '+') return digits.length <= 15 ? { start: start - 1 - opening, end } : undefined;
  // Part of something longer: an id in groups, a number with decimals, a path.
  if (before !== undefined && /[-./]/.test(before)) return undefined;
  if (text[end] === '-' || text[end] === '/') return undefined;
  const run = text.slice(start, end);
  if (DATE.test(run) || DECIMAL.test(run)) return undefined;
  const isNational = digits.startsWith('0') && digits.length >= 8 && digits.length <= 14 && SEPARATOR.test(run);
  const isNorthAmerican = NORTH_AMERICAN.test(run);
  return isNational || isNorthAmerican ? { start: start - opening, end } : undefined;
}
