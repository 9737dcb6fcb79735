import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ADMIN, startTestServer, type TestServer } from '../../http/harness.ts';
import { launchBrowser } from '../browser.ts';

const PROGRAM = join(import.meta.dirname, 'page-with-client.ts');

/** Result of the program of the page. */
interface Outcome {
  readonly traces: readonly { readonly name: string; readonly input: unknown; readonly output: unknown }[];
  readonly lost: number;
  readonly error: string | null;
}

let pages: Server;
let origin: string;
let browser: Browser;
let servers: readonly TestServer[] = [];

/** The client with its program, for browsers. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, lib: { entry: PROGRAM, formats: ['es'], fileName: 'page' } },
  });
  const [{ output }] = built as unknown as [{ output: readonly { readonly code: string }[] }];
  return output[0]!.code;
}

beforeAll(async () => {
  if (inject('browserMissing') !== null) return;
  const code = await bundle();
  pages = createServer((req, res) => {
    const isProgram = req.url === '/page.js';
    res.setHeader('Content-Type', isProgram ? 'text/javascript' : 'text/html');
    res.end(isProgram ? code : '<!doctype html><title>An application</title><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  servers = await Promise.all([startTestServer({ corsOrigins: [origin] }), startTestServer()]);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  pages?.close();
  await Promise.all(servers.map((server) => server.close()));
});

async function visit({ url }: TestServer): Promise<Outcome> {
  const page = await browser.newPage();
  const query = new URLSearchParams({ url, key: ADMIN.api_key });
  await page.goto(`${origin}/?${query}`);
  const handle = await page.waitForFunction('window.outcome', undefined, { timeout: 60_000 });
  return (await handle.jsonValue()) as Outcome;
}

describe.skipIf(inject('browserMissing') !== null)('the client in a page of another origin', () => {
  it('sends a trace and reads it back where the origin is allowed', async () => {
    expect(await visit(servers[0]!)).toEqual({
      ...{ error: null, lost: 0 },
      traces: [{ name: 'answer', input: 'tea', output: 'documents about tea' }],
    });
  });

  it('reaches nothing where the origin is not: the browser asks beforehand, and is given no leave', async () => {
    const [, server] = servers as readonly [TestServer, TestServer];
    const { error, traces } = await visit(server);
    expect(traces).toEqual([]);
    expect(error).toMatch(/Error/);
    const { body } = await server.request('POST', '/v2/projects/paginated', {});
    expect(body.projects.filter(({ name }: { name: string }) => name === 'pages')).toEqual([]);
  });
});
