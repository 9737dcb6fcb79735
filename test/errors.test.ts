import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

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
const listed = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([a-z0-9_]+)` \|/gm)].map((match) => match[1]!);

it('lists every error code once, and none that is not thrown', () => {
  expect(thrown.size).toBeGreaterThan(15);
  expect([...listed].sort()).toEqual([...new Set(listed)].sort());
  expect([...listed].sort()).toEqual([...thrown].sort());
});
