import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { ROW_PROBLEMS } from '../core/datasets/files/import-report.ts';

/** Codes stand as the second argument of an AppError, as `code:` of a reply, or as the first of the small makers of errors. */
const THROWN = [
  /new AppError\(\s*'\w+',\s*'([a-z0-9_]+)'/g,
  /\bdetail: [^\n]*\bcode: '([a-z0-9_]+)'/g,
  /\b(?:invalid|mismatch|refusingDuplicates)\(\s*'([a-z0-9_]+)'/g,
];

const sources = globSync('{core,adapters,plugins,config,cli}/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
const thrown = new Set(
  sources.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return THROWN.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!));
  }),
);
const [codesPart, typesPart] = readFileSync('docs/errors.md', 'utf8').split('## Types of the entries of a 422') as [
  string,
  string,
];
const listed = [...codesPart.matchAll(/^\| `([a-z0-9_]+)` \|/gm)].map((match) => match[1]!);

/** Those of zod, and of rows of files, stand in types of their own; the others in literals of issues. */
const ISSUE = /\{[^{}]*\b(?:loc|msg)\b[^{}]*\btype: '([a-z0-9_]+)'/g;
const listedTypes = [...typesPart.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap((row) =>
  [...row[1]!.matchAll(/`([a-z_]+)`/g)].map((match) => match[1]!),
);
const ZOD_CODES: Readonly<Record<z.core.$ZodIssue['code'], true>> = {
  invalid_type: true,
  too_big: true,
  too_small: true,
  invalid_format: true,
  not_multiple_of: true,
  unrecognized_keys: true,
  invalid_union: true,
  invalid_key: true,
  invalid_element: true,
  invalid_value: true,
  custom: true,
};
const EDITED = ['row_edited', 'column_edited'];

it('lists every error code once, and none that is not thrown', () => {
  expect(thrown.size).toBeGreaterThan(15);
  expect([...listed].sort()).toEqual([...new Set(listed)].sort());
  expect([...listed].sort()).toEqual([...thrown].sort());
});

it('lists every type of an entry of a 422 that is no code, once, and none that does not occur', () => {
  const literal = sources.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(ISSUE)].map((match) => match[1]!));
  const types = new Set([...literal, ...Object.keys(ZOD_CODES), ...ROW_PROBLEMS, ...EDITED].filter((type) => !thrown.has(type)));
  expect(types.size).toBeGreaterThan(25);
  expect([...listedTypes].sort()).toEqual([...types].sort());
});

it('ends codes by a problem that says what to do about them', () => {
  expect(listed.filter((code) => /_(unfit|twice|circular|wrong_kind)$|s_unknown$/.test(code))).toEqual([]);
});
