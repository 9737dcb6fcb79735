/** Limits of the JSON in the texts of one span: what it holds is walked, stored and written, at once. */
export interface JsonBudget {
  /** Characters that are looked at. */
  readonly characters: number;
  /** Values of any kind. */
  readonly values: number;
  /** Names in objects, each of which costs a parser and whoever walks it more than a value. */
  readonly names: number;
  /** Nesting of arrays and objects. */
  readonly depth: number;
}

export const JSON_BUDGET: JsonBudget = { characters: 8 * 1_048_576, values: 100_000, names: 30_000, depth: 32 };

type Left = { -readonly [Bound in keyof JsonBudget]: JsonBudget[Bound] };
let left: Left | undefined;

/** Does work in which the JSON texts that are parsed have these limits together. Inside of such work the limits are those of the outer one. */
export function withinJsonBudget<T>(work: () => T, budget: JsonBudget = JSON_BUDGET): T {
  if (left) return work();
  left = { ...budget };
  try {
    return work();
  } finally {
    left = undefined;
  }
}

/** Whether a text may be parsed; if so, its share of the limits is taken. By itself a text has all of them. */
export function spendJsonBudget(text: string): boolean {
  const budget = left ?? { ...JSON_BUDGET };
  budget.characters -= text.length;
  if (budget.characters < 0) return false;
  const used = countJson(text, budget);
  if (!used) return false;
  budget.values -= used.values;
  budget.names -= used.names;
  return true;
}

const MIN_MEDIA = 4_096;
const MEDIA_BEGINS = /^(?:data:[^",]{1,200},)?[A-Za-z0-9+/_-]{100}/;

/** Characters of a JSON text beside strings that look like the content of media. No more are counted than needed to pass `limit`. */
export function countBesideMedia(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  let media = 0;
  for (let start = text.indexOf('"'); start !== -1 && text.length - media > limit; ) {
    const end = endOfString(text, start);
    if (end - start > MIN_MEDIA && MEDIA_BEGINS.test(text.slice(start + 1, start + 400))) media += end - start;
    start = text.indexOf('"', end + 1);
  }
  return text.length - media;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [COMMA, COLON] = [0x2c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Number of the values and names in a JSON text; undefined where there are more, or deeper ones, than the budget has left. */
function countJson(text: string, budget: JsonBudget): Pick<JsonBudget, 'values' | 'names'> | undefined {
  let [values, names, depth] = [1, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (code === COLON) names += 1;
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      values += 1;
      depth += 1;
      if (depth > budget.depth) return undefined;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1;
    if (values > budget.values || names > budget.names) return undefined;
  }
  return { values, names };
}

/** Index of the quote that ends the string opened at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
