import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { consolePages } from './console-pages.ts';

const PAGE = '<!doctype html><title>the page</title>';
const SCRIPT = 'export const shown = true;';

let folder: string;
let server: Server;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-console-'));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

async function build(): Promise<void> {
  await mkdir(join(folder, 'console'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'console/index-DiGeSt.js'), SCRIPT);
  await writeFile(join(folder, 'console/index-DiGeSt.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'console/index-DiGeSt.js.gz'), gzipSync(SCRIPT));
}

async function serve(): Promise<void> {
  const app = express();
  app.use(consolePages(folder));
  app.use((_req, res) => void res.status(404).send('the API says: no such path'));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** By hand: `fetch` would take encodings off. */
const ask = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    get({ host: '127.0.0.1', port, path, headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => resolve({ status: reply.statusCode, headers: reply.headers, body: Buffer.concat(chunks) }));
    }).once('error', reject);
  });

describe('the pages of the console', () => {
  beforeEach(async () => {
    await build();
    await serve();
  });

  it.each(['/', '/index.html', '/console/index-DiGeSt.js'])(
    '%s lets nothing in from elsewhere, inline or framed',
    async (path) => {
      const policy = (await ask(path)).headers['content-security-policy'] as string;
      expect(policy.split('; ')).toEqual(
        expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"]),
      );
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    },
  );

  it('are asked for anew, the files that are named by their content are not', async () => {
    expect((await ask('/')).headers['cache-control']).toBe('no-cache');
    expect((await ask('/console/index-DiGeSt.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('are not sent again to who has them', async () => {
    const { etag } = (await ask('/')).headers;
    expect((await ask('/', { 'if-none-match': etag! })).status).toBe(304);
  });

  it('travel compressed, as the browser takes them', async () => {
    const brotli = await ask('/console/index-DiGeSt.js', { 'accept-encoding': 'gzip, br' });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.body).toString()).toBe(SCRIPT);
    expect(brotli.headers.vary).toMatch(/accept-encoding/i);
    expect((await ask('/console/index-DiGeSt.js', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
    const plain = await ask('/console/index-DiGeSt.js');
    expect([plain.headers['content-encoding'], plain.body.toString()]).toEqual([undefined, SCRIPT]);
  });

  it.each(['/console/missing.js', '/console/..%2f..%2fpackage.json', '/projects'])(
    'leave %s to what comes after',
    async (path) => {
      const reply = await ask(path);
      expect([reply.status, reply.body.toString()]).toEqual([404, 'the API says: no such path']);
    },
  );

  it('outlive a file that is taken away while they are served, as by an upgrade in place', async () => {
    await rm(join(folder, 'console'), { recursive: true });
    expect((await ask('/console/index-DiGeSt.js')).status).toBe(404);
    expect((await ask('/')).status).toBe(200);
  });
});

describe('a console that was not built', () => {
  it('says how to build it, and is in nobody’s way', async () => {
    await serve();
    const reply = await ask('/');
    expect(reply.status).toBe(404);
    expect(reply.body.toString()).toContain('npm run console:build');
    expect((await ask('/index.html')).body.toString()).toBe('the API says: no such path');
  });
});
