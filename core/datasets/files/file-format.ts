import { z } from 'zod';

/** The files that rows are read from. `json` is a list of objects, or an object of equally long lists, one per column. */
export const FILE_FORMATS = ['csv', 'jsonl', 'json', 'parquet'] as const;
export const FileFormat = z.enum(FILE_FORMATS).meta({ id: 'DatasetFileFormat' });
export type FileFormat = z.output<typeof FileFormat>;

/** Formats that a sender may claim for a file. Feather is known, so that its refusal can say why. */
export const ClaimedFormat = z.enum([...FILE_FORMATS, 'feather']);
export type ClaimedFormat = z.output<typeof ClaimedFormat>;

/** The files that rows are written to. Only the last two give every value back exactly. */
export const WRITTEN_FORMATS = ['csv', 'jsonl', 'json'] as const;
export const WrittenFormat = z.enum(WRITTEN_FORMATS);
export type WrittenFormat = z.output<typeof WrittenFormat>;

/** How a format is called in a message. */
export const FORMAT_NAMES: Readonly<Record<FileFormat, string>> = {
  csv: 'CSV',
  jsonl: 'JSON lines',
  json: 'JSON',
  parquet: 'Parquet',
};
