import { AsyncWorkContext } from '../adapters/log/async-work-context.ts';
import { PinoLog } from '../adapters/log/pino-log.ts';
import { bringUp } from './bring-up.ts';
import { readConfig } from './env.ts';
import { ShutdownSequence } from './process/shutdown-sequence.ts';
import { StrayFailures } from './process/stray-failures.ts';

try {
  await start();
} catch (error) {
  console.error(`touchstone cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

/** Starts the service, which ends on a signal, on a crash, or because it cannot start; in good order in each case. */
async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = new PinoLog(config.logLevel);
  const context = new AsyncWorkContext();
  const shutdown = new ShutdownSequence(log);
  const crash = (why: string): void => void endAfterCrash(why, shutdown);
  const strayFailures = new StrayFailures({ log, context, crash });
  endOnSignals(shutdown);
  strayFailures.watch(process);
  try {
    await bringUp({ config, log, context, shutdown, strayFailures, crash });
  } catch (error) {
    const asked = shutdown.hasBegun;
    await shutdown.run();
    // Whoever asked for the end ends the process; what failed here failed because of it.
    if (!asked) throw error;
  }
}

function endOnSignals(shutdown: ShutdownSequence): void {
  let asked = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(1);
      asked = true;
      void shutdown.run().then(() => process.exit(0));
    });
  }
}

async function endAfterCrash(why: string, shutdown: ShutdownSequence): Promise<void> {
  console.error(`touchstone ends: ${why}`);
  await shutdown.run();
  process.exit(1);
}
