import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeBackup } from '../../adapters/postgres/backup/write-backup.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PgBossQueues } from '../../adapters/postgres/jobs/pg-boss-queues.ts';
import { buildProgram } from '../../cli/commands/program.ts';
import { migrateAndCheck } from '../../cli/stored/migrate-and-check.ts';
import { describeRehearsal, rehearseUpgrade } from '../../cli/stored/rehearse-upgrade.ts';
import { readStoredConfig } from '../../config/env.ts';
import { readBackupVerification } from '../../config/storage/backup-verification.ts';
import { bareEnvironment } from '../setup/compile-cache.ts';
import { copyMigratedDatabase, createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { queryAt } from '../setup/query-at.ts';
import { silent } from '../setup/silent.ts';

const ROOT = resolve(import.meta.dirname, '../..');
// All of them list the databases of one server, so they are in one file, whose tests run one after the other.
const LAST_BEFORE = 'm0029-unpriced-models';
const PROJECTS = 'tables/projects.copy.gz';

let database: TestDatabase;
let folder: string;
let dataDir: string;
let made = 0;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-verified-'));
  dataDir = join(folder, 'data');
  database = await copyMigratedDatabase();
  await queryAt(
    database.url,
    `insert into projects (id, name, type, type_is_default, labels, created_at, updated_at)
     values (gen_random_uuid(), 'kept', 'gen_ai', false, '[]', now(), now())`,
  );
  await writeBackup({ url: database.url, folder: join(folder, 'whole/newest'), version: '0.1.0', files: [] });
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

/** The command as an operator runs it, in this process. */
async function verify(backups: string, url = database.url) {
  const ended = { code: 0, out: '', err: '' };
  const env = { DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
  const terminal = {
    ...{ env, isWatched: false },
    out: (text: string) => {
      ended.out += text;
    },
    err: () => undefined,
  };
  const program = buildProgram(terminal as never, '0.1.0', (code) => {
    ended.code = code;
  });
  await program.parseAsync(['backup', '--verify', backups, '--json'], { from: 'user' }).catch((error: Error) => {
    ended.err = error.message;
  });
  return { ...ended, verification: ended.out === '' ? undefined : JSON.parse(ended.out) };
}

async function copyOfBackup(change: (backup: string) => Promise<void>): Promise<string> {
  made += 1;
  const backups = join(folder, `copy-${made}`);
  await cp(join(folder, 'whole'), backups, { recursive: true });
  await change(join(backups, 'newest'));
  return backups;
}

async function changeManifest(backup: string, change: (manifest: { tables: { name: string; rows: number }[] }) => void) {
  const path = join(backup, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  change(manifest);
  await writeFile(path, JSON.stringify(manifest));
}

const listLeftOvers = async (): Promise<string[]> => {
  const rows = await queryAt<{ datname: string }>(
    database.url,
    `select datname from pg_database where datname like 'touchstone_rehearsal_%' order by datname`,
  );
  return rows.map(({ datname }) => datname);
};

describe('a verification of a backup', () => {
  let good: Awaited<ReturnType<typeof verify>>;
  beforeAll(async () => {
    good = await verify(join(folder, 'whole'));
  });

  it('finds a good one good, keeps that, and leaves no database behind', async () => {
    const { code, verification } = good;
    expect(verification).toMatchObject({ result: 'good', backup: join(folder, 'whole/newest'), version: '0.1.0', faults: [] });
    expect(verification.rows).toBeGreaterThan(0);
    expect(code).toBe(0);
    const { backup, made_at, finished_at } = verification;
    expect(await readBackupVerification(dataDir)).toEqual({ ...verification, last_good: { backup, made_at, finished_at } });
    expect(await listLeftOvers()).toEqual([]);
  });

  const flipByte = async (backup: string) => {
    const bytes = await readFile(join(backup, PROJECTS));
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(join(backup, PROJECTS), bytes);
  };

  it.each([
    ['a flipped byte', flipByte, 'projects.copy.gz is damaged'],
    ['a truncated file', (backup: string) => truncate(join(backup, PROJECTS), 10), 'projects.copy.gz is damaged'],
    ['a missing file', (backup: string) => rm(join(backup, 'jobs.jsonl.gz')), 'jobs.jsonl.gz is missing'],
    ['a damaged manifest', (backup: string) => truncate(join(backup, 'manifest.json'), 10), 'manifest.json cannot be read'],
    ['no manifest', (backup: string) => rm(join(backup, 'manifest.json')), 'is no backup, and holds none'],
    [
      'a table that the manifest does not know',
      (backup: string) =>
        changeManifest(backup, (manifest) => {
          manifest.tables = manifest.tables.filter(({ name }) => name !== 'projects');
        }),
      'table projects has 0 rows, and no place in the manifest',
    ],
    [
      'rows that the manifest does not count',
      (backup: string) =>
        changeManifest(backup, ({ tables }) => {
          tables.find(({ name }) => name === 'projects')!.rows = 2;
        }),
      'table projects was restored with 1 rows',
    ],
  ])('finds %s, and ends with 1', async (_what, change, fault) => {
    const { code, verification } = await verify(await copyOfBackup(change));
    const last_good = { backup: join(folder, 'whole/newest') };
    expect(verification).toMatchObject({ result: 'bad', faults: [expect.stringContaining(fault)], last_good });
    expect(code).toBe(1);
    expect(await readBackupVerification(dataDir)).toEqual(verification);
    expect(await listLeftOvers()).toEqual([]);
  });

  it('tells a backup that cannot be tried from a bad one, and ends with 2', async () => {
    const url = new URL(database.url);
    url.pathname = '/there_is_none';
    const { code, verification } = await verify(join(folder, 'whole'), url.href);
    expect(verification).toMatchObject({ result: 'not_verified', faults: [expect.stringContaining('cannot be used')] });
    expect(code).toBe(2);
    expect((await verify(join(folder, 'nowhere'))).verification).toMatchObject({ result: 'not_verified' });
  });

  it('refuses to be one of two at once, and keeps nothing when it is asked to end', async () => {
    const before = await readBackupVerification(dataDir);
    const child = startVerification();
    await expect.poll(listLeftOvers).toHaveLength(1);
    expect(await verify(join(folder, 'whole'))).toMatchObject({ out: '', err: expect.stringContaining('is under way') });
    child.kill('SIGTERM');
    expect(await endOf(child)).toBe(2);
    expect(await listLeftOvers()).toEqual([]);
    expect(await readBackupVerification(dataDir)).toEqual(before);
  });
});

function startVerification(): ChildProcess {
  const env = { ...bareEnvironment(), DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  const args = ['cli/touchstone.js', 'backup', '--verify', join(folder, 'whole')];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'ignore' });
  children.add(child);
  return child;
}

const endOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done(child.exitCode);
    else child.once('exit', done);
  });

