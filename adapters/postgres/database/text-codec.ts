/**
 * PostgreSQL's text and jsonb take neither NUL nor half of a surrogate pair, and language model traffic carries both.
 * They are kept as an escape: the private character U+F8FF and four digits, written as the private characters U+F8E0 to
 * U+F8EF. Those characters themselves are escaped likewise, so that nothing a text says can be found inside an escape.
 * Texts without any of them, nearly all, are stored as they are.
 */
const MARK = '\uf8ff';
const FIRST_DIGIT = 0xf8e0;
const PRIVATE = /[\uf8e0-\uf8ef\uf8ff]/;
const TROUBLE = /[\0\uf8e0-\uf8ef\uf8ff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ESCAPED = /\uf8ff([\uf8e0-\uf8ef]{4})/g;

export function encodeText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0') && !PRIVATE.test(text)) return text;
  return text.replaceAll(TROUBLE, (unit) => MARK + computeDigits(unit.charCodeAt(0)));
}

export function decodeText(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replaceAll(ESCAPED, (_, digits: string) => String.fromCharCode(toCodeUnit(digits)));
}

const computeDigits = (unit: number): string =>
  String.fromCharCode(...[12, 8, 4, 0].map((shift) => FIRST_DIGIT + ((unit >> shift) & 0xf)));

const toCodeUnit = (digits: string): number =>
  [...digits].reduce((unit, digit) => (unit << 4) | (digit.charCodeAt(0) - FIRST_DIGIT), 0);

/** Whether JSON text holds anything that has to be escaped, or looks as if it did. */
export const mayNeedEscape = (json: string): boolean => /\\u(?:0000|d[89a-f])|[\uf8e0-\uf8ef\uf8ff]/i.test(json);

/** Encodes every text in a JSON value, keys included. */
export const encodeJson = (value: unknown): unknown => mapTexts(value, encodeText);

/** Whether anything in JSON text is an escape. */
const mayNeedDecoding = (json: string): boolean => json.includes(MARK);

/**
 * Reads JSON as it is stored, for columns that are selected as text. That nothing in it has to be decoded, as in nearly all of them,
 * is told by the text: to look at each name of what was read takes as long as reading it did.
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return mayNeedDecoding(text) ? mapTexts(value, decodeText) : value;
}

/** Decodes every text in a JSON value, keys included. A value without escapes is returned as it is. */
export const decodeJson = (value: unknown): unknown => (holdsEscape(value) ? mapTexts(value, decodeText) : value);

function holdsEscape(value: unknown): boolean {
  if (typeof value === 'string') return mayNeedDecoding(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsEscape);
  for (const key in value) if (mayNeedDecoding(key) || holdsEscape((value as Record<string, unknown>)[key])) return true;
  return false;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [change(key), mapTexts(child, change)]));
}
