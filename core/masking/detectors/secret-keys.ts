import type { TextRange } from '../text-range.ts';

/** Names under which secrets are kept, unless a rule has names of its own. */
export const SECRET_KEYS = [
  ...['password', 'passwd', 'pwd', 'passphrase', 'secret', 'client_secret', 'secret_key', 'private_key', 'api_key', 'access_key'],
  ...[
    'access_key_id',
    'secret_access_key',
    'access_token',
    'refresh_token',
    'id_token',
    'auth_token',
    'bearer_token',
    'session_token',
  ],
  ...['authorization', 'cookie', 'credentials', 'connection_string'],
];

/** Whether a key is one of the names or ends in one, whatever its case and its separators. */
export type IsSecretKey = (key: string) => boolean;

/** A key that is longer is none of a secret. */
const MAX_KEY = 100;

/** `X-Api-Key`, `apiKey`, `db.api_key` and `APIKEY` all end in the name `api_key`. */
export function toSecretKeyTest(names: readonly string[]): IsSecretKey {
  const wanted = new Set(names.map((name) => toWords(name).join('')));
  return (key) => {
    if (key.length > MAX_KEY) return false;
    let tail = '';
    for (const word of toWords(key).toReversed()) {
      tail = word + tail;
      if (wanted.has(tail)) return true;
    }
    return false;
  };
}

const toWords = (key: string): string[] =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const KEY_CHAR = /[\p{L}\p{N}_.-]/u;
const BETWEEN = /[ \t"'\\]/;
const MAX_BETWEEN = 12;
/** JSON within JSON, four times over. */
const MAX_SLASHES = 15;
/** How far behind a name its value may stand. */
const NEAR = 30;
/** Values of headers go on to the end of the line. */
const HEADER = /(?:authorization|cookie)$/i;

/**
 * Values behind names of secrets in a text: `password=…`, `"api_key": "…"` in JSON that is a string (of any number of string levels),
 * `Authorization: Bearer …`, `{"name": "cookie", "value": …}`. Each `:` and `=` is looked at with what stands in front of it, which belongs to no other one.
 */
export function findSecretValues(text: string, isSecret: IsSecretKey): TextRange[] {
  const found: TextRange[] = [];
  let namedUntil = 0;
  for (let at = findAssignment(text, 0); at >= 0; ) {
    const key = getKeyBefore(text, at);
    const isNamed = key === 'value' && at < namedUntil;
    const value = key !== '' && (isNamed || isSecret(key)) ? getValueAfter(text, at + 1, key) : undefined;
    if (value && value.end > value.start) found.push(value);
    if (key === 'name' || key === 'key') {
      // Of a bounded part: what follows a name is looked at again.
      const part = text.slice(at + 1, at + 1 + MAX_KEY + NEAR);
      const name = getValueAfter(part, 0, key);
      if (isSecret(part.slice(name.start, name.end))) namedUntil = at + 1 + name.end + NEAR;
    }
    at = findAssignment(text, Math.max(at + 1, value?.end ?? 0));
  }
  return found;
}

function findAssignment(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (text[at] === ':' || text[at] === '=') return at;
  return -1;
}

function getKeyBefore(text: string, at: number): string {
  let end = at;
  while (end > 0 && at - end < MAX_BETWEEN && BETWEEN.test(text[end - 1]!)) end -= 1;
  let start = end;
  while (start > 0 && end - start <= MAX_KEY && KEY_CHAR.test(text[start - 1]!)) start -= 1;
  return text.slice(start, end);
}

function getValueAfter(text: string, from: number, key: string): TextRange {
  let start = from;
  while (text[start] === ' ' || text[start] === '\t' || text[start] === '=' || text[start] === '>') start += 1;
  let slashes = 0;
  while (slashes < MAX_SLASHES && text[start + slashes] === '\\') slashes += 1;
  const quote = text[start + slashes];
  if (quote === '"' || quote === "'") {
    const open = start + slashes + 1;
    return { start: open, end: getQuotedEnd(text, open, quote, slashes) };
  }
  const ends = HEADER.test(key) ? /[\r\n"'\\]/ : /[\s"'\\,;&)\]}]/;
  let end = start;
  while (end < text.length && !ends.test(text[end]!)) end += 1;
  return { start, end };
}

/** Where a string ends that was opened by a quote behind so many backslashes: JSON within JSON doubles them and adds one. The end of the text where it is open. */
function getQuotedEnd(text: string, open: number, quote: string, slashes: number): number {
  for (let at = text.indexOf(quote, open); at >= 0; at = text.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (at - escapes > open && text[at - escapes - 1] === '\\') escapes += 1;
    if (escapes % (2 * (slashes + 1)) === slashes) return at - slashes;
  }
  return text.length;
}
