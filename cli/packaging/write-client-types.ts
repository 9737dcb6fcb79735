import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PYTHON_CLIENT, writePythonApi } from './write-python-api.ts';

/**
 * `npm run client:types`: writes the types of both clients anew from the OpenAPI document. Fetches the generators: openapi-typescript, which needs a compiler older than ours, and
 * datamodel-code-generator, by pip.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const TYPES = join(ROOT, 'clients/typescript/src/api.d.ts');
const GENERATOR = ['--package', 'openapi-typescript@7.13.0', '--package', 'typescript@5.9.3', '--', 'openapi-typescript'];
/** Any JSON, as a schema that refers to itself: a member of an interface must not. */
const RECURSIVE = /(__schema\d+): string \| number \| boolean \| null \| components\["schemas"\]\["\1"\]\[\] \| \{[^}]*\};/g;
const JSON_VALUE = 'export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };\n';

execFileSync('npm', ['exec', '--yes', ...GENERATOR, join(ROOT, 'test/golden/openapi.json'), '-o', TYPES], { stdio: 'inherit' });
const text = readFileSync(TYPES, 'utf8').replaceAll(RECURSIVE, '$1: JsonValue;');
writeFileSync(TYPES, text.includes(JSON_VALUE) ? text : text + JSON_VALUE);

const PYTHON_GENERATOR = 'datamodel-code-generator==0.89.0';
const PYTHON_OPTIONS = [
  ...['--input-file-type', 'openapi', '--output-model-type', 'typing.TypedDict', '--target-python-version', '3.10'],
  ...['--use-standard-collections', '--use-union-operator', '--disable-timestamp', '--formatters', 'builtin'],
];
const folder = mkdtempSync(join(tmpdir(), 'touchstone-types-'));
try {
  execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  execFileSync(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', PYTHON_GENERATOR], {
    stdio: 'inherit',
  });
  const written = join(folder, 'types.py');
  const args = ['--input', join(ROOT, 'test/golden/openapi.json'), '--output', written, ...PYTHON_OPTIONS];
  execFileSync(join(folder, 'bin/datamodel-codegen'), args, { stdio: 'inherit' });
  // For type checkers alone, so that the client needs nothing at run time. What not all of them know yet is left out.
  const declared = readFileSync(written, 'utf8').replaceAll(/, extra_items=[^)]*\)/g, ')');
  writeFileSync(join(PYTHON_CLIENT, 'api_types.pyi'), declared);
} finally {
  rmSync(folder, { recursive: true });
}
writePythonApi();
