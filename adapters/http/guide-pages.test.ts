import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guidePages } from './guide-pages.ts';

let folder: string;
let server: Server;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-guide-'));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

async function serve(): Promise<string> {
  const app = express();
  app.use(guidePages(folder));
  app.use((_req, res) => void res.status(404).send('no such path'));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function build(): Promise<void> {
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>the first page</title>');
  await mkdir(join(folder, 'adr'));
  await writeFile(join(folder, 'adr/0001-x.html'), 'a decision');
}

describe('the pages of the documentation', () => {
  it('say how they are built where they are not', async () => {
    const url = await serve();
    for (const path of ['/docs/guide', '/docs/guide/', '/docs/guide/adr/0001-x.html']) {
      const reply = await fetch(url + path);
      expect(reply.status).toBe(404);
      expect(await reply.text()).toContain('npm run docs:build');
    }
    expect(await (await fetch(`${url}/docs`)).text()).toBe('no such path');
  });

  it('are served under a policy that lets nothing in from elsewhere', async () => {
    await build();
    const url = await serve();
    const first = await fetch(`${url}/docs/guide`);
    expect([first.status, first.url]).toEqual([200, `${url}/docs/guide/`]);
    expect(await first.text()).toContain('the first page');
    const policy = first.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('http');
    expect(await (await fetch(`${url}/docs/guide/adr/0001-x.html`)).text()).toBe('a decision');
  });

  it.each(['/docs/guide/gone.html', '/docs/guide/%2e%2e/%2e%2e/package.json', '/docs/guidebook'])(
    'are not at %s',
    async (path) => {
      await build();
      expect(await (await fetch((await serve()) + path)).text()).toBe('no such path');
    },
  );
});
