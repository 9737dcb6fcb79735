import type { DatasetValue } from '../../core/datasets/row.ts';

/** Kinds of values that a cell can hold, as chosen in the editor. */
export const KINDS = ['text', 'number', 'map', 'nothing'] as const;
export type Kind = (typeof KINDS)[number];

export function getCellKind(value: DatasetValue | undefined): Kind {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'object') return 'map';
  return typeof value === 'number' ? 'number' : 'text';
}

/** A value as it is read; nothing is an empty text. */
export const cellText = (value: DatasetValue | undefined): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);

/** Parses typed text as a value of that kind. Throws Error in words for whoever typed it. */
export function typedValue(kind: Kind, text: string): DatasetValue {
  if (kind === 'nothing') return null;
  if (kind === 'text') return text;
  return kind === 'number' ? parseNumber(text) : toMap(text);
}

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new Error('This is no number.');
  return value;
}

function toMap(text: string): DatasetValue {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('A map is a JSON object.');
  const deep = Object.entries(value).find(([, one]) => one !== null && typeof one !== 'string' && typeof one !== 'number');
  if (deep) throw new Error(`A map holds texts and numbers; "${deep[0]}" is neither. Deeper values travel as JSON text.`);
  return value as DatasetValue;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`This is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

export const sameValue = (one: DatasetValue | undefined, other: DatasetValue | undefined): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
