import { hash } from 'node:crypto';
import { findRunningServer } from '../../adapters/embedded-postgres/running-server.ts';
import { PinoLog } from '../../adapters/log/pino-log.ts';
import { S3ObjectStore } from '../../adapters/object-storage/s3-object-store.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';
import { PostgresFileContents } from '../../adapters/postgres/files/postgres-file-contents.ts';
import { PostgresFileStore } from '../../adapters/postgres/files/postgres-file-store.ts';
import type { Config } from '../../config/env.ts';
import { ShutdownSequence } from '../../config/process/shutdown-sequence.ts';
import { openServer } from '../../config/storage/database.ts';
import { type FileMove, type FileMovePlan, FileMover, type FileMoveWatch } from '../../core/files/file-mover.ts';
import { ObjectFileContents } from '../../core/files/object-file-contents.ts';

export const FILE_STORES = ['s3', 'database'] as const;
export type FileStoreKind = (typeof FILE_STORES)[number];

/** Connections: one for each file under way, one that lists, one to spare. */
const POOL_SIZE = 6;

/** Calls `work` with what moves content to a store. Throws an Error where no bucket is configured. */
async function withMover<T>(
  { fileStore, ...config }: Config,
  to: FileStoreKind,
  work: (mover: FileMover) => Promise<T>,
): Promise<T> {
  if (!fileStore.s3)
    throw new Error('no bucket is configured: FILE_BUCKET, FILE_BUCKET_ACCESS_KEY_ID and FILE_BUCKET_SECRET_ACCESS_KEY name it');
  const log = new PinoLog(config.logLevel);
  const shutdown = new ShutdownSequence(log);
  try {
    let url = config.databaseUrl ?? (await findRunningServer(config.dataDir));
    if (url === undefined) {
      const server = await openServer({ fileStore, ...config }, log);
      shutdown.add(() => server.stop());
      url = server.url;
    }
    const orm = await openOrm({ url, poolSize: POOL_SIZE });
    shutdown.add(() => orm.close(true));
    const session = new PostgresSession({ orm });
    const database = new PostgresFileContents({ session });
    const bucket = new ObjectFileContents(new S3ObjectStore(fileStore.s3));
    const mover = new FileMover({
      ...(to === 's3' ? { from: database, to: bucket } : { from: bucket, to: database }),
      fileStore: new PostgresFileStore({ session }),
      transactions: session,
      clock: () => new Date(),
      sha256: (bytes) => hash('sha256', bytes, 'hex'),
    });
    return await work(mover);
  } finally {
    await shutdown.run();
  }
}

/** Counts what is in the other store. */
export const planFileMove = (config: Config, to: FileStoreKind): Promise<FileMovePlan> =>
  withMover(config, to, (mover) => mover.plan());

/**
 * Moves content into a store. Throws an Error where services put new content into the other one: they would go on filling it, and those that
 * know one store alone could not read what was moved.
 */
export async function moveFiles(config: Config, to: FileStoreKind, watch: FileMoveWatch): Promise<FileMove> {
  if (config.fileStore.kind !== to)
    throw new Error(
      `FILE_STORE is ${config.fileStore.kind}: set it to ${to}, keep FILE_BUCKET…, and start every service with that before content is moved`,
    );
  return withMover(config, to, (mover) => mover.moveAll(watch));
}

export const describePlan = ({ files, bytes }: FileMovePlan, to: FileStoreKind): string =>
  `${files} files, ${bytes} bytes, would be moved to ${to}`;

/** Returns the lines that tell how a move ended. */
export function describeMove(move: FileMove, to: FileStoreKind): string[] {
  const { moved, moved_bytes, skipped, damaged, num_damaged, failed, failure, is_complete } = move;
  return [
    `${moved} files, ${moved_bytes} bytes, were moved to ${to}`,
    ...(skipped > 0 ? [`${skipped} were removed meanwhile, or are not kept yet`] : []),
    ...(num_damaged > 0 ? [`${num_damaged} stay where they are, since their content is not what was kept:`] : []),
    ...damaged.map(({ project_id, id }) => `  ${project_id}/${id}`),
    ...(failed > 0 ? [`${failed} could not be moved; the last: ${failure}`] : []),
    ...(is_complete ? [] : ['not all was seen: run it again, it goes on where it ended']),
  ];
}
