import type { RowValues } from '../row.ts';
import { csvRecord } from './csv-cell.ts';
import type { WrittenFormat } from './file-format.ts';

export interface WrittenFile {
  readonly content_type: string;
  readonly extension: string;
  /** The text in pieces of some 64 KiB, made as they are asked for. */
  readonly chunks: AsyncIterable<string>;
}

export interface RowsToWrite {
  /** In this order; what a row has besides is left out, what it lacks is null. */
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly RowValues[]>;
}

export interface PrintSettings {
  /** For CSV: an apostrophe before what a spreadsheet would run. JSON and JSON lines are exact as they are. */
  readonly guard_formulas: boolean;
}

const PIECE = 64 * 1024;

interface Form {
  readonly content_type: string;
  readonly head: string;
  readonly tail: string;
  row(values: RowValues, index: number): string;
}

/** Rows as a file. Values come back exactly from JSON and JSON lines; from CSV texts and nulls do. */
export function rowsAsFile(format: WrittenFormat, { columns, batches }: RowsToWrite, settings: PrintSettings): WrittenFile {
  const form = toForm(format, columns, settings);
  return { content_type: form.content_type, extension: format, chunks: pieces(form, batches) };
}

async function* pieces(form: Form, batches: AsyncIterable<readonly RowValues[]>): AsyncGenerator<string> {
  let piece = form.head;
  let index = 0;
  for await (const batch of batches) {
    for (const values of batch) {
      piece += form.row(values, index);
      index += 1;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
  }
  piece += form.tail;
  if (piece !== '') yield piece;
}

function toForm(format: WrittenFormat, columns: readonly string[], { guard_formulas }: PrintSettings): Form {
  if (format === 'csv') {
    const row = (values: RowValues) =>
      csvRecord(
        columns.map((name) => cellIn(values, name)),
        guard_formulas,
      );
    // Without columns there is no header either: a line break alone would stand for one column without a name.
    const head = columns.length === 0 ? '' : csvRecord(columns, guard_formulas);
    return { content_type: 'text/csv; charset=utf-8', head, tail: '', row };
  }
  const named = columns.map((name) => [name, `${JSON.stringify(name)}:`] as const);
  // Not by way of an object, which would put names that are numbers first.
  const object = (values: RowValues) => `{${named.map(([name, key]) => key + JSON.stringify(cellIn(values, name))).join(',')}}`;
  if (format === 'jsonl') {
    return { content_type: 'application/x-ndjson; charset=utf-8', head: '', tail: '', row: (values) => `${object(values)}\n` };
  }
  const row = (values: RowValues, index: number) => `${index === 0 ? '\n' : ',\n'}${object(values)}`;
  return { content_type: 'application/json; charset=utf-8', head: '[', tail: '\n]\n', row };
}

const cellIn = (values: RowValues, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? null) : null);
