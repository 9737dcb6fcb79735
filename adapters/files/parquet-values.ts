import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Compressors, ParquetParsers } from 'hyparquet';
import { invalid } from '../../core/datasets/files/file-refusal.ts';
import type { ImportTally } from '../../core/datasets/files/import-tally.ts';
import type { JsonValue } from '../../core/kernel/json.ts';

/** Snappy is the reader's own; what is inflated never grows beyond what its page says. */
export const COMPRESSORS: Compressors = {
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: Math.max(1, length) }),
  ZSTD: (input, length) => zstdDecompressSync(input, { maxOutputLength: Math.max(1, length) }),
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const toText = (bytes: Uint8Array | undefined): string | undefined => {
  if (!bytes) return undefined;
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw invalid('file_not_utf8', 'a text in the Parquet file is not valid UTF-8', { cause });
  }
};

/** Exact where the reader's own would round: times keep every digit, JSON stays the text it is. */
export const PARSERS: Partial<ParquetParsers> = {
  stringFromBytes: toText,
  jsonFromBytes: toText,
  dateFromDays: (days) => parseIso(BigInt(days ?? 0) * 86_400_000_000_000n, days)?.slice(0, 10),
  timestampFromMilliseconds: (millis) => parseIso(BigInt(millis ?? 0) * 1_000_000n, millis),
  timestampFromMicroseconds: (micros) => parseIso(BigInt(micros ?? 0) * 1_000n, micros),
  timestampFromNanoseconds: (nanos) => parseIso(BigInt(nanos ?? 0), nanos),
};

/** A timestamp in nanoseconds since 1970 as ISO 8601, with as many digits as it takes; beyond the calendar the number itself. */
function parseIso(nanos: bigint, given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  const fraction = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const date = new Date(Number((nanos - fraction) / 1_000_000n));
  if (Number.isNaN(date.getTime())) return String(nanos);
  const digits = fraction
    .toString()
    .padStart(9, '0')
    .replace(/(000){0,2}$/, '');
  return `${date.toISOString().slice(0, -5)}.${digits}Z`;
}

/**
 * A value of a Parquet file as JSON has it. A number that is none is null, as files written from tables with gaps have
 * it; a whole number beyond what a double holds is its digits; bytes are base64.
 */
export function toJson(value: unknown, tally: ImportTally): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Number.isNaN(value) ? null : Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) {
    tally.note('binary_as_base64', 'binary values are kept as base64');
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return Array.from(value as ArrayLike<unknown>, (item) => toJson(item, tally));
  return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, toJson(item, tally)]));
}
