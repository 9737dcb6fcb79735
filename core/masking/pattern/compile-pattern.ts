import { type CodeRange, isWithin } from './code-ranges.ts';
import { type Assertion, PatternError, type PatternNode, parsePattern } from './parse-pattern.ts';

/** A step of a program: takes a character and goes on behind it, goes on at one or two places, or has matched. */
export type Instruction =
  | { readonly op: 'set'; readonly ascii: Uint8Array; readonly ranges: readonly CodeRange[] }
  | { readonly op: 'assert'; readonly what: Assertion }
  | { readonly op: 'fork'; readonly to: readonly number[] }
  | { readonly op: 'match' };

/** A pattern as a non-deterministic automaton, whose size bounds the cost of each character of a text. */
export interface PatternProgram {
  readonly instructions: readonly Instruction[];
  /** ASCII characters that a match may begin with. */
  readonly first: Uint8Array;
}

export const MAX_PATTERN_LENGTH = 500;
/** Instructions of one pattern. */
export const MAX_PROGRAM = 250;

/** Throws PatternError when it cannot be parsed, or is too large once its repetitions are written out. */
export function compilePattern(pattern: string, ignoreCase = false): PatternProgram {
  const instructions = new ProgramWriter().write(parsePattern(pattern, ignoreCase));
  return { instructions, first: computeFirst(instructions) };
}

class ProgramWriter {
  readonly #instructions: Instruction[] = [];

  write(node: PatternNode): Instruction[] {
    this.#node(node);
    this.#push({ op: 'match' });
    return this.#instructions;
  }

  #node(node: PatternNode): void {
    if (node.kind === 'set') this.#push({ op: 'set', ascii: toAscii(node.ranges), ranges: node.ranges });
    else if (node.kind === 'assert') this.#push({ op: 'assert', what: node.what });
    else if (node.kind === 'choice') this.#choice(node.of);
    else if (node.kind === 'repeat') this.#repeat(node.of, node.min, node.max);
    else for (const part of node.of) this.#node(part);
  }

  #choice(of: readonly PatternNode[]): void {
    const fork = this.#fork();
    const ends = of.map((part) => {
      fork.push(this.#instructions.length);
      this.#node(part);
      return this.#fork();
    });
    for (const end of ends) end.push(this.#instructions.length);
  }

  #repeat(of: PatternNode, min: number, max: number): void {
    for (let at = 0; at < min; at += 1) this.#node(of);
    if (max === Number.POSITIVE_INFINITY) {
      const start = this.#instructions.length;
      const fork = this.#fork();
      fork.push(this.#instructions.length);
      this.#node(of);
      this.#fork().push(start);
      fork.push(this.#instructions.length);
      return;
    }
    const skips: number[][] = [];
    for (let at = min; at < max; at += 1) {
      const fork = this.#fork();
      fork.push(this.#instructions.length);
      skips.push(fork);
      this.#node(of);
    }
    for (const skip of skips) skip.push(this.#instructions.length);
  }

  /** The places are still to be filled in. */
  #fork(): number[] {
    const to: number[] = [];
    this.#push({ op: 'fork', to });
    return to;
  }

  #push(instruction: Instruction): void {
    if (this.#instructions.length >= MAX_PROGRAM)
      throw new PatternError(`it takes more than ${MAX_PROGRAM} steps once its repetitions are written out`);
    this.#instructions.push(instruction);
  }
}

const ASCII = 128;

const toAscii = (ranges: readonly CodeRange[]): Uint8Array =>
  Uint8Array.from({ length: ASCII }, (_, code) => (isWithin(ranges, code) ? 1 : 0));

function computeFirst(instructions: readonly Instruction[]): Uint8Array {
  const first = new Uint8Array(ASCII);
  const seen = new Set([0]);
  for (const at of seen) {
    const instruction = instructions[at]!;
    if (instruction.op === 'fork') for (const to of instruction.to) seen.add(to);
    if (instruction.op === 'assert') seen.add(at + 1);
    if (instruction.op === 'set') for (let code = 0; code < ASCII; code += 1) first[code]! |= instruction.ascii[code]!;
  }
  return first;
}
