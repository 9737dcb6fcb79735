import { writeFileSync } from 'node:fs';
import { writePythonApi } from '../../cli/packaging/write-python-api.ts';
import { startTestServer } from '../http/harness.ts';

/** Writes the document of the API for review, and the operations of the Python client from it; run it after a change that is meant to change the API. */
const server = await startTestServer();
const { body } = await server.request('GET', '/v2/openapi.json');
const file = new URL('./openapi.json', import.meta.url);
writeFileSync(file, `${JSON.stringify({ ...body, info: { ...body.info, version: '0.0.0' } }, null, 2)}\n`);
await server.close();
writePythonApi();
console.log(`wrote ${file.pathname}`);
