import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../http/harness.ts';
import { KNOWN_TO_CLIENTS, KNOWN_TO_NEWER_CLIENTS, LEFT_OUT } from './known-operations.ts';

let server: TestServer;
/** Method and path of every operation, with parameters by place: clients call them differently. */
let served: ReadonlySet<string>;
const placed = (operation: string): string => operation.replaceAll(/\{[^}]+\}/g, '{}');
beforeAll(async () => {
  server = await startTestServer();
  const routes = server.cradle.routes.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/^\/v2/, '')}`);
  served = new Set(routes.map(placed));
});
afterAll(() => server.close());

/** The integrations' names are parts of paths. */
const isServed = (operation: string): boolean => served.has(placed(operation));

describe('the operations that clients know', () => {
  it('are all served, but for those that are left out with a reason', () => {
    const missing = [...KNOWN_TO_CLIENTS, ...KNOWN_TO_NEWER_CLIENTS].filter((operation) => !isServed(operation));
    const left = Object.keys(LEFT_OUT);
    process.stdout.write(
      `${KNOWN_TO_CLIENTS.length + left.length} operations known to clients: ${KNOWN_TO_CLIENTS.length - missing.length} served, ` +
        `${left.length} left out; ${KNOWN_TO_NEWER_CLIENTS.length} known to newer ones\n`,
    );
    expect(missing).toEqual([]);
  });

  it('that are left out are not there', async () => {
    expect(Object.keys(LEFT_OUT).filter(isServed)).toEqual([]);
    for (const operation of Object.keys(LEFT_OUT)) {
      const [method = '', path = ''] = operation.replaceAll(/\{[^}]+\}/g, '00000000-0000-4000-8000-000000000000').split(' ');
      expect([404, 405], operation).toContain((await server.request(method, `/v2${path}`)).status);
    }
  });
});
