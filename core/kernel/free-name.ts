import { z } from 'zod';
import { AppError } from './errors.ts';
import { withDefault } from './optional.ts';
import { Name } from './text.ts';

/** A name, or one that takes a free suffix where it is taken. */
export const WantedName = z.union([
  Name,
  z.object({ value: Name, append_suffix_if_duplicate: withDefault(z.boolean(), false) }).meta({ id: 'NameWithSuffix' }),
]);
export type WantedName = z.output<typeof WantedName>;

export const wantedName = (name: WantedName) =>
  typeof name === 'string' ? { value: name, append_suffix_if_duplicate: false } : name;

interface Names {
  /** Those of the names that are taken. */
  takenNames(names: readonly string[]): Promise<string[]>;
}

const MAX_NAME = 255;
const TRIED = 1_000;
const MAX_TRIES = 10;

/** The name, or with a suffix the first that nobody has. What is taken all the same is for the store to refuse. */
export async function freeName(names: Names, name: string, withSuffix: boolean): Promise<string> {
  if (!withSuffix) return name;
  const candidates = [name, ...Array.from({ length: TRIED }, (_, at) => suffixed(name, ` (${at + 1})`))];
  const taken = new Set(await names.takenNames(candidates));
  return candidates.find((candidate) => !taken.has(candidate)) ?? name;
}

/**
 * Inserts under the name, or a free one, and returns it. Others who look for a free name at the same time may find the same
 * one: `insert` MUST reject with AppError `conflict` then, and be good for another try.
 */
export async function takeFreeName(
  names: Names,
  wanted: string,
  withSuffix: boolean,
  insert: (name: string) => Promise<void>,
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const name = await freeName(names, wanted, withSuffix);
    try {
      await insert(name);
      return name;
    } catch (error) {
      const isTaken = error instanceof AppError && error.kind === 'conflict';
      if (!isTaken || !withSuffix || tries >= MAX_TRIES) throw error;
    }
  }
}

/** Lengths count characters, not their halves. */
const suffixed = (name: string, suffix: string): string => [...name].slice(0, MAX_NAME - suffix.length).join('') + suffix;
