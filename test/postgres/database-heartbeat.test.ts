import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isUnavailable } from '../../adapters/postgres/database/database-failure.ts';
import { DatabaseHeartbeat } from '../../adapters/postgres/database/database-heartbeat.ts';
import { DatabaseSockets } from '../../adapters/postgres/database/database-sockets.ts';
import { blackHole } from '../setup/black-hole.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { silent as log } from '../setup/silent.ts';
import { eventually } from '../setup/timing.ts';

const KNOWN_MS = 4_000;
const pulses: DatabaseHeartbeat[] = [];
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(pulses.splice(0).map((pulse) => pulse.stop()));
});
afterAll(() => database.drop());

/** A pulse, and how often it has told of silence. */
function getHeartbeat(url: string, onUnresponsive: (why: Error) => void = () => {}) {
  const told = vi.fn(onUnresponsive);
  const pulse = new DatabaseHeartbeat({ url, log, onUnresponsive: told });
  pulses.push(pulse);
  return { pulse, told };
}

describe('a database that does not say anything any more', () => {
  it('is known within seconds, what waits for it is ended, and it is known when it is back', async () => {
    const hole = await blackHole(database.url);
    onTestFinished(() => hole.close());
    const sockets = new DatabaseSockets();
    const { pulse, told } = getHeartbeat(hole.url, (why) => sockets.cut(why));
    const client = new Client({ connectionString: hole.url, stream: sockets.make });
    client.on('error', () => {});
    await client.connect();
    await sleep(1_000);
    await eventually(() => expect(pulse.failure).toBeUndefined());

    told.mockClear();
    hole.open();
    const error: unknown = await client.query('select 1').catch((reason: unknown) => reason);
    expect(isUnavailable(error)).toBe(true);
    expect(pulse.failure).toMatchObject({ kind: 'unavailable', code: 'database_unavailable', retryAfterSeconds: 1 });
    await sleep(KNOWN_MS);
    expect(told).toHaveBeenCalledOnce();

    hole.shut();
    await eventually(() => expect(pulse.failure).toBeUndefined());
  });

  it('is told from one that refuses, about which there is nothing to wait for', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const { pulse } = getHeartbeat(`postgres://u:p@127.0.0.1:${port}/d`);
    await sleep(KNOWN_MS);
    expect(pulse.failure).toBeUndefined();
  });

  it('is told from a process that was held up itself', async () => {
    const { told } = getHeartbeat(database.url);
    // On a busy machine the database itself may be silent for so long, but not time after time.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      told.mockClear();
      await holdUp();
      if (told.mock.calls.length === 0) return;
    }
    expect.fail('silence was told each time');
  });

  async function holdUp(): Promise<void> {
    // Timers that are late fire together: from the second time on a question is under way when nothing can be heard.
    for (let time = 0; time < 3; time += 1) {
      await sleep(500);
      for (const end = Date.now() + 2_500; Date.now() < end; );
    }
    await sleep(1_000);
  }
});
