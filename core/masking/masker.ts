import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { Steps } from '../kernel/slices.ts';
import { Id } from '../kernel/text.ts';
import { canonicalRole } from '../traces/message-role.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { TextRange } from './text-range.ts';

/** Counts of masked values as they are masked, by the name of the rule. */
export type Tally = Map<string, number>;

const KEY_FIELDS = ['name', 'key'] as const;
/** Values of `role` that say who speaks; whatever else stands there is content. */
const ROLES = new Set(['agent', 'assistant', 'developer', 'system', 'tool', 'user']);

/** Replaces what the rules of a project find. What holds nothing of it is returned as it is, the same object. */
export class Masker {
  readonly #rules: readonly CompiledRule[];
  readonly #toKey: (text: string) => string;

  /** `toKey` makes a short text of any text, by which the masked forms of two different ids stay different. */
  constructor(rules: readonly CompiledRule[], toKey: (text: string) => string) {
    this.#rules = rules;
    this.#toKey = toKey;
  }

  *text(text: string, tally: Tally): Steps<string> {
    let masked = text;
    for (const rule of this.#rules) {
      const ranges = withoutReplacements(masked, yield* rule.find(masked), this.#rules);
      if (ranges.length === 0) continue;
      count(tally, rule, ranges.length);
      masked = replaceRanges(masked, ranges, rule.replacement);
    }
    return masked;
  }

  /** An id of the sender's own: two that differ still do, so that what belongs together is found together. */
  *id(id: string, tally: Tally): Steps<string> {
    const masked = yield* this.text(id, tally);
    return masked === id ? id : `${masked} ${this.#toKey(id)}`;
  }

  /** Any JSON: texts, names of keys, and whole values whose key is the name of a secret. */
  *value(value: JsonValue, tally: Tally): Steps<JsonValue> {
    if (typeof value === 'string') return yield* this.text(value, tally);
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? yield* this.#list(value, tally) : yield* this.object(value as JsonObject, tally);
  }

  *object(object: JsonObject, tally: Tally): Steps<JsonObject> {
    const named = KEY_FIELDS.map((field) => object[field]).find((name) => typeof name === 'string');
    const masked: [string, JsonValue][] = [];
    let isSame = true;
    for (const [key, value] of Object.entries(object)) {
      const secret = this.#secretRule(key === 'value' && named !== undefined ? [key, named as string] : [key]);
      const made = secret
        ? hide(value!, secret, tally)
        : isRole(key, value) || isFileId(key, value)
          ? value!
          : yield* this.value(value!, tally);
      const name = yield* this.text(key, tally);
      isSame &&= made === value && name === key;
      masked.push([name, made]);
    }
    return isSame ? object : withOwnNames(masked);
  }

  *#list(list: readonly JsonValue[], tally: Tally): Steps<JsonValue> {
    const masked: JsonValue[] = [];
    for (const item of list) masked.push(yield* this.value(item, tally));
    return masked.every((item, at) => item === list[at]) ? (list as JsonValue) : masked;
  }

  #secretRule(keys: readonly string[]): CompiledRule | undefined {
    return this.#rules.find(({ isSecret }) => isSecret && keys.some(isSecret));
  }
}

const isRole = (key: string, value: unknown): boolean =>
  key === 'role' && typeof value === 'string' && ROLES.has(canonicalRole(value));

/** Ids that the service made of content, whose digits are nobody's. */
const isFileId = (key: string, value: unknown): boolean =>
  key === 'file_id' && typeof value === 'string' && value.length === 36 && Id.safeParse(value).success;

function hide(value: JsonValue, rule: CompiledRule, tally: Tally): JsonValue {
  if (value === null || value === '' || value === rule.replacement) return value;
  count(tally, rule, 1);
  return rule.replacement;
}

const count = (tally: Tally, { name }: CompiledRule, masked: number): void =>
  void tally.set(name, (tally.get(name) ?? 0) + masked);

/** The ranges without those that were masked before: a pattern may match the word that stands in its place. */
function withoutReplacements(text: string, ranges: readonly TextRange[], rules: readonly CompiledRule[]): readonly TextRange[] {
  if (ranges.length === 0 || !text.includes('[')) return ranges;
  const words = new Set(rules.map(({ replacement }) => replacement));
  return ranges.filter(({ start, end }) => !isWithinWord(text, start, end, words));
}

const LONGEST_WORD = 42;

function isWithinWord(text: string, start: number, end: number, words: ReadonlySet<string>): boolean {
  if (end - start > LONGEST_WORD) return false;
  const from = Math.max(0, start - LONGEST_WORD);
  const around = text.slice(from, end + LONGEST_WORD);
  const open = around.lastIndexOf('[', start - from);
  const close = around.indexOf(']', end - from - 1);
  return open >= 0 && close >= 0 && words.has(around.slice(open, close + 1));
}

function replaceRanges(text: string, ranges: readonly TextRange[], replacement: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    parts.push(text.slice(at, start), replacement);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** Two keys that are masked alike are told apart by a number. */
function withOwnNames(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const named = new Map<string, JsonValue>();
  let next = 2;
  for (const [name, value] of entries) {
    let own = name;
    for (; named.has(own); next += 1) own = `${name} ${next}`;
    named.set(own, value);
  }
  return Object.fromEntries(named);
}
