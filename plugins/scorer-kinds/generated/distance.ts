import type { ScoreValue } from '../../../core/plugin-sdk/index.ts';

/**
 * How far two values of one output type are apart, 0 when they are the same: numbers by their difference, sets by what is in
 * one only, lists by the places that differ, others by whether they differ.
 */
export function distance(a: ScoreValue, b: ScoreValue): number {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b);
  if (isList(a) && isList(b)) return isChunkList(a) || isChunkList(b) ? differingPlaces(a, b) : onlyInOne(a, b);
  if (isMap(a) && isMap(b)) return onlyInOne(holding(a), holding(b));
  return a === b ? 0 : 1;
}

/** Labels of a map that hold. */
export const holding = (map: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(map).flatMap(([label, holds]) => (holds ? [label] : []));

export const isList = (value: ScoreValue): value is List => Array.isArray(value);
export const isMap = (value: ScoreValue): value is Readonly<Record<string, boolean>> =>
  typeof value === 'object' && !isList(value);

export type List = readonly (number | boolean | string)[];
const isChunkList = (list: List): boolean => typeof list[0] === 'boolean';

const differingPlaces = (a: List, b: List): number =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, place) => place).filter((place) => a[place] !== b[place]).length;

const onlyInOne = (a: List, b: List): number => new Set(a).symmetricDifference(new Set(b)).size;