describe('what a killed run leaves behind', () => {
  const makeOlder = (name: string): string => name.replace(/_(\d{10})_/, (_all, seconds) => `_${Number(seconds) - 3_600}_`);

  it('is dropped by the next run; what is in use, young, or of another name stays', async () => {
    const child = startVerification();
    await expect.poll(listLeftOvers).toHaveLength(1);
    child.kill('SIGKILL');
    await endOf(child);
    const [young = ''] = await listLeftOvers();
    const old = makeOlder(young);
    const inUse = `${old.slice(0, -1)}${old.endsWith('0') ? '1' : '0'}`;
    const foreign = 'touchstone_rehearsal_of_somebody';
    for (const name of [inUse, foreign]) await queryAt(database.url, `create database ${name}`);
    const url = new URL(database.url);
    url.pathname = `/${inUse}`;
    const user = new Client({ connectionString: url.href });
    await user.connect();
    try {
      expect((await verify(join(folder, 'whole'))).code).toBe(0);
      expect(await listLeftOvers()).toEqual([inUse, young, foreign].sort());
      // Its connections end soon after the process that had them.
      const rename = () => queryAt(database.url, `alter database ${young} rename to ${old}`);
      await expect.poll(() => rename().then(() => 'renamed', String)).toBe('renamed');
      expect((await verify(join(folder, 'whole'))).code).toBe(0);
      expect(await listLeftOvers()).toEqual([inUse, foreign].sort());
    } finally {
      await user.end();
      for (const name of await listLeftOvers()) await queryAt(database.url, `drop database ${name} with (force)`);
    }
  });
});

