interface Scored {
  readonly output: string | null;
}
interface Context {
  readonly ground_truth: string | null;
}
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** How alike output and reference are as JSON, from 0 to 1: the mean over keys and places, of texts and numbers by their difference. */
export function scorer({ output }: Scored, { ground_truth }: Context): number {
  if (ground_truth === null) throw new Error('the record has no ground truth');
  const expected = JSON.parse(ground_truth) as Json;
  try {
    return likeness(expected, JSON.parse(output ?? '') as Json);
  } catch (error) {
    if (error instanceof SyntaxError) return 0;
    throw error;
  }
}

function likeness(expected: Json | undefined, given: Json | undefined): number {
  if (expected === undefined || given === undefined) return 0;
  if (typeof expected === 'number' && typeof given === 'number') return ofNumbers(expected, given);
  if (typeof expected === 'string' && typeof given === 'string') return ofTexts([...expected], [...given]);
  if (!isNested(expected) || !isNested(given)) return expected === given ? 1 : 0;
  if (Array.isArray(expected) !== Array.isArray(given)) return 0;
  const [one, other] = [new Map(Object.entries(expected)), new Map(Object.entries(given))];
  const keys = [...new Set([...one.keys(), ...other.keys()])];
  return keys.length === 0 ? 1 : keys.reduce((sum, key) => sum + likeness(one.get(key), other.get(key)), 0) / keys.length;
}

const isNested = (value: Json): value is readonly Json[] | { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null;

const ofNumbers = (e: number, o: number): number => (e === o ? 1 : 1 - Math.abs(e - o) / (Math.abs(e) + Math.abs(o)));

/** 1 less the Levenshtein distance as a share of the longer text. */
function ofTexts(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 && b.length === 0) return 1;
  let above = b.map((_, at) => at + 1);
  for (const [row, letter] of a.entries()) {
    let left = row + 1;
    let corner = row;
    above = above.map((up, at) => {
      left = Math.min(up + 1, left + 1, corner + (letter === b[at] ? 0 : 1));
      corner = up;
      return left;
    });
  }
  return 1 - (above.at(-1) ?? a.length) / Math.max(a.length, b.length);
}
