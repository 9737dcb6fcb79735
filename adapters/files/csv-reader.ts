import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { checkHeader } from '../../core/datasets/files/column-names.ts';
import { invalid } from '../../core/datasets/files/file-refusal.ts';
import type { ImportTally } from '../../core/datasets/files/import-tally.ts';
import type { ReadRequest } from '../../core/datasets/files/row-file-reader.ts';
import type { RawRow } from '../../core/datasets/files/row-reading.ts';
import { HEAD_BYTES } from '../../core/datasets/files/seen-format.ts';
import { sniffDelimiter } from '../../core/datasets/files/sniff-delimiter.ts';
import { mayHaveFormulaGuards, withoutFormulaGuards } from '../../core/kernel/formula-guard.ts';
import { checkedUtf8 } from './checked-utf8.ts';
import type { OpenRows } from './opened-rows.ts';

interface CsvRecord {
  readonly cells: (string | null)[];
  /** The one on which it begins. */
  readonly line: number;
}

const DELIMITER_NAMES = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const;

/** CSV as RFC 4180 has it, with any line ends, and with commas, semicolons or tabs. The first record names the columns. */
export const openCsv: OpenRows = async (file, request, tally) => {
  const delimiter = sniffDelimiter(new TextDecoder().decode(await file.read(0, HEAD_BYTES)));
  if (delimiter !== ',') tally.note('delimiter_found', `cells are separated by a ${DELIMITER_NAMES[delimiter]}`);
  const records = toRecords(checkedUtf8(file.chunks(), tally), delimiter, request.limits.max_row_length);
  const header = await records.next();
  const columns = header.done ? [] : header.value.cells.map((cell) => given(cell ?? '', request, tally));
  try {
    checkHeader(columns, request.limits);
  } catch (error) {
    await records.return(undefined);
    throw error;
  }
  if (columns.some((name) => name !== name.trim())) tally.note('header_padded', 'a column name begins or ends with a space');
  return { columns, rows: toRows(records, columns, request, tally) };
};

async function* toRecords(chunks: AsyncIterable<Uint8Array>, delimiter: string, maxLength: number): AsyncGenerator<CsvRecord> {
  let lastLine = 0;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: maxLength,
    // Nothing between two commas is no value; a pair of quotes is an empty text.
    cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
    on_record: (cells, { lines }) => {
      const line = lastLine + 1;
      lastLine = lines;
      // Typed as if a record stayed a list of strings, whatever is made of it here and above.
      return { cells, line } as unknown as string[];
    },
  });
  try {
    yield* pipeline(Readable.from(chunks), parser, () => {}) as AsyncIterable<CsvRecord>;
  } catch (error) {
    throw error instanceof CsvError ? toRefusal(error, maxLength) : error;
  }
}

/** A broken quote leaves the rest of a file without meaning, so it refuses the file, not the row. */
function toRefusal(error: CsvError, maxLength: number): Error {
  const { records, lines } = error as unknown as { records: number; lines: number };
  const where = records === 0 ? 'the header' : `row ${records}`;
  const what: Readonly<Record<string, string>> = {
    CSV_QUOTE_NOT_CLOSED: `a quote that is opened in ${where} is never closed`,
    CSV_INVALID_CLOSING_QUOTE: `in ${where}, on line ${lines}, something follows a closing quote`,
    INVALID_OPENING_QUOTE: `in ${where}, on line ${lines}, a quote stands inside a cell that is not quoted`,
    CSV_MAX_RECORD_SIZE: `${where} is longer than ${maxLength} characters; a quote before it may not be closed`,
  };
  return invalid('file_malformed', what[error.code] ?? `${where} is not CSV`, { row: records, cause: error });
}

async function* toRows(
  records: AsyncIterable<CsvRecord>,
  columns: readonly string[],
  request: ReadRequest,
  tally: ImportTally,
): AsyncGenerator<RawRow> {
  for await (const { cells, line } of records) {
    if (cells.length === columns.length) yield { line, values: toValues(cells, columns, request, tally) };
    else if (cells.length === 1 && cells[0] === null) tally.note('blank_lines_skipped', 'blank lines are no rows');
    else yield { line, problem: 'ragged', msg: `${cells.length} cells, where the header has ${columns.length}` };
  }
}

function toValues(
  cells: readonly (string | null)[],
  columns: readonly string[],
  request: ReadRequest,
  tally: ImportTally,
): Record<string, string | null> {
  const values: Record<string, string | null> = {};
  for (let index = 0; index < columns.length; index += 1) {
    const cell = cells[index] ?? null;
    values[columns[index]!] = cell === null ? null : given(cell, request, tally);
  }
  return values;
}

function given(cell: string, { formula_guards }: ReadRequest, tally: ImportTally): string {
  if (!mayHaveFormulaGuards(cell)) return cell;
  if (formula_guards === 'undo') {
    tally.note('formula_guards_undone', 'an apostrophe before the sign of a formula was taken off');
    return withoutFormulaGuards(cell);
  }
  tally.note('formula_guards_kept', 'an apostrophe before the sign of a formula was kept');
  return cell;
}
