/** Shorter secrets cannot be told from other text. */
const MIN_CHARS = 4;
/** Of a value inside a secret that is JSON, and of a line of one that has several: `type` and `id` occur everywhere. */
const MIN_PART_CHARS = 8;
/** Of what base64 leaves of a secret. */
const MIN_ENCODED_CHARS = 6;
const REDACTED = '[secret]';

/**
 * The spellings of secrets by which they might stand in a message: as they are, inside JSON, percent-encoded, in base64 (inside a longer
 * text too, as `user:secret` of a header) and in hexadecimal; for secrets that hold JSON or several lines, their parts as well.
 */
export function secretWords(secrets: readonly unknown[]): string[] {
  const words = secrets.flatMap((secret) => toParts(secret, MIN_CHARS)).flatMap(spellingsOf);
  // The longest first: what is left of one that was cut by a shorter one would be readable.
  return [...new Set(words)].toSorted((a, b) => b.length - a.length);
}

/** Linear in the length of the text, for each word. */
export const redacted = (text: string, words: readonly string[]): string =>
  words.reduce((left, word) => left.replaceAll(word, REDACTED), text);

function toParts(secret: unknown, least: number): string[] {
  if (typeof secret === 'object' && secret !== null) return Object.values(secret).flatMap((part) => toParts(part, least));
  if (typeof secret !== 'string') return [];
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= MIN_PART_CHARS);
  const inside = jsonIn(secret);
  const parts = typeof inside === 'object' ? toParts(inside, MIN_PART_CHARS) : [];
  return [secret, ...lines, ...parts].filter(({ length }) => length >= least);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function spellingsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const percent = encodeURIComponent(secret.toWellFormed());
  const encoded = [0, 1, 2].map((shift) => base64Of(bytes, shift)).filter(({ length }) => length >= MIN_ENCODED_CHARS);
  const urlSafe = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const lower = percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [secret, JSON.stringify(secret).slice(1, -1), percent, lower, ...encoded, ...urlSafe, hex, hex.toUpperCase()];
}

/** Returns base64 of the bytes alone when they stand `shift` bytes after a multiple of three, whatever stands around them. */
function base64Of(bytes: Uint8Array, shift: number): string {
  const shifted = [...new Uint8Array(shift), ...bytes];
  const text = btoa(Array.from(shifted, (byte) => String.fromCharCode(byte)).join('')).replace(/=+$/, '');
  const isOpen = shifted.length % 3 !== 0;
  return text.slice(shift === 0 ? 0 : shift + 1, isOpen ? -1 : undefined);
}
