import type { ObjectEntry } from '../object-storage/object-store.ts';
import { EXPORT_KINDS, ExportKind } from './data-export.ts';

/** Of a project on a day. */
export interface DayKey {
  readonly project_id: string;
  readonly day: string;
}

/** A file that is there, by what its name says. */
export interface DayFile extends ObjectEntry {
  readonly kind: ExportKind;
  /** Numbers of the first and the last file that are in it; the same, where none were put together. */
  readonly first: number;
  readonly last: number;
}

const SEQUENCE_LENGTH = 12;
const NAME = new RegExp(`/(${EXPORT_KINDS.join('|')})-(\\d{${SEQUENCE_LENGTH}})(?:-(\\d{${SEQUENCE_LENGTH}}))?\\.parquet$`);

export const toProjectPrefix = (project_id: string): string => `project=${project_id}/`;

/** Partitions are named as Hive names them, which DuckDB, Spark and ClickHouse read. */
export const toDayPrefix = ({ project_id, day }: DayKey): string => `${toProjectPrefix(project_id)}day=${day}/`;

const toDigits = (sequence: number): string => String(sequence).padStart(SEQUENCE_LENGTH, '0');

/** Key of a file that is written once its changes are known. */
export const toFileKey = (day: DayKey, kind: ExportKind, sequence: number): string =>
  `${toDayPrefix(day)}${kind}-${toDigits(sequence)}.parquet`;

/** Key of the file that all files of a kind from one number to another are put together in. */
export const toMergedKey = (day: DayKey, { kind, first, last }: Pick<DayFile, 'kind' | 'first' | 'last'>): string =>
  `${toDayPrefix(day)}${kind}-${toDigits(first)}-${toDigits(last)}.parquet`;

/** The file behind a key; undefined of what no export writes. */
export function parseFileKey({ key, bytes }: ObjectEntry): DayFile | undefined {
  const [, kind, first, last = first] = NAME.exec(key) ?? [];
  return first === undefined ? undefined : { key, bytes, kind: ExportKind.parse(kind), first: Number(first), last: Number(last) };
}
