import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ParquetColumn } from '../core/data-export/parquet-file.ts';
import { RATING_COLUMNS } from '../core/data-export/rating-columns.ts';
import { RECORD_COLUMNS } from '../core/data-export/record-columns.ts';
import { SCORE_COLUMNS } from '../core/data-export/score-columns.ts';

const PAGE = new URL('../docs/data-export.md', import.meta.url);
const TYPES: Readonly<Record<ParquetColumn['type'], string>> = {
  string: 'string',
  json: 'JSON as a string',
  strings: 'list of strings, as Parquet has lists',
  timestamp: 'timestamp',
  int32: 'int32',
  int64: 'int64',
  double: 'double',
  boolean: 'boolean',
};

const toTable = (columns: readonly ParquetColumn[]): string =>
  [
    '| Column | Type | Meaning |',
    '|---|---|---|',
    ...columns.map(({ name, type, description }) => `| \`${name}\` | ${TYPES[type]} | ${description} |`),
  ].join('\n');

it('the page about exports has the columns that files have', () => {
  const page = readFileSync(PAGE, 'utf8');
  const tables = { records: toTable(RECORD_COLUMNS), scores: toTable(SCORE_COLUMNS), ratings: toTable(RATING_COLUMNS) };
  const written = page.replaceAll(
    /<!-- (records|scores|ratings) -->\n[\s\S]*?<!-- end -->/g,
    (_, kind: keyof typeof tables) => `<!-- ${kind} -->\n${tables[kind]}\n<!-- end -->`,
  );
  if (process.env.UPDATE_GOLDEN) writeFileSync(PAGE, written);
  else expect(page).toBe(written);
});

it('every column has a name of its own and says what it means', () => {
  for (const columns of [RECORD_COLUMNS, SCORE_COLUMNS, RATING_COLUMNS]) {
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
    expect(columns.filter(({ description }) => description === '')).toEqual([]);
  }
});
