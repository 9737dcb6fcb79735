import { zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import type { ParquetColumn, ParquetFile, ParquetRow, ParquetType } from '../../core/data-export/parquet-file.ts';
import { toMicroseconds } from './microseconds.ts';

/** Codecs of values differ too little to be worth more time. */
const zstd = (input: Uint8Array): Uint8Array => zstdCompressSync(input);

const ELEMENTS: Readonly<Record<Exclude<ParquetType, 'strings'>, Omit<SchemaElement, 'name'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
};

type Value = ParquetRow[number];
const asBigInt = (value: Value): unknown => (value === null ? null : BigInt(value as number));
const asMicroseconds = (value: Value): unknown => (value === null ? null : toMicroseconds(value as string));
const CONVERSIONS: Readonly<Partial<Record<ParquetType, (value: Value) => unknown>>> = {
  int64: asBigInt,
  timestamp: asMicroseconds,
};

/** A Parquet file by hyparquet-writer, its pages compressed by Zstandard. */
export class ZstdParquetFile implements ParquetFile {
  readonly #columns: readonly ParquetColumn[];
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #num_rows = 0;

  constructor(columns: readonly ParquetColumn[]) {
    this.#columns = columns;
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: 'schema', num_children: columns.length }, ...columns.flatMap(toElements)],
      codec: 'ZSTD',
      compressors: { ZSTD: zstd },
      createdBy: 'touchstone',
    });
  }

  get num_rows(): number {
    return this.#num_rows;
  }

  get num_bytes(): number {
    return this.#bytes.offset;
  }

  append(rows: readonly ParquetRow[]): void {
    const columnData = this.#columns.map(({ name, type }, at): ColumnSource => {
      const convert = CONVERSIONS[type];
      return { name, data: rows.map((row) => (convert ? convert(row[at]!) : row[at])) };
    });
    // Waits for nothing: there is only memory behind it.
    void this.#writer.write({ columnData, rowGroupSize: rows.length });
    this.#num_rows += rows.length;
  }

  finish(): Uint8Array {
    void this.#writer.finish();
    return this.#bytes.getBytes();
  }
}

function toElements({ name, type, is_required }: ParquetColumn): SchemaElement[] {
  const repetition_type = is_required ? 'REQUIRED' : 'OPTIONAL';
  if (type !== 'strings') return [{ name, ...ELEMENTS[type], repetition_type }];
  return [
    { name, repetition_type, num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', ...ELEMENTS.string, repetition_type: 'REQUIRED' },
  ];
}
