import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(path, 'utf8');

/** Name of the package that a module specifier belongs to. */
const toPackage = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Packages whose code ends up in the built console: what its sources import, without its tests, build and server side. */
function bundledPackages(): string[] {
  const imports = globSync('console/**/*.{ts,tsx}')
    .filter((path) => !/(\.test|console-pages|vite\.config)\.ts$/.test(path))
    .flatMap((path) => [...read(path).matchAll(/^(?:import|\} from)\b(?! type)[^'\n]*'([^.'][^']*)'/gm)])
    .map(([, specifier]) => toPackage(specifier!))
    .filter((name) => !name.startsWith('node:'));
  return [...new Set(imports)].sort();
}

it('the license file is the one that package.json names', () => {
  expect(JSON.parse(read('package.json')).license).toBe('Apache-2.0');
  expect(read('LICENSE')).toMatch(/^\s*Apache License\s+Version 2\.0, January 2004/);
});

it('NOTICE names each package whose code the built console contains, with its license', () => {
  const named = [...read('NOTICE').matchAll(/^ {2}([@a-z][\w./-]+) +([\w.-]+) /gm)].map(([, name, license]) => [name, license]);
  const licenses = bundledPackages().map((name) => [name, JSON.parse(read(`node_modules/${name}/package.json`)).license]);
  expect(named).toStrictEqual(licenses);
});
