import { randomBytes } from 'node:crypto';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findBinaries } from '../../adapters/embedded-postgres/binaries.ts';
import { startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { type NewServer, startServer } from '../../adapters/embedded-postgres/new-server.ts';
import { choosePlacement, thisMachine } from '../../adapters/embedded-postgres/placement.ts';
import { ServerLog } from '../../adapters/embedded-postgres/server-log.ts';
import { type RunningServer, stopServer } from '../../adapters/embedded-postgres/server-process.ts';
import { queryAt } from './query-at.ts';
import { silent } from './silent.ts';

/** A server of the bundled PostgreSQL and a hot standby that follows it by streaming. */
export interface ReplicatedDatabase {
  /** Of the primary, as the service's own role. */
  readonly url: string;
  /** Of the standby, likewise; the same after a restart. */
  readonly replicaUrl: string;
  readonly replicaAdminUrl: string;
  /** The standby receives what is written and does not show it. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
  /** Ends both servers and removes their data. */
  close(): Promise<void>;
}

const SLOT = 'replica_of_tests';
/** Belong to one server, or to what it has not written to its data files. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|pg_replslot|\.s\.PGSQL\..*)$/;

export async function openReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const primaryFolder = await makeFolder();
  const replicaFolder = await makeFolder();
  const primary = await startEmbeddedPostgres({ dataDir: primaryFolder, log: silent, serverSettings: { fsync: 'off' } });
  const password = (await readFile(join(primaryFolder, 'postgres.password'), 'utf8')).trim();
  const wanted: NewServer = {
    ...(await choosePlacement(replicaFolder, await findBinaries(), silent, thisMachine)),
    password,
    serverLog: new ServerLog(join(replicaFolder, 'postgres.log')),
    log: silent,
    extraSettings: { fsync: 'off' },
  };
  await copyCluster(primary.adminUrl, wanted.cluster);
  let server: RunningServer | undefined = await startServer(wanted);
  const { port } = server;
  const at = (url: string): string => Object.assign(new URL(url), { port: String(port) }).href;
  const replicaAdminUrl = at(primary.adminUrl);
  const stopReplica = async (): Promise<void> => {
    if (server) await stopServer(server, wanted.binaries);
    server = undefined;
  };
  return {
    url: primary.url,
    replicaUrl: at(primary.url),
    replicaAdminUrl,
    pauseReplay: async () => void (await queryAt(replicaAdminUrl, 'select pg_wal_replay_pause()')),
    resumeReplay: async () => void (await queryAt(replicaAdminUrl, 'select pg_wal_replay_resume()')),
    stopReplica,
    startReplica: async () => {
      server = await startServer({ ...wanted, extraSettings: { ...wanted.extraSettings, port: String(port) } });
    },
    close: async () => {
      await stopReplica();
      await primary.stop();
      for (const folder of [wanted.cluster, replicaFolder, primaryFolder])
        await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-replica-'));
  // As root, the server runs as another user, who has to get through.
  await chmod(folder, 0o711);
  return folder;
}

/** A low-level base backup (PostgreSQL, "Making a Base Backup Using the Low Level API"): the package brings no pg_basebackup. */
async function copyCluster(adminUrl: string, to: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(`select pg_create_physical_replication_slot('${SLOT}', true)`);
    const { rows } = await client.query<{ folder: string }>("select current_setting('data_directory') as folder");
    const from = rows[0]!.folder;
    await client.query(`select pg_backup_start('${randomBytes(4).toString('hex')}', true)`);
    await cp(from, to, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !LEFT_OUT.test(path.slice(from.length + 1)),
    });
    const { rows: stopped } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), stopped[0]!.label);
    await writeFile(join(to, 'standby.signal'), '');
    const settings = `primary_conninfo = '${toConninfo(adminUrl)}'\nprimary_slot_name = '${SLOT}'\n`;
    await writeFile(join(to, 'postgresql.auto.conf'), settings);
    await mkdir(join(to, 'pg_replslot'), { mode: 0o700 });
    await giveAll(to, await stat(from));
  } finally {
    await client.end();
  }
}

function toConninfo(url: string): string {
  const { hostname, port, username, password } = new URL(url);
  return `host=${hostname} port=${port} user=${username} password=${password}`;
}

/** As root, what we copied is ours, and has to be the server's. */
async function giveAll(folder: string, { uid, gid }: { readonly uid: number; readonly gid: number }): Promise<void> {
  for (const path of ['.', ...(await readdir(folder, { recursive: true }))]) await chown(join(folder, path), uid, gid);
  await chmod(folder, 0o700);
}
