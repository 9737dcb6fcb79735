import type { TextRange } from '../text-range.ts';
import { isWordAt } from './digit-runs.ts';

/** Groups as cards print them, or none, with what may stand beside them. The engine's own expressions are safe here: every part has a bounded length. */
const RUN = /\d(?:[ -]?\d){12,29}/g;
const LENGTH = { least: 13, most: 19 };
/** Visa, Mastercard, American Express, Diners Club, Discover, JCB, UnionPay, Maestro. */
const ISSUER = /^(?:4|5[0-8]|2[2-7]|3[0478]|35|6)/;

/** Numbers of payment cards: 13 to 19 digits of a known issuer whose check digit (Luhn) is right. */
export function findCreditCards(text: string): TextRange[] {
  const found: TextRange[] = [];
  for (const { index, 0: run } of text.matchAll(RUN)) {
    if (isWordAt(text, index - 1) || isWordAt(text, index + run.length)) continue;
    const card = findCard(run);
    if (card) found.push({ start: index + card.start, end: index + card.end });
  }
  return found;
}

/** The first card among the groups of a run, the longest where several begin at one place: a date or a code may stand beside it. */
function findCard(run: string): TextRange | undefined {
  const starts = [0, ...Array.from(run.matchAll(/[ -]/g), ({ index }) => index + 1)];
  const ends = [
    run.length,
    ...starts
      .slice(1)
      .map((start) => start - 1)
      .toReversed(),
  ];
  for (const start of starts) {
    const end = ends.find((at) => isCard(run.slice(start, Math.max(at, start)).replace(/\D/g, '')));
    if (end !== undefined) return { start, end };
  }
  return undefined;
}

const isCard = (digits: string): boolean =>
  digits.length >= LENGTH.least && digits.length <= LENGTH.most && ISSUER.test(digits) && hasLuhnDigit(digits);

function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
