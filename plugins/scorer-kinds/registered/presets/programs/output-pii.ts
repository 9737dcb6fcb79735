interface Scored {
  readonly output: string | null;
}
type Check = (found: string) => boolean;

const computeDigits = (text: string): number[] => [...text.replace(/\D/g, '')].map(Number);

/** The check digit of card numbers: every second digit from the right doubled, its digits added; the sum ends in 0. */
const isCard: Check = (found) => {
  const doubled = computeDigits(found)
    .reverse()
    .map((digit, at) => (at % 2 === 1 ? digit * 2 - (digit > 4 ? 9 : 0) : digit));
  return doubled.length >= 13 && doubled.reduce((sum, digit) => sum + digit, 0) % 10 === 0;
};

/** The check digits of an IBAN: first four characters last, letters as numbers from 10 on; the rest by 97 is 1. */
const isIban: Check = (found) => {
  const plain = found.replace(/\s/g, '');
  const turned = [...plain.slice(4), ...plain.slice(0, 4)].map((character) => Number.parseInt(character, 36)).join('');
  return [...turned].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
};

const KINDS: readonly (readonly [kind: string, RegExp, Check?])[] = [
  ['email', /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu],
  [
    'phone_number',
    /(?<![\d.])(?:\+\d{1,3}[ ./-]?(?:\(\d{1,4}\)[ ./-]?)?\d{2,4}(?:[ ./-]?\d{2,4}){1,4}|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4})(?!\d)/g,
  ],
  ['credit_card', /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g, isCard],
  ['bank_account', /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g, isIban],
  ['national_id', /(?<!\d)(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?!\d)/g],
  ['ip_address', /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])/g],
];

/** Kinds of personal data in the output that are known by their form: what passes the check of its kind, where it has one. */
export function scorer({ output }: Scored): string[] {
  const text = output ?? '';
  const holds = ([, form, check]: (typeof KINDS)[number]): boolean => (text.match(form) ?? []).some(check ?? (() => true));
  return KINDS.filter(holds).map(([kind]) => kind);
}
