import { AppError } from '../kernel/errors.ts';
import type { DatasetStore } from './dataset-store.ts';

const MAX_NAME = 255;
const TRIED = 1_000;
const MAX_TRIES = 10;

/** The name, or with a suffix the first that nobody has. What is taken all the same is for the store to refuse. */
export async function freeName(store: Pick<DatasetStore, 'takenNames'>, name: string, withSuffix: boolean): Promise<string> {
  if (!withSuffix) return name;
  const candidates = [name, ...Array.from({ length: TRIED }, (_, at) => suffixed(name, ` (${at + 1})`))];
  const taken = new Set(await store.takenNames(candidates));
  return candidates.find((candidate) => !taken.has(candidate)) ?? name;
}

type Facts = Omit<Parameters<DatasetStore['insert']>[0], 'name'>;

/** Inserts the dataset and answers its name. Others who look for a free name at the same time may find the same one. */
export async function takeFreeName(store: DatasetStore, wanted: string, withSuffix: boolean, facts: Facts): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const name = await freeName(store, wanted, withSuffix);
    try {
      await store.insert({ ...facts, name });
      return name;
    } catch (error) {
      const isTaken = error instanceof AppError && error.kind === 'conflict';
      if (!isTaken || !withSuffix || tries >= MAX_TRIES) throw error;
    }
  }
}

/** Lengths count characters, not their halves. */
const suffixed = (name: string, suffix: string): string => [...name].slice(0, MAX_NAME - suffix.length).join('') + suffix;
