import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** `npm run client:types`: writes the types of the client anew from the OpenAPI document. Fetches the generator, which needs a compiler older than ours. */
const ROOT = resolve(import.meta.dirname, '../..');
const TYPES = join(ROOT, 'clients/typescript/src/api.d.ts');
const GENERATOR = ['--package', 'openapi-typescript@7.13.0', '--package', 'typescript@5.9.3', '--', 'openapi-typescript'];
/** Any JSON, as a schema that refers to itself: a member of an interface must not. */
const RECURSIVE = /(__schema\d+): string \| number \| boolean \| null \| components\["schemas"\]\["\1"\]\[\] \| \{[^}]*\};/g;
const JSON_VALUE = 'export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };\n';

execFileSync('npm', ['exec', '--yes', ...GENERATOR, join(ROOT, 'test/golden/openapi.json'), '-o', TYPES], { stdio: 'inherit' });
const text = readFileSync(TYPES, 'utf8').replaceAll(RECURSIVE, '$1: JsonValue;');
writeFileSync(TYPES, text.includes(JSON_VALUE) ? text : text + JSON_VALUE);
