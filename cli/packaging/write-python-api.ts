import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ApiDocument, toPythonOperations, toPythonStub } from './python-api.ts';

const ROOT = resolve(import.meta.dirname, '../..');
export const PYTHON_CLIENT = resolve(ROOT, 'clients/python/touchstone_client');

/** Writes the operations of the Python client anew from the reviewed OpenAPI document; the types of what they take and return are another matter. */
export function writePythonApi(): void {
  const document = JSON.parse(readFileSync(resolve(ROOT, 'test/golden/openapi.json'), 'utf8')) as ApiDocument;
  writeFileSync(resolve(PYTHON_CLIENT, 'operations.py'), toPythonOperations(document));
  writeFileSync(resolve(PYTHON_CLIENT, 'api.pyi'), toPythonStub(document));
}