describe('a migration that fails', () => {
  it('is a fault of the rehearsal, which tells the rows before', async () => {
    const old = await createTestDatabase();
    const orm = await openOrm({ url: old.url, poolSize: 1 });
    await orm.migrator.up({ to: LAST_BEFORE });
    await orm.close();
    await queryAt(old.url, 'drop table scorer_versions');
    const { faults, tables, migrations } = await migrateAndCheck(old.url);
    expect(faults).toEqual([expect.stringMatching(/^a migration failed: .*scorer_versions/s)]);
    expect(migrations).toEqual([]);
    expect(tables).toContainEqual({ name: 'projects', before: 0, after: null });
    await old.drop();
  });
});

describe('a rehearsal of an upgrade', () => {
  let older: TestDatabase;
  let backups: string;

  beforeAll(async () => {
    backups = await mkdtemp(join(tmpdir(), 'touchstone-backups-'));
    older = await createTestDatabase();
    const orm = await openOrm({ url: older.url, poolSize: 2 });
    await orm.migrator.up({ to: LAST_BEFORE });
    await orm.close();
    const queues = new PgBossQueues({ url: older.url, concurrency: 1, takesJobs: false, log: silent });
    await queues.start();
    await queues.stop(0);
    await backUp('older');
    await queryAt(
      older.url,
      `insert into projects (id, name, type, type_is_default, labels, created_at, updated_at)
       values (gen_random_uuid(), 'kept', 'gen_ai', false, '[]', now(), now())`,
    );
    await backUp('newer');
  });
  afterAll(async () => {
    await older.drop();
    await rm(backups, { recursive: true });
  });

  const backUp = (name: string) => writeBackup({ url: older.url, folder: join(backups, name), version: '0.0.9', files: [] });
  const rehearse = (backup: string, signal = new AbortController().signal) =>
    rehearseUpgrade(readStoredConfig({ DATABASE_URL: older.url, LOG_LEVEL: 'error' }), backup, signal);

  it('takes the newest backup, migrates it, tells of locks and rows, and leaves nothing behind', async () => {
    const rehearsal = await rehearse(backups);
    expect(rehearsal).toMatchObject({ backup: join(backups, 'newer'), version: '0.0.9', faults: [] });
    expect(rehearsal.migrations.map(({ name }) => name)).toContain('m0030-calibrated-versions');
    expect(rehearsal.locks).toContainEqual({
      table: 'scorer_versions',
      mode: 'AccessExclusiveLock',
      blocks: 'reads and writes',
      migration: 'm0030-calibrated-versions',
      held_ms: expect.any(Number),
    });
    expect(rehearsal.tables).toContainEqual({ name: 'projects', before: 1, after: 1 });
    expect(describeRehearsal(rehearsal)).toContain('the upgrade would do');
    expect(await listLeftOvers()).toEqual([]);
  });

  it('refuses a damaged backup, and ends when it is asked to', async () => {
    await backUp('damaged');
    await writeFile(join(backups, 'damaged/tables/projects.copy.gz'), 'x');
    await expect(rehearse(join(backups, 'damaged'))).rejects.toThrow('is damaged');
    const asked = new AbortController();
    const ended = expect(rehearse(join(backups, 'newer'), asked.signal)).rejects.toThrow('asked to end');
    await expect.poll(async () => (await listLeftOvers()).length).toBe(1);
    asked.abort(new Error('asked to end'));
    await ended;
    expect(await listLeftOvers()).toEqual([]);
  });
});
