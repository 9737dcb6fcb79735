import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PgBossQueues } from '../../adapters/postgres/jobs/pg-boss-queues.ts';
import { allowDatabases } from './allow-databases.ts';
import { queryAt } from './query-at.ts';
import { silent } from './silent.ts';
import { PATIENCE_MS } from './timing.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A role that may create databases, on the server of this run. */
    adminDatabaseUrl: string;
    /** A database there that has the schema of the service and its queues, to be copied. Nobody is connected to it. */
    migratedTemplate: string;
  }
}

const PREFIX = 'touchstone-test-';

interface TestServer {
  readonly name: string;
  readonly url: string;
  stop(): Promise<void>;
}

/** Finds or starts the one PostgreSQL that all tests of a run share; each test file creates its own database there. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = given() ?? (await container()) ?? (await embedded());
  process.stdout.write(`PostgreSQL for tests: ${server.name}\n`);
  project.provide('adminDatabaseUrl', server.url);
  const template = `template_${randomBytes(8).toString('hex')}`;
  await setUp(server.url, template);
  project.provide('migratedTemplate', template);
  return async () => {
    await queryAt(server.url, `drop database if exists ${template}`);
    await server.stop();
  };
}

/** Setting up takes as long as many a test file. */
async function setUp(serverUrl: string, name: string): Promise<void> {
  await queryAt(serverUrl, `create database ${name}`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const orm = await openOrm({ url, poolSize: 1, connectMs: PATIENCE_MS });
  await orm.migrator.up();
  await orm.close(true);
  const queues = new PgBossQueues({ url, concurrency: 1, log: silent });
  await queues.start();
  await queues.stop(0);
}

function given(): TestServer | undefined {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) return undefined;
  return { name: `TEST_DATABASE_URL (${new URL(url).host})`, url, stop: async () => undefined };
}

async function container(): Promise<TestServer | undefined> {
  const image = process.env.TEST_POSTGRES_IMAGE;
  if (!image) return undefined;
  // Loaded only here, since it is large.
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  const engine = await getContainerRuntimeClient().catch(() => undefined);
  if (!engine) {
    process.stdout.write('TEST_POSTGRES_IMAGE is set, but no Docker engine responds\n');
    return undefined;
  }
  const password = 'test';
  const started = await new GenericContainer(image)
    .withEnvironment({ POSTGRES_PASSWORD: password })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=200'])
    .withTmpFs({ '/var/lib/postgresql': 'rw' })
    .withExposedPorts(5432)
    // The image starts a first server to initialise itself; the second line is the real one.
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start();
  const url = `postgres://postgres:${password}@${started.getHost()}:${started.getMappedPort(5432)}/postgres`;
  return { name: `container of ${image}`, url, stop: async () => void (await started.stop()) };
}

async function embedded(): Promise<TestServer> {
  await removeLeftovers();
  const dataDir = await mkdtemp(join(tmpdir(), PREFIX));
  // As root, the server runs as another user, who has to get through this folder.
  await chmod(dataDir, 0o711);
  const server = await startEmbeddedPostgres({
    dataDir,
    log: silent,
    serverSettings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' },
  });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  await allowDatabases(server);
  return { name: 'embedded', url: server.url, stop };
}

/** A run that was killed leaves its server behind. Whoever still uses one holds its lock, and is left alone. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const dataDir = join(tmpdir(), name);
    if (!name.startsWith(PREFIX) || !(await isOldFolderOfOurs(dataDir))) continue;
    try {
      const left = await startEmbeddedPostgres({ dataDir, log: silent });
      await left.stop();
      await rm(dataDir, { recursive: true, force: true });
    } catch {
      // In use, or beyond repair; neither is this run's business.
    }
  }
}

/** Young ones may be about to be locked. */
async function isOldFolderOfOurs(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  return found !== undefined && found.uid === process.getuid?.() && found.mtimeMs < Date.now() - 60_000;
}
