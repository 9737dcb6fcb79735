import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/kernel/ports.ts';
import type { Placement } from './placement.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { type Answer, askServer } from './server-connection.ts';
import type { ServerLog } from './server-log.ts';
import { type RunningServer, type ServerProcess, spawnServer, stopServer } from './server-process.ts';
import { serverSettings } from './server-settings.ts';

export interface NewServer extends Placement {
  readonly password: string;
  readonly serverLog: ServerLog;
  readonly log: Log;
  readonly extraSettings: Readonly<Record<string, string>>;
}

const MOST_PORTS = 5;
const SILENCE_MILLIS = 30_000;
const RECOVERY_MILLIS = 600_000;
const REPORT_EVERY_MILLIS = 10_000;

/** Starts a server and resolves when it returns a query. */
export async function startServer(wanted: NewServer): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = Number(wanted.extraSettings.port ?? (await findFreePort()));
    const settings = { ...serverSettings(wanted.cluster, port), ...wanted.extraSettings };
    const server = await spawnServer({ ...wanted, settings });
    try {
      await becomesReady(wanted, server, port);
      return { ...server, port };
    } catch (error) {
      const died = server.ended() !== undefined;
      await stopServer(server, wanted.binaries);
      // Somebody took the port between our look and the server's.
      const portTaken = died && !(await isPortFree(port));
      if (!portTaken || attempt === MOST_PORTS || wanted.extraSettings.port !== undefined) throw error;
    }
  }
}

async function becomesReady(wanted: NewServer, server: ServerProcess, port: number): Promise<void> {
  const startedAt = Date.now();
  let reported = 0;
  for (let wait = 5; ; wait = Math.min(wait * 1.5, 100)) {
    const answer = await ask(wanted, server, port);
    const waited = Date.now() - startedAt;
    const problem = toProblem(answer, server, waited);
    if (problem) throw await startProblem(wanted, problem);
    if (answer === 'ready') return;
    if (waited > reported + REPORT_EVERY_MILLIS) {
      reported = waited;
      wanted.log.info('the database server is still starting', { seconds: Math.round(waited / 1000) });
    }
    await sleep(wait);
  }
}

/** Only when the server says it listens: until then another program may have the port, and is not asked. */
async function ask({ cluster, password }: NewServer, server: ServerProcess, port: number): Promise<Answer> {
  const file = await readPostmasterFile(cluster);
  return file?.pid === server.pid && file.port === port ? askServer({ port, password }, cluster) : 'silent';
}

function toProblem(answer: Answer, server: ServerProcess, waited: number): string | undefined {
  const why = server.ended();
  if (why !== undefined) return why;
  if (answer === 'foreign') return 'refuses the password kept in the data folder';
  return waited > (answer === 'starting' ? RECOVERY_MILLIS : SILENCE_MILLIS) ? 'does not answer' : undefined;
}

async function startProblem({ serverLog }: NewServer, problem: string): Promise<Error> {
  return new Error(`PostgreSQL did not start, it ${problem}; its log ${serverLog.path} ends: ${await serverLog.lastLines()}`);
}

/** A port nobody listens on just now. Somebody may take it before we do, so the caller asks again when that happens. */
async function findFreePort(): Promise<number> {
  return listenOnce(0);
}

async function isPortFree(port: number): Promise<boolean> {
  return listenOnce(port).then(
    () => true,
    () => false,
  );
}

async function listenOnce(port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once('error', reject);
  server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
    const address = server.address();
    server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
  });
  return promise;
}
