/**
 * PostgreSQL's text and jsonb take neither NUL nor half of a surrogate pair, and language model traffic carries both.
 * They are kept as an escape: the private character U+F8FF and four hexadecimal digits, and that character itself
 * likewise. Texts without any of the three, nearly all, are stored as they are.
 */
const MARK = '\uf8ff';
const TROUBLE = /[\0\uf8ff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ESCAPED = /\uf8ff([0-9a-f]{4})/g;

export function encodeText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0') && !text.includes(MARK)) return text;
  return text.replaceAll(TROUBLE, (unit) => MARK + unit.charCodeAt(0).toString(16).padStart(4, '0'));
}

export function decodeText(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replaceAll(ESCAPED, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Whether JSON text holds anything that has to be escaped, or looks as if it did. */
export const mayNeedEscape = (json: string): boolean => /\\u(?:0000|d[89a-f])|\uf8ff/i.test(json);

/** Encodes every text in a JSON value, keys included. */
export const encodeJson = (value: unknown): unknown => mapTexts(value, encodeText);

/** Decodes every text in a JSON value, keys included. */
export const decodeJson = (value: unknown): unknown => mapTexts(value, decodeText);

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [change(key), mapTexts(child, change)]));
}
