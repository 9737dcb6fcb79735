import { explainFailure } from '../../adapters/postgres/database/database-failure.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';
import { PgBossQueues } from '../../adapters/postgres/jobs/pg-boss-queues.ts';
import { GroupWriter } from '../../adapters/postgres/traces/group-writer.ts';
import type { Adapters } from '../../config/cradle.ts';
import type { Config } from '../../config/env.ts';
import { withFileContents } from '../../config/wiring/file-contents.ts';
import { postgresAdapters } from '../../config/wiring/postgres.ts';
import { startTestServer, type TestServer, type TestSettings } from '../http/harness.ts';
import { copyMigratedDatabase } from './database.ts';
import { silent } from './silent.ts';
import { PATIENCE_MS } from './timing.ts';

export interface PostgresService extends TestServer {
  readonly session: PostgresSession;
}

export interface PostgresSettings extends TestSettings {
  /** Another way to the database. */
  readonly via?: (url: string) => Promise<string>;
  /** Where the content of files goes, beside the database. */
  readonly fileStore?: Pick<Config['fileStore'], 'kind' | 's3'>;
  /** Stores that are used as they are, without what stands around them for masking. */
  readonly bare?: readonly (keyof Adapters)[];
}

/** The whole service behind a real socket, on a fresh PostgreSQL database. */
export async function startPostgresService({
  via,
  bare = [],
  fileStore,
  ...settings
}: PostgresSettings = {}): Promise<PostgresService> {
  const database = await copyMigratedDatabase();
  const url = via ? await via(database.url) : database.url;
  const orm = await openOrm({ url, poolSize: 5, connectMs: PATIENCE_MS });
  const queues = new PgBossQueues({ url, concurrency: 2, log: silent });
  await queues.start();
  const groupWriter = new GroupWriter({ url, log: silent, enqueueWithin: queues.scoring.enqueueWithin });
  const stores = postgresAdapters({ orm, groupWriter, queues });
  const adapters = fileStore ? withFileContents(stores, fileStore) : stores;
  const overrides = { ...settings.overrides, ...Object.fromEntries(bare.map((name) => [name, adapters[name]])) };
  const server = await startTestServer({ explainFailure, ...settings, overrides, adapters });
  return {
    ...server,
    session: new PostgresSession({ orm }),
    close: async () => {
      await server.close();
      await groupWriter.close();
      await queues.stop(1_000);
      await orm.close(true);
      await database.drop();
    },
  };
}
