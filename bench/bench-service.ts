import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../adapters/embedded-postgres/embedded-postgres.ts';
import { SERVICE_ROLE } from '../adapters/embedded-postgres/service-role.ts';
import type { Log } from '../core/kernel/ports.ts';
import { Api } from './api.ts';
import { Load } from './load.ts';
import type { LoadJob, LoadReport } from './load-job.ts';
import { Service } from './service.ts';

export const ADMIN_API_KEY = 'key-of-the-benchmark-1';

export const log: Log = { info: () => {}, warn: console.warn, error: console.error };

/** A folder of its own, removed in the end. The database server, which may run as another user, may pass through. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'));
  try {
    await chmod(folder, 0o711);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Everything that ingest and reading are measured on: a database, the service on it, a project, a sender. */
export interface BenchService {
  /** Where the service replies. */
  readonly url: string;
  readonly databaseUrl: string;
  /** A connection of our own to the database. */
  readonly client: Client;
  readonly api: Api;
  readonly projectId: string;
  readonly logStreamId: string;
  /** Sends new traces to the log stream until the time is up. */
  send(job: Partial<LoadJob> & Pick<LoadJob, 'tracesPerRequest' | 'connections' | 'forMs'>): Promise<LoadReport>;
}

/**
 * The database is the service's embedded one with its default, durable settings. It is started here and not by the
 * service only so that it can be reached by others too.
 */
export async function withBenchService<T>(
  work: (benchService: BenchService) => Promise<T>,
  { root, environment = {} }: { root?: string; environment?: Readonly<Record<string, string>> } = {},
): Promise<T> {
  return withFolder(async (dataDir) => {
    const server = await startEmbeddedPostgres({ dataDir, log });
    await allowCheckpoints(server.adminUrl);
    const load = new Load();
    const client = new Client({ connectionString: server.url });
    let service: Service | undefined;
    try {
      service = await Service.start({ DATA_DIR: dataDir, DATABASE_URL: server.url, ADMIN_API_KEY, ...environment }, root);
      await client.connect();
      return await work(await openBenchService(service.url, server.url, client, load));
    } finally {
      load.stop();
      await service?.stop();
      await client.end().catch(() => {});
      await server.stop();
    }
  });
}

async function openBenchService(url: string, databaseUrl: string, client: Client, load: Load): Promise<BenchService> {
  const api = new Api(url, ADMIN_API_KEY);
  const { id: projectId } = await api.post('/projects', { name: `bench ${Date.now()}` });
  const { id: logStreamId } = await api.post(`/projects/${projectId}/log_streams`, { name: 'bench' });
  const fixed = {
    url,
    path: `/v2/projects/${projectId}/traces`,
    apiKey: ADMIN_API_KEY,
    logStreamId: String(logStreamId),
    repeats: 0,
  };
  return {
    url,
    databaseUrl,
    client,
    api,
    projectId: String(projectId),
    logStreamId: String(logStreamId),
    send: (job) => load.run({ ...fixed, ...job }),
  };
}

/** Measurements begin with a checkpoint, which the service itself has neither need of nor right to. */
async function allowCheckpoints(adminUrl: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`grant pg_checkpoint to ${SERVICE_ROLE}`);
  await admin.end();
}
