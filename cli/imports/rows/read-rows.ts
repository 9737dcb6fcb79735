import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { JsonListSplitter } from '../../../adapters/files/json-splitter.ts';
import { StreamingRowFileReader } from '../../../adapters/files/streaming-row-file-reader.ts';
import { parseExactly } from '../../../core/datasets/files/cell.ts';
import type { FileLimits } from '../../../core/datasets/files/file-limits.ts';
import type { FileSource } from '../../../core/datasets/files/file-source.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { isJsonObject } from '../../../core/plugin-sdk/otel/index.ts';
import { CommandError } from '../../commands/command-error.ts';
import { type ExportFile, withSource } from './open-file.ts';

/** A row, or why there is none in its place. */
export type ReadRow =
  | { readonly row: JsonObject; readonly where: string; readonly bytes: number }
  | { readonly problem: string; readonly where: string; readonly bytes: number };

const MEBI = 1024 * 1024;
/** A row is in memory as a whole; a file is not. */
const MAX_ROW = 256 * MEBI;
/** Bytes of a file that is one JSON object over many lines. */
const MAX_OBJECT = 256 * MEBI;
const LIMITS: FileLimits = {
  max_rows: Number.MAX_SAFE_INTEGER,
  max_columns: 20_000,
  max_cell_length: MAX_ROW,
  max_row_length: MAX_ROW,
  max_content_length: Number.MAX_SAFE_INTEGER,
};
const HEAD = 64 * 1024;

/** The rows of a file, one after the other: JSON lines, a JSON list, one JSON object, CSV or Parquet. What is in memory does not grow with the file. */
export async function* readRows(file: ExportFile): AsyncGenerator<ReadRow> {
  const head = await readHead(file);
  const text = new TextDecoder()
    .decode(head)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (text === '') return;
  try {
    if (text.startsWith('[')) yield* withSource(file, (source) => readList(source, file.name));
    else if (!text.startsWith('{')) yield* withSource(file, (source) => readTable(source, file.name));
    else if (isLines(text, file.bytes > HEAD)) yield* readLines(file);
    else yield* readObject(file);
  } catch (error) {
    if (error instanceof AppError) throw new CommandError(`${file.name}: ${error.message}`, undefined, { cause: error });
    throw error;
  }
}

async function readHead(file: ExportFile): Promise<Uint8Array> {
  for await (const head of withSource(file, async function* (source) {
    yield await source.read(0, HEAD);
  }))
    return head;
  return new Uint8Array();
}

/** An object that is written over many lines has a first line that is none. */
function isLines(text: string, goesOn: boolean): boolean {
  const [first = ''] = text.split('\n', 1);
  return (first.length === text.length && goesOn) || toObject(first) !== undefined;
}

async function* readLines(file: ExportFile): AsyncGenerator<ReadRow> {
  const input = createReadStream(file.path);
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    const text = number === 1 ? line.replace(/^\ufeff/, '') : line;
    if (text.trim() === '') continue;
    yield toRow(text, `${file.name}:${number}`, input.bytesRead);
  }
}

async function* readList(source: FileSource, name: string): AsyncGenerator<ReadRow> {
  const splitter = new JsonListSplitter(MAX_ROW);
  let number = 0;
  let bytes = 0;
  for await (const chunk of source.chunks()) {
    bytes += chunk.length;
    for (const text of splitter.push(chunk).elements) {
      number += 1;
      yield toRow(text, `${name} element ${number}`, bytes);
    }
  }
  if (!splitter.ended) throw new CommandError(`${name} ends before its list does`);
}

async function* readObject(file: ExportFile): AsyncGenerator<ReadRow> {
  if (file.bytes > MAX_OBJECT) throw new CommandError(`${file.name} is one JSON object of more than ${MAX_OBJECT} bytes`);
  yield toRow((await readFile(file.path, 'utf8')).replace(/^\ufeff/, ''), file.name, file.bytes);
}

/** CSV and Parquet, as datasets are read; Parquet a slice of a row group at a time. */
async function* readTable(source: FileSource, name: string): AsyncGenerator<ReadRow> {
  const reading = await new StreamingRowFileReader().open(source, {
    file_name: name,
    refused_rows: 'skip',
    formula_guards: 'keep',
    limits: LIMITS,
  });
  let number = 0;
  for await (const batch of reading.batches) {
    const bytes = reading.progress().bytes_read;
    for (const row of batch) {
      number += 1;
      yield { row: row as JsonObject, where: `${name} row ${number}`, bytes };
    }
  }
  const { refusals, rows_refused } = reading.report();
  for (let at = 0; at < rows_refused; at += 1) {
    const { row, msg } = refusals[at] ?? { row: '?', msg: 'the row cannot be read' };
    yield { problem: msg, where: `${name} row ${row}`, bytes: source.size };
  }
}

function toRow(text: string, where: string, bytes: number): ReadRow {
  const row = toObject(text);
  return row ? { row, where, bytes } : { problem: 'not a JSON object', where, bytes };
}

/** Numbers that a double does not hold, as of nanoseconds, stay the digits they are. */
function toObject(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = parseExactly(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
