import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { endEverything, logTraces, makeDataDir, makeLogStream, newTrace, print, search, startService, until } from './service.ts';

const SIZE_MB = 72;
const TRACES = 10;
const TEXT_BYTES = 30_000;
const ROOMY_MB = 512;
const FULL_MS = 60_000;
const BACK_MS = 5_000;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

let folder: string | undefined;
let server: EmbeddedPostgres | undefined;
afterAll(async () => {
  await endEverything();
  await server?.stop();
  if (folder === undefined) return;
  execFileSync('umount', [folder]);
  await rm(folder, { recursive: true });
});

/** A file system of its own; undefined where we may not make one. */
async function smallDisk(): Promise<string | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'touchstone-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', path], { stdio: 'ignore' });
    return path;
  } catch {
    await rm(path, { recursive: true });
    return undefined;
  }
}

/** A database all of whose tables lie on that disk. The log of writes does not: when that is full the server ends. */
async function databaseOn(path: string, url: string, owner: number): Promise<string> {
  await chown(path, owner, owner);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create tablespace small location '${path}'`);
  await client.query('create database small tablespace small');
  await client.end();
  return Object.assign(new URL(url), { pathname: '/small' }).href;
}

interface Told {
  readonly acknowledged: ReadonlySet<string>;
  readonly sent: readonly string[][];
}

/** Ids that were acknowledged and are not there, and batches that are there in part. */
const missing = ({ acknowledged, sent }: Told, found: ReadonlySet<string>) => ({
  lost: [...acknowledged].filter((id) => !found.has(id)),
  torn: sent.filter((ids) => ids.some((id) => found.has(id)) && !ids.every((id) => found.has(id))),
});

describe('a disk that is full', () => {
  let end: { told: Told; found: ReadonlySet<string> } | undefined;

  it('is said by 503, reads go on, nothing is lost or half-written, and writes go on when there is room', async ({ skip }) => {
    folder = await smallDisk();
    if (folder === undefined) {
      print('P13: not tried: making a small file system takes root and its mount');
      return skip();
    }
    const dataDir = await makeDataDir();
    server = await startEmbeddedPostgres({ dataDir, log: silent });
    const { uid } = await stat(join(dataDir, 'postgres'));
    const url = await databaseOn(folder, server.url, uid);
    const service = await startService(await makeDataDir(), { DATABASE_URL: url, LOG_LEVEL: 'error' });
    const place = await makeLogStream(service);
    const told = { acknowledged: new Set<string>(), sent: [] as string[][], statuses: new Map<number, number>(), mute: 0 };
    /** Answers the status of one more batch of texts that cannot be compressed. */
    const load = async (): Promise<number> => {
      const batch = Array.from({ length: TRACES }, () => newTrace({ input: randomBytes(TEXT_BYTES).toString('base64') }));
      const { status, headers } = await logTraces(service, place, batch);
      const ids = batch.map(({ id }) => id);
      told.sent.push(ids);
      told.statuses.set(status, (told.statuses.get(status) ?? 0) + 1);
      if (status === 200) for (const id of ids) told.acknowledged.add(id);
      else if (!/^[1-9]\d*$/.test(headers.get('retry-after') ?? '')) told.mute += 1;
      return status;
    };
    await until('a full disk', FULL_MS, load, (status) => status !== 200);
    const read = await service.call('POST', `/v2/projects/${place.project_id}/traces/search`, {
      log_stream_id: place.log_stream_id,
      limit: 10,
    });
    expect(read.status).toBe(200);
    expect((await service.call('GET', '/healthz')).status).toBe(200);
    for (let time = 0; time < 5; time += 1) expect(await load()).toBe(503);

    execFileSync('mount', ['-o', `remount,size=${ROOMY_MB}m`, folder]);
    const began = performance.now();
    await until('writing again', 30_000, load, (status) => status === 200);
    const backMs = performance.now() - began;

    const found = new Set((await search(service, place, 'traces')).map(({ id }) => id));
    end = { told, found };
    const { lost, torn } = missing(told, found);
    const statuses = [...told.statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    print(
      `P13: full disk: acknowledged ${told.acknowledged.size}, found ${found.size}, lost ${lost.length}, torn batches ${torn.length}; ${statuses}; writing again after ${Math.round(backMs)} ms`,
    );
    expect(lost).toEqual([]);
    expect(torn).toEqual([]);
    expect([...told.statuses.keys()].sort()).toEqual([200, 503]);
    expect(told.mute).toBe(0);
    expect(backMs).toBeLessThan(BACK_MS);
    expect(service.run.hasEnded).toBe(false);
  });

  it('would be found out if what it refused had been acknowledged, or a batch were there in part', ({ skip }) => {
    if (!end) return skip();
    const { told, found } = end;
    expect(missing({ ...told, acknowledged: new Set(told.sent.flat()) }, found).lost).not.toEqual([]);
    const first = told.sent[0]![0]!;
    expect(missing(told, found.difference(new Set([first])))).toEqual({ lost: [first], torn: [told.sent[0]] });
  });
});
