import { PinoLog } from '../adapters/log/pino-log.ts';
import { readStoredConfig } from '../config/env.ts';
import { makeDataDir } from '../config/keys/credentials.ts';
import { ShutdownSequence } from '../config/process/shutdown-sequence.ts';
import { openDatabase, openServer } from '../config/storage/database.ts';

/** Brings the schema up to date and ends: for those who migrate before they start the new version. */
try {
  const config = readStoredConfig(process.env);
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
    console.log('the schema is up to date');
  } finally {
    await shutdown.run();
  }
} catch (error) {
  console.error(`touchstone cannot migrate: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
