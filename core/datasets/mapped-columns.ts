import { AppError, type Issue } from '../kernel/errors.ts';
import { type ColumnMapping, WELL_KNOWN_COLUMNS } from './column-mapping.ts';
import type { Cells } from './content.ts';
import type { DatasetValue, Scalar } from './row.ts';
import type { Column } from './version.ts';

/** Columns of a version under a mapping. */
export interface MappedColumns {
  readonly columns: readonly Column[];
  /** Undefined when columns are only renamed and rows stay as they are. */
  readonly change: ((cells: Cells) => Cells) | undefined;
}

type Target = (typeof WELL_KNOWN_COLUMNS)[number];
interface Wanted {
  readonly target: Target;
  readonly sources: readonly Column[];
  readonly flatten: boolean;
}
interface Merge {
  readonly key: number;
  readonly sources: readonly Column[];
  readonly flatten: boolean;
}

/** Rejects with AppError `invalid` when the mapping does not fit the columns. */
export function mapColumns(columns: readonly Column[], mapping: ColumnMapping, newKey: () => number): MappedColumns {
  const wanted = resolved(columns, mapping);
  const used = new Set(wanted.flatMap(({ sources }) => sources.map(({ key }) => key)));
  const merges: Merge[] = [];
  const mapped = wanted.map(({ target, sources, flatten }): Column => {
    if (sources.length === 1 && !flatten) return { key: sources[0]!.key, name: target };
    const key = sources.find(({ name }) => name === target)?.key ?? newKey();
    merges.push({ key, sources, flatten });
    return { key, name: target };
  });
  return {
    columns: [...mapped, ...columns.filter(({ key }) => !used.has(key))],
    change: merges.length > 0 ? (cells) => merged(cells, merges) : undefined,
  };
}

function resolved(columns: readonly Column[], mapping: ColumnMapping): Wanted[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const named = new Set<string>();
  const issues: Issue[] = [];
  const wanted = WELL_KNOWN_COLUMNS.flatMap((target): Wanted[] => {
    const { columns: names = [], flatten = false } = mapping[target] ?? {};
    const sources = names.flatMap((name, at) => {
      const column = byName.get(name);
      const msg = column === undefined ? 'there is no such column' : named.has(name) ? 'is mapped twice' : undefined;
      if (msg) issues.push(mismatch(target, at, msg, name));
      named.add(name);
      return column ? [column] : [];
    });
    return sources.length > 0 ? [{ target, sources, flatten }] : [];
  });
  for (const { target } of wanted) {
    if (byName.has(target) && !named.has(target))
      issues.push(mismatch(target, undefined, 'there is a column of this name', target));
  }
  if (issues.length > 0) throw new AppError('invalid', 'mapping_invalid', 'the mapping does not fit the columns', { issues });
  return wanted;
}

const mismatch = (target: Target, at: number | undefined, msg: string, input: string): Issue => ({
  loc: ['body', 'column_mapping', target, ...(at === undefined ? [] : ['columns', at])],
  msg,
  type: 'mapping_invalid',
  input,
});

function merged(cells: Cells, merges: readonly Merge[]): Cells {
  const gone = new Set(merges.flatMap(({ sources }) => sources.map(({ key }) => key)));
  const rest = Object.entries(cells).filter(([key]) => !gone.has(Number(key)));
  const made = merges.flatMap(({ key, sources, flatten }) => {
    const entries = sources.flatMap((column) => toEntries(column.name, cells[column.key], flatten));
    return entries.length > 0 ? [[String(key), Object.fromEntries(entries)] as const] : [];
  });
  return Object.fromEntries<DatasetValue>([...rest, ...made]);
}

function toEntries(name: string, value: DatasetValue | undefined, flatten: boolean): [string, Scalar][] {
  if (value === undefined || value === null) return [];
  const inner = flatten ? mapIn(value) : undefined;
  if (inner) return Object.entries(inner);
  return [[name, typeof value === 'object' ? JSON.stringify(value) : value]];
}

/** A map, or the text of one. What a flat map cannot hold stays JSON text. */
function mapIn(value: DatasetValue): Readonly<Record<string, Scalar>> | undefined {
  if (value === null || typeof value === 'number') return undefined;
  if (typeof value === 'object') return value;
  const parsed = jsonObjectIn(value);
  if (!parsed || Object.hasOwn(parsed, '__proto__')) return undefined;
  const scalar = (item: unknown): Scalar =>
    item === null || typeof item === 'string' || typeof item === 'number' ? item : JSON.stringify(item);
  return Object.fromEntries(Object.entries(parsed).map(([key, item]) => [key, scalar(item)]));
}

function jsonObjectIn(text: string): object | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
