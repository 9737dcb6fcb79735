import { readBoolean } from './score-boolean.ts';
import type { ScoreRole } from './score-role.ts';
import { cleanScoreText, labelKey, parsedJson, readLabel, unquoted } from './score-text.ts';

/** A set of labels; the first spelling of each stays. A text is a list in brackets, or split at `;`, else `|`, else `,`. */
export function readLabels(given: unknown): string[] | undefined {
  const items = toItems(given, [';', '|', ',']);
  if (!items) return undefined;
  const labels = items.map((item) => (item === null ? '' : readLabel(item)));
  if (labels.includes(undefined)) return undefined;
  const byKey = new Map<string, string>();
  for (const label of labels) if (label && !byKey.has(labelKey(label))) byKey.set(labelKey(label), label);
  return [...byKey.values()];
}

/** Labels with whether they hold: a map, `a: true, b: false`, or the labels that hold. A label named twice holds if it ever does. */
export function readBooleanLabels(given: unknown, role: ScoreRole): Record<string, boolean> | undefined {
  const pairs = toPairs(given);
  if (pairs) return holding(pairs, role);
  if (typeof given === 'string' && given.startsWith('{')) return undefined;
  const labels = readLabels(given);
  return labels && Object.fromEntries(labels.map((label) => [label, true]));
}

/** One boolean per chunk, in order. */
export function readChunkList(given: unknown, role: ScoreRole): boolean[] | undefined {
  const chunks = toItems(given, [';', ','])?.map((item) => readBoolean(item, role));
  return chunks?.every((chunk) => chunk !== undefined) ? chunks : undefined;
}

type Pair = readonly [label: string, holds: unknown];

function holding(pairs: readonly Pair[], role: ScoreRole): Record<string, boolean> | undefined {
  const byKey = new Map<string, readonly [string, boolean]>();
  for (const [given, word] of pairs) {
    const label = readLabel(given);
    const holds = readBoolean(word, role);
    if (holds === undefined) return undefined;
    if (!label) continue;
    const [shown, before] = byKey.get(labelKey(label)) ?? [label, false];
    byKey.set(labelKey(label), [shown, before || holds]);
  }
  return Object.fromEntries(byKey.values());
}

/** Undefined when the value does not consist of labels with a word for each. */
function toPairs(given: unknown): readonly Pair[] | undefined {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return Object.entries(given);
  if (typeof given !== 'string' || given.startsWith('[')) return undefined;
  const parsed = given.startsWith('{') ? parsedJson(given) : undefined;
  if (parsed) return toPairs(parsed);
  const inside = /^\{(.*)\}$/s.exec(given)?.[1] ?? given;
  const pairs = splitAt(inside, [';', '|', ',']).map((part) => /^(.+):\s*([\w.]+)\s*$/s.exec(part));
  if (!pairs.every((pair) => pair !== null && readBoolean(pair[2], 'truth') !== undefined)) return undefined;
  return pairs.map((pair) => [withoutSingleQuotes(pair![1]!), pair![2]]);
}

/** The items of a JSON list, or of a text that lists them. Undefined for what is no list. */
function toItems(given: unknown, separators: readonly string[]): readonly unknown[] | undefined {
  if (Array.isArray(given)) return given;
  if (typeof given === 'number' || typeof given === 'boolean') return [given];
  if (typeof given !== 'string' || given === '') return undefined;
  if (/^[[{"]/.test(given)) {
    const parsed = parsedJson(given);
    if (Array.isArray(parsed)) return parsed;
    if (typeof parsed === 'string') return [parsed];
    if (parsed !== undefined) return undefined;
  }
  return quotedItems(given) ?? splitAt(given, separators);
}

const ITEM = /\s*(?:'((?:[^'\\]|\\.)*)'\s*|"((?:[^"\\]|\\.)*)"\s*|([^\s,'"[\]][^,'"[\]]*))(?:,|$)/sy;

/** The items of a list as some languages print it: in single quotes, or without any. Undefined when the text is no such list. */
function quotedItems(text: string): string[] | undefined {
  const inside = /^\[(.*)\]$/s.exec(text)?.[1];
  if (inside === undefined) return undefined;
  const items: string[] = [];
  for (ITEM.lastIndex = 0; ITEM.lastIndex < inside.length; ) {
    const item = ITEM.exec(inside);
    if (!item) return undefined;
    items.push((item[1] ?? item[2] ?? item[3]!).replace(/\\(.)/gs, '$1'));
  }
  return items;
}

function splitAt(text: string, separators: readonly string[]): string[] {
  const separator = separators.find((mark) => text.includes(mark));
  return separator ? text.split(separator) : [text];
}

const withoutSingleQuotes = (text: string): string => {
  const clean = cleanScoreText(text);
  return /^'[^']*'$/.test(clean) ? clean.slice(1, -1) : unquoted(clean);
};
