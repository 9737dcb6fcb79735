import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBinaries } from '../../adapters/embedded-postgres/binaries.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { copyPrograms } from '../../adapters/embedded-postgres/program-copy.ts';
import { chooseServerUser } from '../../adapters/embedded-postgres/server-user.ts';
import { queryAt } from '../setup/query-at.ts';
import { silent } from '../setup/silent.ts';

const isRoot = process.getuid?.() === 0;
const FIXTURE = join(import.meta.dirname, '../fixtures/embedded-postgres-start.ts');

let folder: string;
let dataDir: string;
let sharedFolder: string;
const servers: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  sharedFolder = await makeFolder();
});
afterAll(() => rm(sharedFolder, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await makeFolder();
  dataDir = join(folder, 'data');
});

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  for (const server of servers.splice(0)) await server.stop();
  await killOrphan();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'touchstone-system-'));
  // As root, the server's user has to get through.
  await chmod(path, 0o711);
  return path;
}

interface StartOptions {
  readonly in?: string;
  readonly passwdFile?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

async function start({
  in: place = dataDir,
  passwdFile = '/etc/passwd',
  settings,
}: StartOptions = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(
    { dataDir: place, log: silent, serverSettings: { fsync: 'off', ...settings } },
    { passwdFile, sharedFolder },
  );
  servers.push(server);
  return server;
}

const query = ({ url }: { readonly url: string }, sql: string) => queryAt<Record<string, unknown>>(url, sql);

/** A process of its own that starts the server; resolves to the first thing it tells. */
async function startInChild(ending: 'hold' | 'return' = 'hold'): Promise<{ child: ChildProcess; told: Record<string, unknown> }> {
  const child = spawn(process.execPath, [FIXTURE, dataDir, sharedFolder, ending], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, told: JSON.parse(line) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function serverPid(): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
}

/** A server that a failed test left behind is ended by the one who can: its next owner. */
async function killOrphan(): Promise<void> {
  if (!existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) return;
  const owner = await startEmbeddedPostgres({ dataDir, log: silent }, { passwdFile: '/etc/passwd', sharedFolder }).catch(
    () => undefined,
  );
  await owner?.stop();
}

function told(reason: string): void {
  process.stdout.write(`skipped: ${reason}\n`);
}

describe('first start and restart', () => {
  it('creates a cluster that only its password opens', async () => {
    const server = await start();
    const [row] = await query(
      server,
      `select current_database() as database, current_user as "user", version() like 'PostgreSQL 18%' as bundled,
              pg_encoding_to_char(encoding) as encoding, datlocale as locale,
              current_setting('listen_addresses') as listens, current_setting('data_checksums') as checksums
       from pg_database where datname = current_database()`,
    );
    expect(row).toStrictEqual({
      database: 'touchstone',
      user: 'touchstone_service',
      bundled: true,
      encoding: 'UTF8',
      locale: 'C.UTF-8',
      listens: '127.0.0.1',
      checksums: 'on',
    });
    expect(server.adopted).toBe(false);
    const wrong = new URL(server.url);
    wrong.password = 'guess';
    await expect(query({ url: wrong.href }, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
    expect(await processLine(serverPid())).not.toContain(new URL(server.url).password);
  });

  it('has the service work without the rights of a superuser, under a password of its own', async () => {
    const server = await start();
    const [rights] = await query(
      server,
      `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user`,
    );
    expect(Object.values(rights!)).toEqual([false, false, false, false, false]);
    for (const sql of [
      `copy (select 1) to program 'true'`,
      `select pg_read_file('PG_VERSION')`,
      `select lo_import('/etc/passwd')`,
      `alter system set fsync = off`,
      'create role another superuser',
      'create database another',
      'set role touchstone',
      'create extension file_fdw',
    ])
      await expect(query(server, sql), sql).rejects.toThrow(/permission denied|must be|superuser/i);
    expect(new URL(server.url).password).not.toBe(new URL(server.adminUrl).password);
    await query(server, 'create schema mine; create table mine.table (id int); drop schema mine cascade');
  });

  it('takes over what an older version made as superuser, and may change all of it', async () => {
    const old = await start();
    await query(
      { url: old.adminUrl },
      `reassign owned by touchstone_service to touchstone; drop role touchstone_service;
       create schema queue;
       create type queue.state as enum ('new', 'done');
       create type pair as (a int, b int);
       create table kept (id bigint generated always as identity primary key, state queue.state, n serial);
       create table parted (id int) partition by range (id);
       create table part partition of parted for values from (0) to (10);
       create view seen as select id from kept;
       create sequence alone;
       create function queue.one() returns int language sql as 'select 1';
       insert into kept (state) values ('new')`,
    );
    await old.stop();
    const server = await start();
    const rest = `select count(*)::int as count from pg_class join pg_namespace namespace on namespace.oid = relnamespace
      where relowner <> 'touchstone_service'::regrole and nspname in ('public', 'queue')`;
    expect(await query(server, rest)).toStrictEqual([{ count: 0 }]);
    await query(
      server,
      `insert into kept (state) values ('done'); alter table kept add column more text; alter type queue.state add value 'old';
       create or replace view seen as select id, n from kept; drop function queue.one(); alter sequence alone restart;
       alter type pair add attribute c int; alter table parted detach partition part; drop schema queue cascade; create schema other`,
    );
    expect(await query(server, 'select id::int, n from kept order by id')).toStrictEqual([
      { id: 1, n: 1 },
      { id: 2, n: 2 },
    ]);
  });

  it('keeps durability on unless told otherwise', async () => {
    const server = await startEmbeddedPostgres({ dataDir, log: silent }, { passwdFile: '/etc/passwd', sharedFolder });
    servers.push(server);
    const rows = await query(
      server,
      "select setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')",
    );
    expect(rows.map((row) => row.setting)).toStrictEqual(['on', 'on', 'on']);
  });

  it('keeps data over a clean restart, also in a path with spaces and quotes', async () => {
    dataDir = join(folder, `my "data", it's here`);
    const first = await start();
    await query(first, "create table kept as select 'yes' as answer");
    await first.stop();
    await first.stop();
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toContain('database system is shut down');
    const second = await start();
    expect(await query(second, 'select answer from kept')).toStrictEqual([{ answer: 'yes' }]);
  });

  it('runs in a session of its own, which the terminal does not interrupt', async () => {
    await start();
    const session = (await promisify(execFile)('ps', ['-o', 'sid=', '-p', String(serverPid())])).stdout.trim();
    expect(session).toBe(String(serverPid()));
  });

  it('does not keep our process alive', async () => {
    const { child } = await startInChild('return');
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
    expect(code).toBe(0);
    expect((await start()).adopted).toBe(true);
  });

  it('starts over after an initdb that was killed', async () => {
    const leftover = join(dataDir, 'postgres.tmp-4194305');
    await mkdir(join(leftover, 'cluster'), { recursive: true });
    await chmod(dataDir, 0o711);
    await writeFile(join(leftover, 'cluster', 'PG_VERSION'), '18\n');
    await query(await start(), 'select 1');
    expect((await readdir(dataDir)).filter((name) => name.includes('tmp'))).toStrictEqual([]);
  });
});

describe('after a kill', () => {
  it('adopts the server that a killed process left, and stops it', async () => {
    const { child, told: first } = await startInChild();
    await query({ url: String(first.url) }, "create table kept as select 'yes' as answer");
    const pid = serverPid();
    await kill(child);

    const server = await start();
    expect(server).toMatchObject({ adopted: true, url: first.url });
    expect(serverPid()).toBe(pid);
    expect(await query(server, 'select answer from kept')).toStrictEqual([{ answer: 'yes' }]);
    await server.stop();
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    expect((await start()).adopted).toBe(false);
  });

  it('stops an orphan that does not know the password, then says what is wrong', async () => {
    const { child } = await startInChild();
    await kill(child);
    await writeFile(join(dataDir, 'postgres.password'), 'another\n');
    await expect(start()).rejects.toThrow(/refuses the password/);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  it('recovers when server and process are killed together', async () => {
    const { child, told: first } = await startInChild();
    await query({ url: String(first.url) }, "create table kept as select 'yes' as answer");
    process.kill(serverPid(), 'SIGKILL');
    await kill(child);
    const server = await start();
    expect(server.adopted).toBe(false);
    expect(await query(server, 'select answer from kept')).toStrictEqual([{ answer: 'yes' }]);
  });

  it('tells when the server dies, its own as well as an adopted one', async () => {
    for (const expected of [/ended by SIGKILL/, /is gone/]) {
      if (String(expected).includes('gone')) await kill((await startInChild()).child);
      const server = await start();
      const why = new Promise<string>((resolve) => server.onExit(resolve));
      process.kill(serverPid(), 'SIGKILL');
      expect(await why).toMatch(expected);
      await server.stop();
    }
  });

  it.runIf(process.platform === 'linux')('is not fooled by a process id that has ended or is somebody else now', async () => {
    await (await start()).stop();
    // The shell's child ends at once, and sleep, which took the shell's place, does not collect it: a zombie.
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(parent);
    const [zombie] = await once(createInterface(parent.stdout), 'line');
    for (const pid of [zombie, String(parent.pid)]) {
      await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${pid}\n${dataDir}\n1\n5432\n\n127.0.0.1\n\nready\n`);
      await (await start()).stop();
    }
  });
});

describe('refusals', () => {
  it('lets one process have the folder, and names it to the second', async () => {
    const { child, told: first } = await startInChild();
    await expect(start()).rejects.toThrow(`data folder ${dataDir} is in use by process ${child.pid}`);
    expect(await query({ url: String(first.url) }, 'select 1 as one')).toStrictEqual([{ one: 1 }]);
  });

  it('refuses a second start in the same process', async () => {
    const server = await start();
    await expect(start()).rejects.toThrow(/in use by process/);
    await query(server, 'select 1');
  });

  it('refuses a cluster of another major version', async () => {
    await (await start()).stop();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 15, the bundled one is 18/);
  });

  it('does not write over a folder that holds something else', async () => {
    await mkdir(join(dataDir, 'postgres', 'letters'), { recursive: true });
    await expect(start()).rejects.toThrow(/exists but holds no PostgreSQL cluster/);
  });

  it('does not make up a new password for an old database', async () => {
    await (await start()).stop();
    await rm(join(dataDir, 'postgres.password'));
    await expect(start()).rejects.toThrow(/postgres.password is missing/);
  });

  it('quotes the server when it dies at start, and frees the folder', async () => {
    await expect(start({ settings: { shared_buffers: 'plenty' } })).rejects.toThrow(/did not start.*shared_buffers/);
    await query(await start(), 'select 1');
  });

  it('says that a chosen port is taken', async () => {
    const other = await start({ in: join(folder, 'other') });
    await expect(start({ settings: { port: new URL(other.url).port } })).rejects.toThrow(/did not start.*port|could not bind/i);
  });

  it('refuses a file in the place of the folder', async () => {
    await writeFile(dataDir, '');
    await expect(start()).rejects.toThrow(/is not a folder/);
  });

  it('refuses a folder that cannot be written', async ({ skip }) => {
    if (isRoot) {
      told('an unwritable folder, since root may write everywhere');
      skip();
    }
    await mkdir(dataDir, { mode: 0o500 });
    await expect(start()).rejects.toThrow(/is not readable and writable/);
  });
});

describe('as root', () => {
  it('keeps the cluster where its user can reach it when the data folder is closed to him', async ({ skip }) => {
    if (!isRoot) {
      told('a folder that only root can enter, since this is not root');
      skip();
    }
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    dataDir = join(closed, 'data');
    const first = await start();
    await query(first, "create table kept as select 'yes' as answer");
    await first.stop();
    const cluster = (await readFile(join(dataDir, 'postgres.location'), 'utf8')).trim();
    expect(cluster.startsWith(join(sharedFolder, 'clusters'))).toBe(true);
    expect((await stat(cluster)).mode & 0o777).toBe(0o700);
    // Opening the folder later does not make the database seem empty.
    await chmod(closed, 0o755);
    const second = await start();
    expect(await query(second, 'select answer from kept')).toStrictEqual([{ answer: 'yes' }]);
    await second.stop();
    await rm(cluster, { recursive: true });
    await expect(start()).rejects.toThrow(/is missing/);
  });

  it('runs as nobody where there is no user postgres, and refuses where there is neither', async ({ skip }) => {
    if (!isRoot) {
      told('the choice of a user, since this is not root');
      skip();
    }
    const passwdFile = join(folder, 'passwd');
    await writeFile(passwdFile, 'root:x:0:0::/root:/bin/sh\n');
    await expect(start({ passwdFile })).rejects.toThrow(/no user postgres or nobody/);
    await writeFile(passwdFile, 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n');
    await (await start({ passwdFile })).stop();
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(65534);
    expect((await stat(join(dataDir, 'postgres.password'))).uid).toBe(0);
    // A cluster stays with its owner, whoever would be chosen today.
    await query(await start(), 'select 1');
  });

  it('copies programs to where everybody can run them, once', async ({ skip }) => {
    const user = chooseServerUser(await readFile('/etc/passwd', 'utf8').catch(() => ''));
    if (!isRoot || !user) {
      told('running copied programs as another user, since this is not root');
      skip();
    }
    const shared = join(folder, 'shared');
    const copy = await copyPrograms(await findBinaries(), shared);
    const { stdout } = await promisify(execFile)(copy.postgres, ['--version'], { ...user, cwd: '/' });
    expect(stdout).toContain('PostgreSQL) 18');
    const before = await stat(copy.root);
    await copyPrograms(await findBinaries(), shared);
    expect((await stat(copy.root)).mtimeMs).toBe(before.mtimeMs);
    expect(await readdir(shared)).toHaveLength(1);
  });
});

async function processLine(pid: number): Promise<string> {
  return (await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)])).stdout;
}
