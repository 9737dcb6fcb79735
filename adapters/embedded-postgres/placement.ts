import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Log } from '../../core/kernel/ports.ts';
import type { Binaries } from './binaries.ts';
import { copyPrograms } from './program-copy.ts';
import { canReach, canUsePrograms } from './reachability.ts';
import { chooseServerUser, type ServerUser } from './server-user.ts';

/** Where a server's programs and data are, and whom it runs as; no user means ourselves. */
export interface Placement {
  readonly binaries: Binaries;
  readonly cluster: string;
  readonly user: ServerUser | undefined;
}

/** Facts about the machine that matter only when the process runs as root. */
export interface Machine {
  readonly passwdFile: string;
  /** For what the server's user could not reach where it is. */
  readonly sharedFolder: string;
}

export const thisMachine: Machine = { passwdFile: '/etc/passwd', sharedFolder: '/var/lib/touchstone' };

/** Says where the cluster of a data folder is that does not hold it itself. */
const POINTER = 'postgres.location';

/**
 * Usually: everything stays where it is. As root the server runs as another user, who may have no way into our
 * folders; what he cannot reach is then kept in the shared folder. `dataDir` exists and is a real path.
 */
export async function choosePlacement(dataDir: string, binaries: Binaries, log: Log, surroundings: Machine): Promise<Placement> {
  const inside = join(dataDir, 'postgres');
  const known = await computeCluster(dataDir);
  if (process.getuid?.() !== 0) return { binaries, cluster: known ?? inside, user: undefined };

  const user = (known === undefined ? undefined : ordinary(await getOwner(known))) ?? (await findUser(surroundings));
  const cluster = known ?? ((await canReach(dataDir, user)) ? inside : elsewhere(dataDir, surroundings));
  await openParent(cluster, user, surroundings);
  if (await canUsePrograms(binaries.root, user)) return { binaries, cluster, user };
  const copy = await copyPrograms(binaries, surroundings.sharedFolder);
  log.info('PostgreSQL programs are run from a copy, its user cannot reach the installed ones', { folder: copy.root });
  return { binaries: copy, cluster, user };
}

/** The cluster of a data folder, undefined when it has none yet. `dataDir` is a real path. */
export async function computeCluster(dataDir: string): Promise<string | undefined> {
  const inside = join(dataDir, 'postgres');
  return (await readPointer(dataDir)) ?? ((await getOwner(inside)) ? inside : undefined);
}

/** Called when the cluster exists. */
export async function rememberPlacement(dataDir: string, cluster: string, log: Log): Promise<void> {
  if (dirname(cluster) === dataDir) return;
  log.info('the database is kept outside the data folder, which its user cannot reach', { folder: cluster });
  if ((await readPointer(dataDir)) !== cluster)
    await writeFile(join(dataDir, POINTER), `${cluster}\n`, { mode: 0o600, flush: true });
}

/** The cluster the data folder points to. One that is missing is not replaced by an empty one in silence. */
async function readPointer(dataDir: string): Promise<string | undefined> {
  const pointer = join(dataDir, POINTER);
  const text = await readFile(pointer, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  const cluster = text?.trim();
  if (!cluster) return undefined;
  if (await getOwner(cluster)) return cluster;
  throw new Error(`the database at ${cluster} is missing; ${pointer} says it should be there`);
}

async function getOwner(path: string): Promise<ServerUser | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

function ordinary(user: ServerUser | undefined): ServerUser | undefined {
  return user && user.uid !== 0 ? { uid: user.uid, gid: user.gid } : undefined;
}

async function findUser({ passwdFile }: Machine): Promise<ServerUser> {
  const user = chooseServerUser(await readFile(passwdFile, 'utf8'));
  if (user) return user;
  throw new Error(
    'PostgreSQL does not run as root, and there is no user postgres or nobody: start as another user or set DATABASE_URL',
  );
}

function elsewhere(dataDir: string, { sharedFolder }: Machine): string {
  return join(sharedFolder, 'clusters', createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
}

async function openParent(cluster: string, user: ServerUser, { sharedFolder }: Machine): Promise<void> {
  const parent = dirname(cluster);
  if (parent.startsWith(sharedFolder)) {
    await mkdir(sharedFolder, { recursive: true, mode: 0o755 });
    await mkdir(parent, { recursive: true, mode: 0o711 });
  }
  if (!(await canReach(parent, user))) throw new Error(`user ${user.uid}, who owns the database ${cluster}, cannot reach it`);
}
