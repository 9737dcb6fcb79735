import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { GaugeSource } from '../../adapters/http/metrics.ts';
import { explainFailure } from '../../adapters/postgres/database/database-failure.ts';
import { DatabaseHeartbeat } from '../../adapters/postgres/database/database-heartbeat.ts';
import { ReadReplica } from '../../adapters/postgres/database/replica/read-replica.ts';
import { GroupWriter } from '../../adapters/postgres/traces/group-writer.ts';
import { postgresAdapters } from '../wiring/postgres.ts';
import { type Database, type DatabaseServer, openDatabase, openServer } from './database.ts';
import { JOBS_MS, type Opened, type Service, type SetUp, type Storage, type StorageContext } from './storage.ts';

/** Who asks whether the service is ready does not wait longer. */
const READY_MS = 1_000;
const REPLICA_POOL_SIZE = 5;

/** Everything in PostgreSQL: the user's own server, or one of ours as a child process. */
export async function openPostgresStorage(context: StorageContext, setUp: SetUp): Promise<Opened> {
  const { config, log } = context;
  const server = await startServer(context);
  const settings = { url: server.url, poolerUrl: config.poolerUrl, takesJobs: config.role !== 'api', log };
  const database = await openDatabase(settings, (opened) => setUpOn(opened, context, server, setUp));
  const heartbeat = watch(database, context, server);
  const storage: Storage = {
    isReady: async () => !heartbeat.failure && (await within(READY_MS, isReachable(database.orm))),
    failure: () => heartbeat.failure,
    explainFailure,
    gauges: database.replica ? [stalenessGauge(database.replica)] : [],
    onGone: (listener) => server.onGone((why) => listener(`the database server ended and cannot be started again: ${why}`)),
  };
  return { storage, service: database.service };
}

/** A server of our own is ended even when the end is asked for while it starts. */
function startServer({ config, log, shutdown }: StorageContext): Promise<DatabaseServer> {
  const opening = openServer(config, log);
  shutdown.add(() =>
    opening.then(
      (opened) => opened.stop(),
      () => undefined,
    ),
  );
  return opening;
}

interface ReadyDatabase extends Database {
  readonly groupWriter: GroupWriter;
  readonly replica: ReadReplica | undefined;
  readonly service: Service;
}

async function setUpOn(
  database: Database,
  context: StorageContext,
  { url }: DatabaseServer,
  setUp: SetUp,
): Promise<ReadyDatabase> {
  const { log, selfTracer, shutdown } = context;
  const { orm, queues, sockets } = database;
  shutdown.add(() => orm.close(true));
  shutdown.add(() => queues.stop(JOBS_MS));
  const groupWriter = new GroupWriter({
    url,
    log,
    selfTracer,
    enqueueWithin: queues.scoring.enqueueWithin,
    stream: sockets.make,
  });
  shutdown.add(() => groupWriter.close());
  const replica = openReplica(context, url, orm);
  const adapters = postgresAdapters({ orm, groupWriter, queues, reads: replica?.db });
  return { ...database, groupWriter, replica, service: await setUp(adapters) };
}

/** Undefined where no replica is configured. One that cannot be reached is no failure: it is read once it is there. */
function openReplica({ config, log, shutdown }: StorageContext, primaryUrl: string, primary: MikroORM): ReadReplica | undefined {
  if (!config.replica) return undefined;
  const replica = new ReadReplica({ ...config.replica, primaryUrl, primary, poolSize: REPLICA_POOL_SIZE, log });
  shutdown.add(() => replica.close());
  return replica;
}

const stalenessGauge = (replica: ReadReplica): GaugeSource => ({
  name: 'touchstone_replica_staleness_seconds',
  help: 'How old the data on the replica are at most; infinite while that is not known.',
  read: () => replica.stalenessMs / 1000,
});

function watch(
  { sockets, groupWriter }: ReadyDatabase,
  { log, shutdown }: StorageContext,
  { url }: DatabaseServer,
): DatabaseHeartbeat {
  const onUnresponsive = (why: Error): void => {
    sockets.cut(why);
    groupWriter.refuseWaiting(why);
  };
  const heartbeat = new DatabaseHeartbeat({ url, log, onUnresponsive });
  shutdown.add(() => heartbeat.stop());
  return heartbeat;
}

/** By a connection of the pool that requests use: a pool that has none to give is not ready either. */
const isReachable = (orm: MikroORM): Promise<boolean> =>
  orm.em
    .getConnection()
    .execute('select 1')
    .then(
      () => true,
      () => false,
    );

const within = (ms: number, reply: Promise<boolean>): Promise<boolean> => Promise.race([reply, sleep(ms, false, { ref: false })]);
