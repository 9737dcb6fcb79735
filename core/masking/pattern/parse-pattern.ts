import { type CodeRange, foldCase, invert, SPACES, WORDS } from './code-ranges.ts';

/** A pattern as a tree; `min` and `max` are counts of repetitions. */
export type PatternNode =
  | { readonly kind: 'set'; readonly ranges: readonly CodeRange[] }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'sequence'; readonly of: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly of: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly of: PatternNode; readonly min: number; readonly max: number };
export type Assertion = 'start' | 'end' | 'boundary' | 'no_boundary';

/** Why a pattern cannot be used, with the place in it. */
export class PatternError extends Error {}

const DIGITS: readonly CodeRange[] = [[48, 57]];
const NO_LINE_ENDS = invert([
  [10, 10],
  [13, 13],
]);
const CLASSES: Readonly<Record<string, readonly CodeRange[]>> = {
  ...{ d: DIGITS, w: WORDS, s: SPACES },
  ...{ D: invert(DIGITS), W: invert(WORDS), S: invert(SPACES) },
};
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };
const MAX_REPEATS = 1_000;
const MAX_DEPTH = 50;

/**
 * Parses the regular part of JavaScript's regular expressions: characters, classes, groups, alternatives, repetitions, `^ $ \b \B`.
 * Throws PatternError for what is not regular (look-around, back references), as that takes more than linear time, and for what is not known.
 */
export function parsePattern(pattern: string, ignoreCase: boolean): PatternNode {
  const parser = new PatternParser([...pattern], ignoreCase);
  return parser.parse();
}

class PatternParser {
  readonly #chars: readonly string[];
  readonly #ignoreCase: boolean;
  #at = 0;
  #depth = 0;

  constructor(chars: readonly string[], ignoreCase: boolean) {
    this.#chars = chars;
    this.#ignoreCase = ignoreCase;
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#chars.length) throw this.#error('")" without "("');
    return node;
  }

  #choice(): PatternNode {
    const of = [this.#sequence()];
    while (this.#take('|')) of.push(this.#sequence());
    return of.length === 1 ? of[0]! : { kind: 'choice', of };
  }

  #sequence(): PatternNode {
    const of: PatternNode[] = [];
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek())
      of.push(this.#repeated());
    return { kind: 'sequence', of };
  }

  #repeated(): PatternNode {
    const node = this.#atom();
    const counts = this.#counts();
    if (!counts) return node;
    // A lazy repetition matches the same texts.
    this.#take('?');
    if (node.kind === 'assert') throw this.#error('nothing to repeat');
    if (this.#counts()) throw this.#error('nothing to repeat');
    return { kind: 'repeat', of: node, ...counts };
  }

  #counts(): { readonly min: number; readonly max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#take('?')) return { min: 0, max: 1 };
    if (this.#peek() !== '{') return undefined;
    const close = this.#chars.indexOf('}', this.#at);
    const told = /^(\d{1,4})(,(\d{0,4}))?$/.exec(close < 0 ? '' : this.#chars.slice(this.#at + 1, close).join(''));
    if (!told) throw this.#error('"{" without counts');
    const min = Number(told[1]);
    const max = told[2] === undefined ? min : told[3] === '' ? Number.POSITIVE_INFINITY : Number(told[3]);
    if (max < min || min > MAX_REPEATS || (max > MAX_REPEATS && max !== Number.POSITIVE_INFINITY))
      throw this.#error('counts out of order or above 1,000');
    this.#at = close + 1;
    return { min, max };
  }

  #atom(): PatternNode {
    const char = this.#chars[this.#at]!;
    this.#at += 1;
    if (char === '(') return this.#group();
    if (char === '[') return this.#set(this.#charClass());
    if (char === '.') return this.#set(NO_LINE_ENDS);
    if (char === '^') return { kind: 'assert', what: 'start' };
    if (char === '$') return { kind: 'assert', what: 'end' };
    if (char === '\\') return this.#escape();
    if ('*+?{'.includes(char)) throw this.#error('nothing to repeat');
    return this.#set([[char.codePointAt(0)!, char.codePointAt(0)!]]);
  }

