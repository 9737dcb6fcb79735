import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Router } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RouteTable } from './route-table.ts';

const table = new RouteTable();
const added: string[] = [];
const add = (path: string) =>
  table.add(path, (router: Router) => {
    added.push(path);
    router.get(path, (_req, res) => void res.send(path));
  });
for (const path of ['/v2/projects/all', '/v2/projects/:id', '/projects/:id', '/v2/projects/:id/traces', '/v2/scorers/:id'])
  add(path);

const app = express()
  .use(table.handler)
  .use((_req, res) => void res.status(404).send('none'));
const server = createServer(app);
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const get = async (path: string) => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).text();

describe('the table of routes', () => {
  it('compiles only what a request may be meant for, and that once', async () => {
    expect(added).toEqual([]);
    await get('/v2/projects/1');
    await get('/v2/projects/2');
    expect(added).toEqual(['/v2/projects/all', '/v2/projects/:id']);
  });

  it.each([
    ['/v2/projects/all', '/v2/projects/all'],
    ['/v2/projects/1', '/v2/projects/:id'],
    ['/v2/projects/1/', '/v2/projects/:id'],
    ['/V2/Projects/1', '/v2/projects/:id'],
    ['/projects/1', '/projects/:id'],
    ['/PROJECTS/v2', '/projects/:id'],
    ['/v2/projects/1/traces', '/v2/projects/:id/traces'],
    ['/v2/scorers/all', '/v2/scorers/:id'],
  ])('finds %s as Express would', async (path, expected) => {
    expect(await get(path)).toBe(expected);
  });

  it.each(['/', '/v2', '/v2/projects', '/v2/projects/1/spans', '/v2//projects/1', '/projects/1/traces'])(
    'leaves %s, which nobody added, to what follows',
    async (path) => {
      expect(await get(path)).toBe('none');
    },
  );
});
