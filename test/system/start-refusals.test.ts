import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { silent } from '../setup/silent.ts';
import { expectWithin } from '../setup/timing.ts';
import { databasePid, type Ended, type Environment, endEverything, makeDataDir, print, ServiceRun } from './service.ts';

const isRoot = process.getuid?.() === 0;

/** A server that is asked with a wrong password, and for a database that it does not have. */
let server: EmbeddedPostgres;

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir: await makeDataDir(), log: silent, serverSettings: { fsync: 'off' } });
});
afterAll(async () => {
  await server?.stop();
  await endEverything();
});

async function failedStart(env: Environment, dataDir?: string): Promise<Ended> {
  return new ServiceRun(dataDir ?? (await makeDataDir()), env).ended;
}

/** One line for the operator, exit code 1, no trace of the program's insides. */
function expectOneLine({ code, stdout, stderr }: Ended, says: RegExp): void {
  expect(stderr).toMatch(says);
  expect(stderr).toMatch(/^touchstone cannot start: [^\n]+\n$/);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stdout).toBe('');
  expect(code).toBe(1);
}

describe('refusals to start', () => {
  it('lists everything that is wrong with the configuration', async () => {
    const ended = await failedStart({ PORT: 'eighty', DATABASE_URL: 'mysql://host/db', ROLE: 'boss', ADMIN_PASSWORD: 'short' });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^touchstone cannot start: the configuration is not valid:\n/);
    for (const name of ['PORT', 'DATABASE_URL', 'ROLE', 'ADMIN_PASSWORD']) expect(ended.stderr).toContain(name);
    expect(ended.stderr).not.toMatch(/\n\s+at .*\.(ts|js)/);
    expect(ended.stderr).not.toContain('short\n');
  });

  it('says that the port is taken, and ends the database it has started', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const dataDir = await makeDataDir();
    const ended = await failedStart({ PORT: String(port) }, dataDir);
    const forGrpc = await failedStart({ STORE: 'memory', OTLP_GRPC_PORT: String(port) });
    other.close();
    expectOneLine({ ...ended, stdout: '' }, new RegExp(`port ${port} on 127.0.0.1 is taken`));
    expect(databasePid(dataDir)).toBeUndefined();
    expectOneLine({ ...forGrpc, stdout: '' }, new RegExp(`cannot listen on 127.0.0.1:${port}; set OTLP_GRPC_PORT`));
  });

  it('says that the database cannot be reached, or refuses the password, without showing it', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const wrong = new URL(server.url);
    wrong.password = 'not-the-password';
    const missing = new URL(server.url);
    missing.pathname = '/no_such_database';
    const started = Date.now();
    const [unreachable, refused, absent] = await Promise.all([
      failedStart({ DATABASE_URL: `postgres://user:hidden-word@127.0.0.1:${port}/db` }),
      failedStart({ DATABASE_URL: wrong.href }),
      failedStart({ DATABASE_URL: missing.href }),
    ]);
    expectOneLine(unreachable, new RegExp(`the database db at 127.0.0.1:${port} cannot be used: .*ECONNREFUSED`));
    expect(unreachable.stderr).not.toContain('hidden-word');
    expectOneLine(refused, /password authentication failed/);
    expect(refused.stderr).not.toContain('not-the-password');
    expectOneLine(absent, /no_such_database.* does not exist/);
    expectWithin(20_000, Date.now() - started);
  });

  it('says that the data folder cannot be used', async () => {
    const dataDir = await makeDataDir();
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    expectOneLine(await failedStart({ DATA_DIR: file }), /data folder .*file cannot be made/);
    expectOneLine(await failedStart({ DATA_DIR: join(file, 'below') }), /data folder .*below cannot be made/);
    // Nobody may write there, not even root.
    if (process.platform === 'linux')
      expectOneLine(await failedStart({ DATA_DIR: '/proc/data' }), /data folder \/proc\/data cannot/);
    if (isRoot) {
      print('not tried: a data folder without write permission, since root may write everywhere');
      return;
    }
    const closed = join(dataDir, 'closed');
    await mkdir(closed, { mode: 0o500 });
    expectOneLine(await failedStart({ DATA_DIR: closed }), /closed/);
  });

  it('does not replace damaged credentials', async () => {
    const dataDir = await makeDataDir();
    const file = join(dataDir, 'credentials.json');
    for (const damaged of ['{"admin_email": "a@b.c"', '', '[]', '{"admin_api_key": 7}']) {
      await writeFile(file, damaged);
      expectOneLine(await failedStart({}, dataDir), /credentials.json is damaged; restore it, or remove it/);
      expect(await readFile(file, 'utf8')).toBe(damaged);
    }
  });

  it('names the plugin module that is broken', async () => {
    const dataDir = await makeDataDir();
    const module = async (name: string, source: string) => {
      await writeFile(join(dataDir, name), source);
      return pathToFileURL(join(dataDir, name)).href;
    };
    const head = "kind: 'scorer_kind', sdk: 1, stability: 'stable', summary: 'x', create: () => ({})";
    const cases: [string, RegExp][] = [
      ['no-such-package', /plugin module "no-such-package" cannot be loaded/],
      [await module('throws.mjs', "throw new Error('first\\nsecond');"), /throws.mjs" cannot be loaded: first/],
      [await module('syntax.mjs', 'export const = 1;'), /syntax.mjs" cannot be loaded/],
      [await module('empty.mjs', 'export const nothing = 1;'), /empty.mjs" exports no plugin/],
      [await module('id.mjs', `export const plugin = { id: 'Not-Snake', ${head} };`), /plugin "Not-Snake": id is not/],
      [await module('sdk.mjs', "export const plugin = { kind: 'scorer_kind', id: 'old', sdk: 0 };"), /"old": written for SDK 0/],
    ];
    for (const [specifier, says] of cases) {
      const ended = await failedStart({ PLUGINS: specifier }, dataDir);
      expectOneLine(ended, says);
    }
    expect(databasePid(dataDir)).toBeUndefined();
  });
});
