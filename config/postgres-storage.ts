import { setTimeout as sleep } from 'node:timers/promises';
import { explainFailure } from '../adapters/postgres/database/database-failure.ts';
import { DatabaseHeartbeat } from '../adapters/postgres/database/database-heartbeat.ts';
import { GroupWriter } from '../adapters/postgres/traces/group-writer.ts';
import { openDatabase, openServer } from './database.ts';
import { JOBS_MS, type SetUp, type Storage, type StorageContext } from './storage.ts';
import { postgresAdapters } from './wiring/postgres.ts';

/** Who asks whether the service is ready does not wait longer. */
const READY_MS = 1_000;

/** Everything in PostgreSQL: the user's own server, or one of ours as a child process. */
export async function openPostgresStorage({ config, log, shutdown }: StorageContext, setUp: SetUp): Promise<Storage> {
  const opening = openServer(config, log);
  shutdown.add(() =>
    opening.then(
      (opened) => opened.stop(),
      () => undefined,
    ),
  );
  const server = await opening;
  let writer: GroupWriter | undefined;
  const wanted = { url: server.url, takesJobs: config.role !== 'api', log };
  const { orm, sockets } = await openDatabase(wanted, async ({ orm, queues, sockets }) => {
    shutdown.add(() => orm.close(true));
    shutdown.add(() => queues.stop(JOBS_MS));
    const groupWriter = new GroupWriter({
      url: server.url,
      log,
      enqueueWithin: queues.scoring.enqueueWithin,
      stream: sockets.make,
    });
    writer = groupWriter;
    shutdown.add(() => groupWriter.close());
    await setUp(postgresAdapters({ orm, groupWriter, queues }));
  });
  const heartbeat = new DatabaseHeartbeat({
    url: server.url,
    log,
    onUnresponsive: (why) => {
      sockets.cut(why);
      writer?.refuseWaiting(why);
    },
  });
  shutdown.add(() => heartbeat.stop());
  return {
    isReady: async () => !heartbeat.failure && (await within(READY_MS, orm.isConnected())),
    failure: () => heartbeat.failure,
    explainFailure,
    onGone: (listener) => server.onGone((why) => listener(`the database server ended and cannot be started again: ${why}`)),
  };
}

const within = (ms: number, reply: Promise<boolean>): Promise<boolean> => Promise.race([reply, sleep(ms, false, { ref: false })]);
