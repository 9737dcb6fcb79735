import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { findBinaries } from '../../adapters/embedded-postgres/binaries.ts';
import { findRunningServer } from '../../adapters/embedded-postgres/running-server.ts';
import { CONSOLE_FOLDER } from '../../adapters/http/console-pages.ts';
import { serverWarnings } from '../../adapters/postgres/database/migrate.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { type Config, readConfig } from '../../config/env.ts';
import { describeFailure } from './command-error.ts';

/** One thing that was looked at, in words. A `fault` keeps the service from starting or from keeping data. */
export interface Finding {
  readonly subject: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly text: string;
}

const GIBIBYTE = 2 ** 30;
/** Free disk, in bytes, below which a start makes little sense, and below which it should be said. */
const TOO_LITTLE = GIBIBYTE / 4;
const LITTLE = 2 * GIBIBYTE;
const CLOCK_MS = 2_000;
const PROBE_MS = 10_000;
const SECRET_FILES = ['credentials.json', 'secret-keys.json', 'postgres.password'];

const ok = (subject: string, text: string): Finding => ({ subject, state: 'ok', text });
const warning = (subject: string, text: string): Finding => ({ subject, state: 'warning', text });
const fault = (subject: string, text: string): Finding => ({ subject, state: 'fault', text });

/** Looks at an installation without changing it: nothing is made, started or migrated. */
export async function examine(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const node = ok('Node', `${process.version} at ${process.execPath}`);
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    return [node, fault('settings', describeFailure(error))];
  }
  const checks = config.store === 'memory' ? [checkPort] : [checkDataFolder, checkDisk, checkSecrets, checkDatabase, checkPort];
  const found: Finding[] = [];
  for (const check of checks) found.push(...(await check(config)));
  return [node, ok('settings', `${config.store}, role ${config.role}`), await checkConsole(), ...found];
}

async function checkConsole(): Promise<Finding> {
  const built = await stat(join(CONSOLE_FOLDER, 'index.html')).catch(() => undefined);
  return built ? ok('console', 'built') : warning('console', 'not built: the API works, / does not; run "npm run console:build"');
}

async function checkDataFolder({ dataDir }: Config): Promise<Finding[]> {
  const subject = 'data folder';
  const found = await stat(dataDir).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    if (found.code !== 'ENOENT') return [fault(subject, `${dataDir} cannot be looked at: ${found.message}`)];
    const parent = await existingParent(dataDir);
    return (await isWritable(parent))
      ? [ok(subject, `${dataDir} is made by the first start`)]
      : [fault(subject, `${dataDir} cannot be made: ${parent} is not writable by this user`)];
  }
  if (!found.isDirectory()) return [fault(subject, `${dataDir} is not a folder`)];
  return [(await isWritable(dataDir)) ? ok(subject, dataDir) : fault(subject, `${dataDir} is not writable by this user`)];
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

async function existingParent(path: string): Promise<string> {
  for (let at = dirname(path); ; at = dirname(at)) if (dirname(at) === at || (await stat(at).catch(() => undefined))) return at;
}

async function checkDisk({ dataDir }: Config): Promise<Finding[]> {
  const { bavail, bsize } = await statfs((await stat(dataDir).catch(() => undefined)) ? dataDir : await existingParent(dataDir));
  const free = bavail * bsize;
  const text = `${(free / GIBIBYTE).toFixed(1)} GiB are free where ${dataDir} lies`;
  if (free < TOO_LITTLE) return [fault('disk', `${text}: writes will be refused soon`)];
  return [free < LITTLE ? warning('disk', text) : ok('disk', text)];
}

async function checkSecrets({ dataDir }: Config): Promise<Finding[]> {
  if (process.platform === 'win32') return [];
  const open: string[] = [];
  let files = 0;
  for (const name of SECRET_FILES) {
    const found = await stat(join(dataDir, name)).catch(() => undefined);
    if (!found) continue;
    files += 1;
    if ((found.mode & 0o077) !== 0) open.push(`${join(dataDir, name)} (mode ${(found.mode & 0o777).toString(8)})`);
  }
  if (open.length > 0)
    return [fault('secrets', `others may read ${open.join(', ')}: run chmod 600, and think of replacing them`)];
  return [ok('secrets', files === 0 ? 'none are kept yet' : `${files} files, readable by their owner alone`)];
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  const subject = 'database';
  const url = config.databaseUrl ?? (await findRunningServer(config.dataDir).catch(() => undefined));
  if (url === undefined) {
    const binaries = await findBinaries().catch((error: Error) => error);
    return binaries instanceof Error
      ? [fault(subject, binaries.message)]
      : [ok(subject, `PostgreSQL ${binaries.version} of its own, which is not running`)];
  }
  try {
    const warnings = await serverWarnings(url);
    return [...warnings.map((text) => warning(subject, text)), ...(await askDatabase(url)), await checkMigrations(url)];
  } catch (error) {
    const { host, pathname } = new URL(url);
    return [fault(subject, `${pathname.slice(1)} at ${host} cannot be used: ${describeFailure(error)}`)];
  }
}

async function askDatabase(url: string): Promise<Finding[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: PROBE_MS });
  client.on('error', () => {});
  await client.connect();
  try {
    const asked = Date.now();
    const { rows } = await client.query<{ version: string; now: Date }>(
      "select current_setting('server_version') as version, clock_timestamp() as now",
    );
    const [{ version = '', now = new Date() } = {}] = rows;
    return [
      ok('database', `PostgreSQL ${version} at ${new URL(url).host}`),
      checkClock(now.getTime() - (asked + Date.now()) / 2),
    ];
  } finally {
    await client.end();
  }
}

function checkClock(aheadMs: number): Finding {
  const text = `the clock of the database is ${(aheadMs / 1000).toFixed(1)} s ahead of this one`;
  return Math.abs(aheadMs) > CLOCK_MS
    ? warning('clock', `${text}: times of records and of scores will disagree`)
    : ok('clock', 'agrees with that of the database');
}

async function checkMigrations(url: string): Promise<Finding> {
  const subject = 'migrations';
  const orm = await openOrm({ url, poolSize: 1 });
  try {
    const { rows } = await withClient(url, "select to_regclass('schema_migrations') is not null as has");
    if (!rows[0]?.has) return ok(subject, 'the database is empty: the first start makes the schema');
    const pending = await orm.migrator.getPending();
    return pending.length === 0
      ? ok(subject, 'the schema is up to date')
      : warning(
          subject,
          `${pending.length} to be run by the next start, or by "npm run migrate": ${pending.map(({ name }) => name).join(', ')}`,
        );
  } finally {
    await orm.close(true);
  }
}

async function withClient(url: string, statement: string) {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: PROBE_MS });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query<{ has: boolean }>(statement);
  } finally {
    await client.end();
  }
}

/** Free, taken by this service, or taken by something else. */
async function checkPort({ host, port }: Config): Promise<Finding[]> {
  const subject = 'port';
  const failure = await tryToListen(host, port);
  if (failure === undefined) return [ok(subject, `${host}:${port} is free: the service does not run`)];
  if (failure.code !== 'EADDRINUSE') return [fault(subject, `${host}:${port} cannot be listened on: ${failure.message}`)];
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  const ready = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PROBE_MS) }).catch(() => undefined);
  const alive = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) }).catch(() => undefined);
  if (!alive?.ok) return [fault(subject, `${host}:${port} is taken by another program: set PORT, or end that program`)];
  return [
    ready?.ok
      ? ok(subject, `a service runs and is ready at ${url}`)
      : warning(subject, `a service runs at ${url} and is not ready`),
  ];
}

function tryToListen(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
