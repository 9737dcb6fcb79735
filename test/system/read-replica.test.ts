import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEnvironment } from '../setup/compile-cache.ts';
import { queryAt } from '../setup/query-at.ts';
import { openReplicatedDatabase, type ReplicatedDatabase } from '../setup/replicated-database.ts';
import { PATIENCE_MS } from '../setup/timing.ts';
import {
  endEverything,
  logTraces,
  makeDataDir,
  makeLogStream,
  newTrace,
  type Place,
  type Service,
  startService,
  until,
} from './service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SECRETS = {
  ACCESS_TOKEN_SECRET: 'a secret of the tests that is long enough',
  SECRETS_KEY: 'a key of the tests that is long enough, too',
};

let database: ReplicatedDatabase;
let dataDir: string;
let service: Service;
let place: Place;
let env: Record<string, string>;

beforeAll(async () => {
  database = await openReplicatedDatabase();
  dataDir = await makeDataDir();
  env = {
    ...SECRETS,
    DATABASE_URL: database.url,
    DATABASE_READ_URL: database.replicaUrl,
    DATABASE_READ_MAX_STALENESS_SECONDS: '3600',
    LOG_LEVEL: 'info',
  };
  service = await startService(dataDir, env);
  place = await makeLogStream(service);
  await replicaIsRead();
});

afterAll(async () => {
  await endEverything();
  await database?.close();
});

/** Ids of the traces in an export of the log stream. */
async function exportedIds(): Promise<string[]> {
  const res = await fetch(`${service.url}/v2/projects/${place.project_id}/export_records`, {
    method: 'POST',
    headers: { 'Service-API-Key': service.key, 'content-type': 'application/json' },
    body: JSON.stringify({ log_stream_id: place.log_stream_id, root_type: 'trace', export_format: 'jsonl' }),
  });
  expect(res.status).toBe(200);
  const text = await res.text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: string }).id);
}

const staleness = async (): Promise<number> => {
  const { text } = await service.call('GET', '/metrics');
  return Number(/^touchstone_replica_staleness_seconds (\S+)$/m.exec(text)?.[1]?.replace('+Inf', 'Infinity'));
};

const holds = (what: string, ask: () => Promise<boolean>) => until(what, PATIENCE_MS, ask, (isSo) => isSo);

const replicaIsRead = () => holds('the replica is read', async () => (await staleness()) < 3_600);

/** Traces of the log stream that the roll-up by the hour counts on the primary. */
async function countedOnPrimary(): Promise<number> {
  const [row] = await queryAt<{ count: string }>(
    database.url,
    "select coalesce(sum(count), 0) as count from hourly_numbers where run_id = $1 and type = 'trace' and name = 'records'",
    [place.log_stream_id],
  );
  return Number(row!.count);
}

/** The chart of the number of traces, as the service draws it. */
async function drawn(): Promise<unknown> {
  const { status, body } = await service.call<{ aggregate_metrics: unknown }>(
    'POST',
    `/v2/projects/${place.project_id}/metrics/search`,
    {
      log_stream_id: place.log_stream_id,
      start_time: new Date(Date.now() - 3_600_000).toISOString(),
      end_time: new Date(Date.now() + 3_600_000).toISOString(),
    },
  );
  expect(status).toBe(200);
  return body.aggregate_metrics;
}

async function logged(count: number): Promise<string[]> {
  const traces = Array.from({ length: count }, () => newTrace());
  expect((await logTraces(service, place, traces)).status).toBe(200);
  return traces.map(({ id }) => id);
}

describe('a service with a streaming replica', () => {
  it('exports from the replica what it has replayed, and nothing later', async () => {
    const first = await logged(3);
    await holds('the replica shows the traces', async () => (await exportedIds()).length === 3);
    await database.pauseReplay();
    await logged(2);
    expect((await exportedIds()).sort()).toEqual([...first].sort());
    await database.resumeReplay();
    await holds('the replica shows all traces', async () => (await exportedIds()).length === 5);
  });

  it('draws trends from the replica', async () => {
    await database.pauseReplay();
    const before = await drawn();
    const counted = await countedOnPrimary();
    await logged(1);
    await holds('the primary counts the trace', async () => (await countedOnPrimary()) > counted);
    expect(await drawn()).toEqual(before);
    await database.resumeReplay();
    await holds('the chart shows the trace', async () => JSON.stringify(await drawn()) !== JSON.stringify(before));
  });

  it('finds by search what was just written, whatever the replica shows', async () => {
    await database.pauseReplay();
    const [id] = await logged(1);
    const found = await service.ask<{ id: string }>('GET', `/v2/projects/${place.project_id}/traces/${id}`);
    expect(found.id).toBe(id);
    await database.resumeReplay();
  });

  it('makes a backup from the replica that holds all that was acknowledged before', async () => {
    const all = await queryAt<{ id: string }>(database.url, 'select id from records where is_trace');
    const folder = join(await makeDataDir(), 'backup');
    await promisify(execFile)(process.execPath, ['cli/backup.ts', folder], {
      cwd: ROOT,
      env: { ...bareEnvironment(), ...env, DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    });
    const { tables } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      tables: { name: string; rows: number }[];
    };
    expect(tables.find(({ name }) => name === 'records')!.rows).toBeGreaterThanOrEqual(all.length);
  });

  it('reads from the primary when the replica is away, and from the replica once it is back', async () => {
    const before = (await exportedIds()).length;
    await database.stopReplica();
    const [id] = await logged(1);
    expect(await exportedIds()).toContain(id);
    await holds('the replica is known to be away', async () => (await staleness()) === Number.POSITIVE_INFINITY);
    await database.startReplica();
    await replicaIsRead();
    await holds('the replica shows all traces', async () => (await exportedIds()).length === before + 1);
  });
});

describe('a replica that is behind by more than it may be', () => {
  it('is not read', async () => {
    await service.stop();
    service = await startService(dataDir, { ...env, DATABASE_READ_MAX_STALENESS_SECONDS: '1' });
    await holds('the replica is followed', async () => (await staleness()) < 3);
    await database.pauseReplay();
    const [id] = await logged(1);
    await holds('the export shows what only the primary has', async () => (await exportedIds()).includes(id!));
    expect(await queryAt(database.replicaAdminUrl, 'select from records where id = $1', [id])).toEqual([]);
    await database.resumeReplay();
  });
});

describe('a server that is no replica of the database', () => {
  it('is not read, and a backup refuses it', async () => {
    await service.stop();
    const own = { ...env, DATABASE_READ_URL: database.url };
    service = await startService(dataDir, own);
    const ids = await logged(1);
    expect(await exportedIds()).toEqual(expect.arrayContaining(ids));
    expect(await staleness()).toBe(Number.POSITIVE_INFINITY);
    const backup = promisify(execFile)(process.execPath, ['cli/backup.ts', join(await makeDataDir(), 'backup')], {
      cwd: ROOT,
      env: { ...bareEnvironment(), ...own, DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    });
    await expect(backup).rejects.toMatchObject({ stderr: expect.stringContaining('is no standby of the one at DATABASE_URL') });
  });
});
