import { PinoLog } from '../../adapters/log/pino-log.ts';
import type { Config } from '../../config/env.ts';
import { makeDataDir } from '../../config/keys/credentials.ts';
import { ShutdownSequence } from '../../config/process/shutdown-sequence.ts';
import { openDatabase, openServer } from '../../config/storage/database.ts';

/** Brings the schema up to date, as a start of the service does. */
export async function migrateSchema(config: Config): Promise<void> {
  const log = new PinoLog(config.logLevel);
  const shutdown = new ShutdownSequence(log);
  try {
    await makeDataDir(config.dataDir);
    const server = await openServer(config, log);
    shutdown.add(() => server.stop());
    await openDatabase({ url: server.url, takesJobs: false, log }, async ({ orm, queues }) => {
      shutdown.add(() => orm.close(true));
      shutdown.add(() => queues.stop(0));
    });
  } finally {
    await shutdown.run();
  }
}
