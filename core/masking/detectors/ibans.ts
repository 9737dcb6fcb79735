import type { TextRange } from '../text-range.ts';
import { isWordAt } from './digit-runs.ts';

/** In one piece or in groups of four, as they are printed. */
const IBAN = /[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?/gi;
const MIN_LENGTH = 15;
const MAX_LENGTH = 34;

/** Bank account numbers whose check digits (ISO 13616, modulo 97) are right. */
export function findIbans(text: string): TextRange[] {
  const found: TextRange[] = [];
  for (const { index: start, 0: match } of text.matchAll(IBAN)) {
    if (isWordAt(text, start - 1)) continue;
    const length = getIbanLength(match);
    if (length > 0 && !isWordAt(text, start + length)) found.push({ start, end: start + length });
  }
  return found;
}

/** Length of the IBAN that a text begins with; words that follow in groups like its own are left off. 0 when it is none. */
function getIbanLength(match: string): number {
  for (let length = match.length; length >= MIN_LENGTH; length = match.lastIndexOf(' ', length - 1)) {
    if (isIban(match.slice(0, length).replaceAll(' ', '').toUpperCase())) return length;
  }
  return 0;
}

function isIban(iban: string): boolean {
  if (iban.length < MIN_LENGTH || iban.length > MAX_LENGTH) return false;
  let rest = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest === 1;
}
