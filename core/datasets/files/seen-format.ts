import { type ClaimedFormat, type FileFormat, FORMAT_NAMES } from './file-format.ts';
import { invalid } from './file-refusal.ts';

/** Format that the first bytes of a file suggest: one that is read, or one that is not. */
export type SeenFormat =
  | FileFormat
  | 'text'
  | 'empty'
  | 'utf16'
  | 'zip'
  | 'gzip'
  | 'zstd'
  | 'pdf'
  | 'feather'
  | 'old_feather'
  | 'arrow_stream'
  | 'old_spreadsheet'
  | 'binary';

const DESCRIPTIONS: Readonly<Record<SeenFormat, string>> = {
  ...FORMAT_NAMES,
  text: 'CSV or other text',
  empty: 'nothing',
  utf16: 'text in UTF-16',
  zip: 'a zip archive or a spreadsheet (xlsx)',
  gzip: 'a gzip archive',
  zstd: 'a zstd archive',
  pdf: 'a PDF document',
  feather: 'Feather',
  old_feather: 'Feather of version 1',
  arrow_stream: 'an Arrow stream',
  old_spreadsheet: 'a spreadsheet (xls)',
  binary: 'binary data',
};

const MAGIC: readonly (readonly [SeenFormat, readonly number[]])[] = [
  ['parquet', [0x50, 0x41, 0x52, 0x31]],
  ['feather', [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31]],
  ['old_feather', [0x46, 0x45, 0x41, 0x31]],
  ['arrow_stream', [0xff, 0xff, 0xff, 0xff]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['old_spreadsheet', [0xd0, 0xcf, 0x11, 0xe0]],
  ['utf16', [0xff, 0xfe]],
  ['utf16', [0xfe, 0xff]],
];

/** As many bytes of the beginning as `seenFormat` wants to see. */
export const HEAD_BYTES = 64 * 1024;

/** Detects the format of a file by its first bytes. `text` is what has no form of its own: any text can be CSV. */
export function seenFormat(head: Uint8Array): SeenFormat {
  for (const [format, magic] of MAGIC) if (magic.every((byte, index) => head[index] === byte)) return format;
  const nuls = head.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0);
  if (head.length >= 4 && looksLikeWideText(head)) return 'utf16';
  if (head.length >= 64 && nuls * 3 >= head.length) return 'binary';
  const text = new TextDecoder().decode(head).trimStart();
  if (text === '') return 'empty';
  if (text.startsWith('[')) return /^\[\s*([[{\]"\d-]|true|false|null|$)/.test(text) ? 'json' : 'text';
  if (text.startsWith('{')) return seenObject(text);
  return 'text';
}

/** ASCII in UTF-16 has a NUL at every other place. */
function looksLikeWideText(head: Uint8Array): boolean {
  const odd = head.filter((byte, index) => index % 2 === 1 && byte === 0).length;
  const even = head.filter((byte, index) => index % 2 === 0 && byte === 0).length;
  return Math.max(odd, even) * 3 >= head.length && Math.min(odd, even) * 20 <= head.length;
}

/** One object per line, or one object of many lines. A CSV file whose first cell begins with a brace is neither. */
function seenObject(text: string): SeenFormat {
  if (!/^\{\s*(["}]|$)/.test(text)) return 'text';
  const [first = '', ...rest] = text.split('\n').filter((line) => line.trim() !== '');
  if (isJson(first)) return rest.length > 0 || !holdsLists(first) ? 'jsonl' : 'json';
  return rest.filter(isObjectLine).length * 2 > rest.length ? 'jsonl' : 'json';
}

const isObjectLine = (line: string): boolean => line.startsWith('{') && isJson(line);

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const holdsLists = (text: string): boolean => Object.values(JSON.parse(text) as object).every(Array.isArray);

const ENDINGS: Readonly<Record<string, ClaimedFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  json: 'json',
  parquet: 'parquet',
  feather: 'feather',
  arrow: 'feather',
};

/** The format that the ending of a file name stands for. */
export const formatOfName = (name: string): ClaimedFormat | undefined =>
  ENDINGS[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''];

/**
 * The format to read a file in: the claimed one, else that of its name, else that of its content. Throws AppError
 * `invalid` where the content is something else, saying what it looks like.
 */
export function formatToRead(
  head: Uint8Array,
  { claimed, name = '' }: { claimed?: ClaimedFormat | undefined; name?: string },
): FileFormat {
  const seen = seenFormat(head);
  if (seen === 'empty') throw invalid('file_empty', 'the file is empty');
  const wanted = claimed ?? formatOfName(name) ?? (seen === 'text' ? 'csv' : seen);
  if (!isFileFormat(wanted))
    throw invalid('file_format_unsupported', `the file looks like ${DESCRIPTIONS[wanted]}, which is not read`);
  if (!fits(wanted, seen, head)) {
    throw invalid('file_format_mismatch', `the file was sent as ${FORMAT_NAMES[wanted]}, but looks like ${DESCRIPTIONS[seen]}`);
  }
  return wanted;
}

const isFileFormat = (seen: SeenFormat): seen is FileFormat => Object.hasOwn(FORMAT_NAMES, seen);

function fits(wanted: FileFormat, seen: SeenFormat, head: Uint8Array): boolean {
  if (wanted === seen) return true;
  if (wanted === 'csv') return seen === 'text';
  if (seen !== 'json' && seen !== 'jsonl') return false;
  // One object on one line is one row and, where it holds lists, columns as well: it is what it was said to be.
  const text = new TextDecoder().decode(head).trim();
  return (wanted === 'json' || wanted === 'jsonl') && text.startsWith('{') && !text.includes('\n');
}
