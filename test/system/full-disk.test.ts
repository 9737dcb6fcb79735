import { randomBytes } from 'node:crypto';
import { chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { SERVICE_ROLE } from '../../adapters/embedded-postgres/service-role.ts';
import { silent } from '../setup/silent.ts';
import { expectWithin, PATIENCE_MS } from '../setup/timing.ts';
import {
  endEverything,
  logTraces,
  makeDataDir,
  makeLogStream,
  newTrace,
  type Place,
  print,
  type Service,
  search,
  startService,
  until,
} from './service.ts';
import { type SmallDisk, smallDisk } from './small-disk.ts';

const TRACES = 10;
const TEXT_BYTES = 30_000;
const ROOMY_MB = 2_048;
/** A full disk has room again for a moment whenever the database tidies up. */
const REFUSALS = 6;
const BACK_MS = 5_000;

let disk: SmallDisk | undefined;
let server: EmbeddedPostgres | undefined;
afterEach(async () => {
  await endEverything();
  await server?.stop();
  await disk?.remove();
  [disk, server] = [undefined, undefined];
});

interface Told {
  readonly acknowledged: ReadonlySet<string>;
  readonly sent: readonly string[][];
}

/** Ids that were acknowledged and are not there, and batches that are there in part. */
const missing = ({ acknowledged, sent }: Told, found: ReadonlySet<string>) => ({
  lost: [...acknowledged].filter((id) => !found.has(id)),
  torn: sent.filter((ids) => ids.some((id) => found.has(id)) && !ids.every((id) => found.has(id))),
});

/** Batches of texts that cannot be compressed, and what came of them. */
class Filler {
  readonly acknowledged = new Set<string>();
  readonly sent: string[][] = [];
  readonly statuses = new Map<number, number>();
  /** Refusals that do not say when to come again. */
  readonly mute: string[] = [];
  readonly #service: Service;
  readonly #place: Place;

  constructor(service: Service, place: Place) {
    this.#service = service;
    this.#place = place;
  }

  /** Sends one more batch, and resolves to the status of the answer. */
  readonly send = async (): Promise<number> => {
    const batch = Array.from({ length: TRACES }, () => newTrace({ input: randomBytes(TEXT_BYTES).toString('base64') }));
    const { status, headers, text } = await logTraces(this.#service, this.#place, batch);
    const ids = batch.map(({ id }) => id);
    this.sent.push(ids);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 200) for (const id of ids) this.acknowledged.add(id);
    else if (!/^[1-9]\d*$/.test(headers.get('retry-after') ?? '')) this.mute.push(`${status} ${text.slice(0, 300)}`);
    return status;
  };

  get refusals(): number {
    return this.sent.length - (this.statuses.get(200) ?? 0);
  }

  /** Sends until this many batches have been refused in all. */
  async fill(refusals: number): Promise<void> {
    const refused = async (): Promise<number> => {
      await this.send();
      return this.refusals;
    };
    await until('a full disk', PATIENCE_MS, refused, (count) => count >= refusals);
  }

  async found(): Promise<Set<string>> {
    return new Set((await search(this.#service, this.#place, 'traces')).map(({ id }) => id));
  }

  /** Prints what is there and expects all of it to be, whole. Returns the ids. */
  async settle(what: string, backMs: number): Promise<ReadonlySet<string>> {
    const found = await this.found();
    const { lost, torn } = missing(this, found);
    const statuses = [...this.statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    print(
      `P13: ${what}: acknowledged ${this.acknowledged.size}, found ${found.size}, lost ${lost.length}, torn batches ${torn.length}; ${statuses}; writing again after ${Math.round(backMs)} ms`,
    );
    expect({ lost, torn }).toEqual({ lost: [], torn: [] });
    expect([...this.statuses.keys()].sort()).toEqual([200, 503]);
    expect(this.mute).toEqual([]);
    return found;
  }
}

/** Resolves to how long it took, in milliseconds, until writes are taken again once there is room. */
async function growAndWrite(filler: Filler): Promise<number> {
  disk!.grow(ROOMY_MB);
  const began = performance.now();
  await until('writing again', PATIENCE_MS, filler.send, (status) => status === 200);
  return performance.now() - began;
}

/** Whether there is a small disk to fill; says so where there is none. */
async function hasDisk(megabytes: number): Promise<boolean> {
  disk = await smallDisk(megabytes);
  if (!disk) print('P13: not tried: making a small file system takes root and its mount');
  return disk !== undefined;
}

/** A database all of whose tables lie on the small disk. Its log of writes does not. */
async function databaseOn(path: string, { url, adminUrl }: EmbeddedPostgres, owner: number): Promise<string> {
  await chown(path, owner, owner);
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`create tablespace small location '${path}'`);
  await client.query(`create database small owner ${SERVICE_ROLE} tablespace small`);
  await client.end();
  return Object.assign(new URL(url), { pathname: '/small' }).href;
}

describe('a disk that is full', () => {
  let end: { told: Told; found: ReadonlySet<string> } | undefined;

  it('is said by 503, reads go on, nothing is lost or half-written, and writes go on when there is room', async ({ skip }) => {
    if (!(await hasDisk(72))) return skip();
    const dataDir = await makeDataDir();
    server = await startEmbeddedPostgres({ dataDir, log: silent });
    const { uid } = await stat(join(dataDir, 'postgres'));
    const url = await databaseOn(disk!.path, server, uid);
    const service = await startService(await makeDataDir(), { DATABASE_URL: url, LOG_LEVEL: 'error' });
    const place = await makeLogStream(service);
    const filler = new Filler(service, place);
    await filler.fill(1);
    const read = await service.call('POST', `/v2/projects/${place.project_id}/traces/search`, {
      log_stream_id: place.log_stream_id,
      limit: 10,
    });
    expect(read.status).toBe(200);
    expect((await service.call('GET', '/healthz')).status).toBe(200);
    await filler.fill(REFUSALS);
    const backMs = await growAndWrite(filler);
    end = { told: filler, found: await filler.settle('full disk under the tables', backMs) };
    expectWithin(BACK_MS, backMs);
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

describe('a disk that is full under everything, the log of writes and our own files as well', () => {
  const FULL_FOR_MS = Number(process.env.FULL_FOR_MS ?? 5_000);

  it('is said by 503 for as long as it is full, nothing is lost, and all goes on when there is room', async ({ skip }) => {
    if (!(await hasDisk(224))) return skip();
    const service = await startService(await makeDataDir(disk!.path), { LOG_LEVEL: 'error' });
    const filler = new Filler(service, await makeLogStream(service));
    await filler.fill(1);
    for (const began = performance.now(); performance.now() - began < FULL_FOR_MS; await sleep(500)) {
      await filler.send();
      expect((await service.call('GET', '/healthz')).status).toBe(200);
    }
    const backMs = await growAndWrite(filler);
    await filler.settle(`full disk under everything for ${FULL_FOR_MS} ms`, backMs);
    expectWithin(BACK_MS, backMs);
    expect(service.run.hasEnded).toBe(false);
  });
});