  #group(): PatternNode {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.#error('groups are nested too deeply');
    if (this.#take('?') && !this.#take(':')) this.#groupName();
    const node = this.#choice();
    if (!this.#take(')')) throw this.#error('"(" without ")"');
    this.#depth -= 1;
    return node;
  }

  #groupName(): void {
    const close = this.#chars.indexOf('>', this.#at);
    const name = close < 0 ? '' : this.#chars.slice(this.#at, close).join('');
    if (!/^<[A-Za-z_]\w*$/.test(name)) throw this.#error('look-around and flags within a pattern are not supported');
    this.#at = close + 1;
  }

  #escape(): PatternNode {
    const char = this.#peek();
    if (char === 'b' || char === 'B') {
      this.#at += 1;
      return { kind: 'assert', what: char === 'b' ? 'boundary' : 'no_boundary' };
    }
    return this.#set(this.#escaped());
  }

  /** Characters that an escape stands for, in a class or outside. */
  #escaped(): readonly CodeRange[] {
    const char = this.#chars[this.#at];
    if (char === undefined) throw this.#error('"\\" at the end');
    this.#at += 1;
    const known = CLASSES[char];
    if (known) return known;
    const code = CONTROLS[char] ?? (char === 'x' || char === 'u' ? this.#hex(char) : undefined) ?? char.codePointAt(0)!;
    if (/[1-9]/.test(char)) throw this.#error('back references are not supported');
    if (/[A-Za-z0]/.test(char) && !(char in CONTROLS) && char !== 'x' && char !== 'u')
      throw this.#error(`unknown escape "\\${char}"`);
    return [[code, code]];
  }

  #hex(char: 'x' | 'u'): number {
    const rest = this.#chars.slice(this.#at, this.#at + 8).join('');
    const found = (char === 'x' ? /^([0-9a-f]{2})/i : /^([0-9a-f]{4}|\{([0-9a-f]{1,6})\})/i).exec(rest);
    const code = found ? Number.parseInt(found[2] ?? found[1]!, 16) : Number.NaN;
    if (!found || code > 0x10ffff) throw this.#error(`"\\${char}" without hexadecimal digits`);
    this.#at += found[0].length;
    return code;
  }

  #charClass(): readonly CodeRange[] {
    const isNegated = this.#take('^');
    const ranges: CodeRange[] = [];
    while (!this.#take(']')) ranges.push(...this.#classPart());
    // Case is folded before a class is turned round: what it excludes, it excludes in any case.
    const folded = this.#ignoreCase ? foldCase(ranges) : ranges;
    return isNegated ? invert(folded) : folded;
  }

  #classPart(): readonly CodeRange[] {
    const from = this.#classChar();
    if (this.#peek() !== '-' || this.#chars[this.#at + 1] === ']' || this.#chars[this.#at + 1] === undefined) return from;
    this.#at += 1;
    const to = this.#classChar();
    const [low, high] = [getSingle(from), getSingle(to)];
    if (low === undefined || high === undefined || low > high) throw this.#error('a range of characters that is none');
    return [[low, high]];
  }

  #classChar(): readonly CodeRange[] {
    const char = this.#chars[this.#at];
    if (char === undefined) throw this.#error('"[" without "]"');
    this.#at += 1;
    if (char === '\\' && this.#peek() === 'b') {
      this.#at += 1;
      return [[8, 8]];
    }
    return char === '\\' ? this.#escaped() : [[char.codePointAt(0)!, char.codePointAt(0)!]];
  }

  #set(ranges: readonly CodeRange[]): PatternNode {
    return { kind: 'set', ranges: this.#ignoreCase && ranges !== NO_LINE_ENDS ? foldCase(ranges) : ranges };
  }

  #peek(): string | undefined {
    return this.#chars[this.#at];
  }

  #take(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #error(what: string): PatternError {
    return new PatternError(`${what}, at character ${this.#at + 1}`);
  }
}

const getSingle = (ranges: readonly CodeRange[]): number | undefined =>
  ranges.length === 1 && ranges[0]![0] === ranges[0]![1] ? ranges[0]![0] : undefined;
