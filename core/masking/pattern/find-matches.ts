import type { Steps } from '../../kernel/slices.ts';
import { addRange, type TextRange } from '../text-range.ts';
import { isWithin, WORDS } from './code-ranges.ts';
import type { PatternProgram } from './compile-pattern.ts';

/** Work between two turns for others: a few milliseconds. */
const WORK_AT_ONCE = 300_000;

/**
 * Everything that is part of any match of the pattern, as ranges that do not touch. Simulates the automaton once over the text, with all
 * its threads side by side (Thompson, Pike), each with the place where it began: of two in the same state the one that began first
 * holds all that the other would. So the cost is linear in characters times instructions, which repeated searches for one match
 * after the other are not, on whatever engine: each of these may look through the rest of the text.
 */
export function* findMatches({ instructions, first }: PatternProgram, text: string): Steps<TextRange[]> {
  const found: TextRange[] = [];
  const threads = new ThreadList(instructions.length);
  const next = new ThreadList(instructions.length);
  let work = 0;
  let before = -1;
  for (let at = 0; ; ) {
    const code = at < text.length ? text.codePointAt(at)! : -1;
    const mayBegin = code < 0 || code >= first.length || first[code] === 1;
    if (mayBegin) follow(instructions, threads, 0, at, before, code);
    work += 1 + threads.size * 4;
    next.clear();
    const after = at + (code > 0xffff ? 2 : 1);
    for (let thread = 0; thread < threads.size; thread += 1) {
      const place = threads.places[thread]!;
      const instruction = instructions[place]!;
      if (instruction.op !== 'set' || code < 0) continue;
      const takes = code < 128 ? instruction.ascii[code] === 1 : isWithin(instruction.ranges, code);
      if (takes) next.pending(place + 1, threads.starts[thread]!);
    }
    if (code < 0) break;
    const following = after < text.length ? text.codePointAt(after)! : -1;
    threads.clear();
    for (let thread = 0; thread < next.size; thread += 1) {
      const start = next.starts[thread]!;
      if (follow(instructions, threads, next.places[thread]!, start, code, following)) addRange(found, start, after);
    }
    before = code;
    at = after;
    if (work > WORK_AT_ONCE) {
      work = 0;
      yield;
    }
  }
  return found;
}

/** Threads in the order in which they began, at most one at a place. */
class ThreadList {
  readonly places: Int32Array;
  readonly starts: Int32Array;
  size = 0;
  readonly #seen: Int32Array;
  #round = 0;

  constructor(capacity: number) {
    this.places = new Int32Array(capacity);
    this.starts = new Int32Array(capacity);
    this.#seen = new Int32Array(capacity);
    this.clear();
  }

  clear(): void {
    this.size = 0;
    this.#round += 1;
  }

  /** Whether the place is new in this round. */
  enter(place: number): boolean {
    if (this.#seen[place] === this.#round) return false;
    this.#seen[place] = this.#round;
    return true;
  }

  pending(place: number, start: number): void {
    if (!this.enter(place)) return;
    this.places[this.size] = place;
    this.starts[this.size] = start;
    this.size += 1;
  }
}

/** Adds what can be reached from a place without taking a character. Returns whether a match is newly among it. */
function follow(
  instructions: PatternProgram['instructions'],
  threads: ThreadList,
  place: number,
  start: number,
  before: number,
  after: number,
): boolean {
  const open = [place];
  let hasMatched = false;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (!threads.enter(at)) continue;
    const instruction = instructions[at]!;
    if (instruction.op === 'match') hasMatched = true;
    else if (instruction.op === 'fork') open.push(...instruction.to);
    else if (instruction.op === 'assert') {
      if (holds(instruction.what, before, after)) open.push(at + 1);
    } else {
      threads.places[threads.size] = at;
      threads.starts[threads.size] = start;
      threads.size += 1;
    }
  }
  return hasMatched;
}

const isWord = (code: number): boolean => code >= 0 && isWithin(WORDS, code);

function holds(what: 'start' | 'end' | 'boundary' | 'no_boundary', before: number, after: number): boolean {
  if (what === 'start') return before < 0;
  if (what === 'end') return after < 0;
  return (isWord(before) !== isWord(after)) === (what === 'boundary');
}
