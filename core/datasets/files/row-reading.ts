import { AppError, type Issue } from '../../kernel/errors.ts';
import type { RowValues } from '../row.ts';
import { getLength } from './cell.ts';
import { problemOfName, tooManyColumns } from './column-names.ts';
import type { FileLimits } from './file-limits.ts';
import { invalid } from './file-refusal.ts';
import type { RowProblem, RowRefusal } from './import-report.ts';
import type { ImportTally } from './import-tally.ts';

/** A row as a file has it, before it is looked at closely; or why there is none. */
export type RawRow =
  | { readonly line: number | null; readonly values: RowValues }
  | { readonly line: number | null; readonly problem: RowProblem; readonly msg: string; readonly column?: string };

/** Treatment of rows that cannot be taken: `fail` takes nothing of it, `skip` takes the others. */
export type RefusedRows = 'fail' | 'skip';

const BATCH_ROWS = 1_000;
const BATCH_LENGTH = 4 * 1024 * 1024;

/**
 * Rows in batches of at most a thousand or about 8 MiB, each row within the limits. With `fail` nothing more comes once
 * a row was refused, the file is still read to its end, and then AppError `invalid` names the refused rows.
 */
export async function* readInBatches(
  rows: AsyncIterable<RawRow>,
  { tally, limits, refused_rows }: { tally: ImportTally; limits: FileLimits; refused_rows: RefusedRows },
): AsyncGenerator<readonly RowValues[]> {
  let batch: RowValues[] = [];
  let batchLength = 0;
  let contentLength = 0;
  for await (const raw of rows) {
    tally.rows_read += 1;
    if (tally.rows_read > limits.max_rows) throw invalid('file_too_many_rows', `the file has more than ${limits.max_rows} rows`);
    const length = admit(raw, tally, limits);
    if (length === undefined || !('values' in raw)) continue;
    contentLength += length;
    if (contentLength > limits.max_content_length) throw contentTooLong(limits.max_content_length);
    tally.accept(raw.values);
    if (refused_rows === 'fail' && tally.rows_refused > 0) continue;
    batch.push(raw.values);
    batchLength += length;
    if (batch.length < BATCH_ROWS && batchLength < BATCH_LENGTH) continue;
    yield batch;
    batch = [];
    batchLength = 0;
  }
  if (refused_rows === 'fail' && tally.rows_refused > 0) throw rowsRefused(tally);
  if (batch.length > 0) yield batch;
}

/** The length of a row that is taken; undefined for one that was refused. */
function admit(raw: RawRow, tally: ImportTally, limits: FileLimits): number | undefined {
  const refusal = 'values' in raw ? toRefusal(raw.values, tally, limits) : raw;
  if (refusal) {
    const { problem: type, msg, column = null } = refusal;
    tally.refuse({ row: tally.rows_read, line: raw.line, column, type, msg });
    return undefined;
  }
  return 'values' in raw ? Object.values(raw.values).reduce<number>((sum, value) => sum + getLength(value), 0) : undefined;
}

type Refusal = { readonly problem: RowProblem; readonly msg: string; readonly column?: string };

/** A row without a fault brings its columns with it; one with a fault leaves nothing behind. */
function toRefusal(values: RowValues, tally: ImportTally, limits: FileLimits): Refusal | undefined {
  const added: string[] = [];
  for (const name in values) {
    if (getLength(values[name] ?? null) > limits.max_cell_length) {
      return {
        problem: 'cell_too_long',
        msg: `a value is longer than ${limits.max_cell_length} characters`,
        column: shown(name),
      };
    }
    if (tally.hasColumn(name)) continue;
    const problem = problemOfName(name);
    if (problem) return { problem: 'name_invalid', msg: `a column ${problem}`, column: shown(name) };
    added.push(name);
  }
  for (const name of added) tally.addColumn(name);
  if (tally.columnCount > limits.max_columns) throw tooManyColumns(limits.max_columns);
  return undefined;
}

const shown = (name: string): string => name.slice(0, 100).toWellFormed();

const contentTooLong = (max: number): AppError =>
  invalid('file_content_too_long', `the values of the file are longer than ${max} characters in all`);

function rowsRefused(tally: ImportTally): AppError {
  const { rows_read, rows_refused, refusals } = tally.report();
  const msg = `${rows_refused} of ${rows_read} rows were refused, so nothing was taken`;
  const all: Issue = { loc: ['body', 'file'], msg, type: 'file_rows_refused', ctx: { rows_read, rows_refused } };
  return new AppError('invalid', 'file_rows_refused', msg, { issues: [all, ...refusals.map(toIssue)] });
}

const toIssue = ({ row, line, column, type, msg }: RowRefusal): Issue => ({
  loc: column === null ? ['body', 'file', row] : ['body', 'file', row, column],
  msg: `row ${row}${line === null ? '' : ` (line ${line})`}: ${msg}`,
  type,
});
