import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Binaries, majorVersion } from './binaries.ts';
import { ADMIN_ROLE } from './server-connection.ts';
import { asUser } from './server-process.ts';
import type { ServerUser } from './server-user.ts';

export interface NewCluster {
  readonly cluster: string;
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly password: string;
  /** false: do not wait for the disk. Only for data that nobody will miss. */
  readonly sync: boolean;
}

/** Creates the cluster where there is none. The caller holds the folder's lock. Resolves to whether it was created. */
export async function ensureCluster(wanted: NewCluster): Promise<boolean> {
  await removeLeftovers(wanted.cluster);
  if (await hasCluster(wanted.cluster, majorVersion(wanted.binaries.version))) return false;
  // Built beside its place and moved there when complete: a kill in the middle leaves nothing that looks like a cluster.
  const workshop = `${wanted.cluster}.tmp-${process.pid}`;
  await mkdir(workshop, { mode: 0o700 });
  try {
    await runInitdb(wanted, workshop);
    await rename(join(workshop, 'cluster'), wanted.cluster);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  return true;
}

async function runInitdb({ binaries, user, password, sync }: NewCluster, workshop: string): Promise<void> {
  const passwordFile = join(workshop, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  // The folder last: until then nobody else gets at what is in it.
  if (user) for (const path of [passwordFile, workshop]) await giveTo(user, path);
  const args = [
    '-D',
    join(workshop, 'cluster'),
    '-U',
    ADMIN_ROLE,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
  ];
  // Sorts and compares by code point on every machine, so no index depends on the system's C library.
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  if (!sync) args.push('--no-sync');
  const options = { cwd: binaries.root, env: { LC_ALL: 'C' }, windowsHide: true, ...asUser(user) };
  try {
    await promisify(execFile)(binaries.initdb, args, options);
  } catch (cause) {
    throw new Error(`the database could not be created: ${toComplaint(cause)}`, { cause });
  }
}

async function giveTo(user: ServerUser, path: string): Promise<void> {
  await chown(path, user.uid, user.gid).catch((cause: unknown) => {
    throw new Error(
      `PostgreSQL does not run as root, and ${path} cannot be given to user ${user.uid} (no right to change owners)`,
      {
        cause,
      },
    );
  });
}

function toComplaint(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return stderr ? stderr.split('\n').join(' | ') : error.message;
}

/** Rejects when the folder holds something else, or a cluster of another major version. */
async function hasCluster(cluster: string, major: string): Promise<boolean> {
  const found = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (found === undefined) {
    if ((await listFolder(cluster)).length > 0) throw new Error(`${cluster} exists but holds no PostgreSQL cluster`);
    await rm(cluster, { recursive: true, force: true });
    return false;
  }
  if (found.trim() === major) return true;
  throw new Error(
    `${cluster} was made by PostgreSQL ${found.trim()}, the bundled one is ${major}: dump it with ${found.trim()} and load it again`,
  );
}

/** Only the holder of the lock creates such folders, so any that is there was left by a process that died. */
async function removeLeftovers(cluster: string): Promise<void> {
  const parent = dirname(cluster);
  const leftovers = (await listFolder(parent)).filter((name) => name.startsWith(`${basename(cluster)}.tmp-`));
  for (const name of leftovers) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 });
}

async function listFolder(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
