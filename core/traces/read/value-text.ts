import type { JsonObject, JsonValue } from '../../kernel/json.ts';

/**
 * A value of the sender's own making as text filters see it: a text as it is, anything else as JSON text. That text is
 * the one PostgreSQL makes of `jsonb`, so that every adapter finds the same: keys by length, then by bytes, a space
 * after colons and commas, numbers without an exponent.
 */
export const valueText = (value: JsonValue): string | null =>
  value === null || typeof value === 'string' ? value : jsonText(value);

function jsonText(value: JsonValue): string {
  if (typeof value === 'string') return `"${value.replaceAll(SPECIAL, toEscape)}"`;
  if (typeof value === 'number') return decimal(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(jsonText).join(', ')}]`;
  const members = Object.entries(value as JsonObject).sort(([a], [b]) => byLengthThenBytes(a, b));
  return `{${members.map(([key, child]) => `${jsonText(key)}: ${jsonText(child)}`).join(', ')}}`;
}

/** NUL and halves of surrogate pairs stay as they are: no filter can ask for them, and none should find their escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that JSON escapes
const SPECIAL = /["\\\u0001-\u001f]/g;
const toEscape = (character: string): string => JSON.stringify(character).slice(1, -1);

const encoder = new TextEncoder();

function byLengthThenBytes(a: string, b: string): number {
  const [left, right] = [encoder.encode(a), encoder.encode(b)];
  if (left.length !== right.length) return left.length - right.length;
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at < 0 ? 0 : left[at]! - right[at]!;
}

/** The shortest decimal digits of a number, with zeros where JavaScript writes an exponent. */
function decimal(value: number): string {
  const [mantissa = '', exponent] = JSON.stringify(value).split('e');
  if (exponent === undefined) return mantissa;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(mantissa) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}
