import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ClaimedFormat } from './file-format.ts';
import { formatToRead } from './seen-format.ts';

const toBytes = (content: string | Uint8Array): Uint8Array => (typeof content === 'string' ? Buffer.from(content) : content);
const getFormat = (content: string | Uint8Array, claimed?: ClaimedFormat, name?: string) =>
  formatToRead(toBytes(content), { ...(claimed && { claimed }), ...(name && { name }) });

const fixture = (name: string): Uint8Array => readFileSync(`test/fixtures/datasets/${name}`);
const objects = '[{"a": 1}, {"a": 2}]';
const columns = '{"a": [1, 2]}';
const lines = '{"a": 1}\n{"a": 2}\n';
const pretty = '{\n  "a": [\n    1\n  ]\n}\n';
const table = 'a,b\n1,2\n';

describe('the format of a file', () => {
  it.each<[string, string | Uint8Array, ClaimedFormat]>([
    ['a list of objects', objects, 'json'],
    ['an object of lists', columns, 'json'],
    ['a pretty object of lists', pretty, 'json'],
    ['an empty list', ' [ ] ', 'json'],
    ['JSON lines', lines, 'jsonl'],
    ['a single JSON line', '{"a": 1}', 'jsonl'],
    ['JSON lines, of which the first is broken', '{"a": 1,}\n{"a": 2}\n{"a": 3}\n', 'jsonl'],
    ['a table', table, 'csv'],
    ['a table behind a byte order mark', `\ufeff${table}`, 'csv'],
    ['a table whose first cell begins with a bracket', '[id],b\n1,2\n', 'csv'],
    ['a table whose first cell begins with a brace', '{id},b\n1,2\n', 'csv'],
    ['Parquet', fixture('typed-snappy.parquet'), 'parquet'],
  ])('is seen in %s', (_, content, format) => {
    expect(getFormat(content)).toBe(format);
    expect(getFormat(content, format)).toBe(format);
  });

  it.each<[string, ClaimedFormat, string | Uint8Array, string]>([
    ['JSON as CSV', 'csv', objects, 'was sent as CSV, but looks like JSON'],
    ['JSON lines as CSV', 'csv', lines, 'was sent as CSV, but looks like JSON lines'],
    ['CSV as JSON', 'json', table, 'was sent as JSON, but looks like CSV or other text'],
    ['CSV as JSON lines', 'jsonl', table, 'looks like CSV or other text'],
    ['CSV as Parquet', 'parquet', table, 'was sent as Parquet, but looks like CSV or other text'],
    ['a list as JSON lines', 'jsonl', objects, 'was sent as JSON lines, but looks like JSON'],
    ['JSON lines as JSON', 'json', lines, 'was sent as JSON, but looks like JSON lines'],
    ['a pretty object as JSON lines', 'jsonl', pretty, 'looks like JSON'],
    ['Parquet as CSV', 'csv', fixture('typed-snappy.parquet'), 'looks like Parquet'],
    ['Feather as CSV', 'csv', fixture('rows.feather'), 'looks like Feather'],
    ['a spreadsheet as CSV', 'csv', Buffer.from('PK\x03\x04xxxx'), 'looks like a zip archive or a spreadsheet (xlsx)'],
    ['gzip as JSON lines', 'jsonl', gzipSync(lines), 'looks like a gzip archive'],
    ['UTF-16 with its mark', 'csv', Buffer.from(`\ufeff${table}`, 'utf16le'), 'looks like text in UTF-16'],
    ['UTF-16 without its mark', 'csv', Buffer.from(table, 'utf16le'), 'looks like text in UTF-16'],
    ['binary data', 'csv', Buffer.alloc(100), 'looks like binary data'],
  ])('is not believed: %s', (_, claimed, content, message) => {
    expect(() => getFormat(content, claimed)).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'file_format_mismatch', message: expect.stringContaining(message) }),
    );
  });

  it('is said by the name where the sender does not say it, and checked all the same', () => {
    expect(getFormat(table, undefined, 'rows.TSV')).toBe('csv');
    expect(getFormat('{"a": 1}', undefined, 'rows.json')).toBe('json');
    expect(() => getFormat(table, undefined, 'rows.jsonl')).toThrow('was sent as JSON lines, but looks like CSV');
    expect(getFormat(lines, undefined, 'my data')).toBe('jsonl');
  });

  it('is what it was said to be where one line can be either', () => {
    expect(getFormat(columns, 'jsonl')).toBe('jsonl');
    expect(getFormat('{"a": 1}', 'json')).toBe('json');
  });

  it.each([
    ['Feather', fixture('rows.feather'), 'feather'] as const,
    ['a zip archive', Buffer.from('PK\x03\x04xxxx'), undefined] as const,
  ])('may be one that is not read: %s', (_, content, claimed) => {
    expect(() => getFormat(content, claimed)).toThrow(expect.objectContaining({ code: 'file_format_unsupported' }));
  });

  it.each(['', '  \n\n', '\ufeff'])('is none in the empty file %j', (content) => {
    expect(() => getFormat(content, 'csv')).toThrow(expect.objectContaining({ code: 'file_empty' }));
  });
});
