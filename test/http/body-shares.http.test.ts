import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../setup/timing.ts';
import { ADMIN, startTestServer, type TestServer, type TestSettings } from './harness.ts';
import { type Person, person } from './people.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

let server: TestServer;
let project_id: string;
let log_stream_id: string;
let neighbour: Person;
const open: Socket[] = [];

async function start(settings: TestSettings = {}): Promise<void> {
  server = await startTestServer(settings);
  neighbour = await person(server);
  project_id = (await neighbour.request('POST', '/v2/projects', { name: 'Atlas' })).body.id;
  log_stream_id = (await neighbour.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'default' })).body.id;
}

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await server.close();
});

interface Sender {
  readonly key?: string;
  readonly path: string;
  readonly type?: string;
  readonly announced: number;
  readonly sent?: number;
  /** Where it comes from: each address of 127.0.0.0/8 counts as a network. */
  readonly from?: string;
}

/** Announces a body, sends the beginning of it, and nothing more. Resolves once that is written. */
async function stall({ key, path, type = 'application/json', announced, sent = 0, from = '127.0.0.1' }: Sender): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  open.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const credentials = key === undefined ? '' : `Service-API-Key: ${key}\r\n`;
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${credentials}Content-Type: ${type}\r\nContent-Length: ${announced}\r\n\r\n`;
  await new Promise((done) => socket.write(head + ' '.repeat(sent), done));
  return socket;
}

const heldBytes = async (): Promise<number> =>
  Number(/^touchstone_body_bytes_in_flight (\d+)/m.exec((await server.request('GET', '/metrics')).body)?.[1]);

/** Waits until what was sent has come: until what is held does not change any more. */
async function arrived(): Promise<void> {
  let before = 0;
  await eventually(async () => {
    const held = await heldBytes();
    const isSame = held > 0 && held === before;
    before = held;
    expect(isSame).toBe(true);
  });
}

const write = (chars: number) =>
  neighbour.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, traces: [{ input: 'x'.repeat(chars) }] });

async function readOnly(): Promise<Person> {
  return person(server, { key: { max_role: 'viewer' } });
}

describe('bodies that are announced and do not come', () => {
  it('of a key that may only read leave room for the largest body of a neighbour', async () => {
    await start();
    const { api_key: key } = await readOnly();
    for (let one = 0; one < 2; one += 1) await stall({ key, path: '/otel/traces', announced: 64 * MIB, sent: 100 });
    for (let one = 0; one < 5; one += 1)
      await stall({ key, path: `/v2/projects/${project_id}/traces`, announced: 25 * MIB, sent: 100 });
    await arrived();
    expect((await write(24 * MIB)).status).toBe(200);
  });

  it('of many users leave room for the largest body of a neighbour', async () => {
    await start();
    for (let user = 0; user < 8; user += 1) {
      const { api_key: key } = await readOnly();
      await stall({ key, path: `/v2/projects/${project_id}/traces`, announced: 25 * MIB, sent: 100 });
    }
    await arrived();
    expect((await write(24 * MIB)).status).toBe(200);
  });

  it('as forms with a file leave room for a neighbour', async () => {
    await start();
    const { api_key: key } = await readOnly();
    const type = 'multipart/form-data; boundary=b';
    for (let one = 0; one < 5; one += 1)
      await stall({ key, path: `/v2/projects/${project_id}/upload_file`, type, announced: 25 * MIB, sent: 100 });
    await arrived();
    expect((await write(24 * MIB)).status).toBe(200);
  });

  it('of nobody who is known leave room for a neighbour and for whoever logs in', async () => {
    await start({ maxBytesInFlight: 16 * MIB });
    await Promise.all(Array.from({ length: 300 }, () => stall({ path: '/v2/login/social', announced: 64 * KIB, sent: 100 })));
    await arrived();
    expect((await write(7 * MIB)).status).toBe(200);
    expect((await server.request('POST', '/v2/login/api_key', { api_key: ADMIN.api_key })).status).toBe(200);
  });
});

describe('bodies that stop just before their end', () => {
  const BODY = 256 * KIB;
  const TOTAL = 4 * MIB;

  it('of one user hold no more than half of the room, so that a neighbour of the same network has some', async () => {
    await start({ maxBodyBytes: BODY, maxBytesInFlight: TOTAL });
    const { api_key: key } = await readOnly();
    for (let one = 0; one < 20; one += 1)
      await stall({ key, path: `/v2/projects/${project_id}/traces`, announced: BODY, sent: BODY - 1 });
    await eventually(async () => expect(await heldBytes()).toBeGreaterThan(TOTAL / 2 - BODY));
    expect(await heldBytes()).toBeLessThanOrEqual(TOTAL / 2);
    expect((await write(BODY - KIB)).status).toBe(200);
  });

  it('of many users of one network leave room for a neighbour of another network', async () => {
    await start({ maxBodyBytes: BODY, maxBytesInFlight: TOTAL });
    for (let user = 0; user < 12; user += 1) {
      const { api_key: key } = await readOnly();
      for (let one = 0; one < 4; one += 1)
        await stall({
          key,
          path: `/v2/projects/${project_id}/traces`,
          announced: BODY,
          sent: BODY - 1,
          from: '127.0.0.2',
        });
    }
    await eventually(async () => expect(await heldBytes()).toBeGreaterThan(TOTAL / 2));
    expect((await write(BODY - KIB)).status).toBe(200);
  });

  it('of nobody who is known leave room for a neighbour and for whoever logs in from the same network', async () => {
    await start({ maxBodyBytes: BODY, maxBytesInFlight: TOTAL });
    for (let one = 0; one < 200; one += 1) await stall({ path: '/v2/login/social', announced: 64 * KIB, sent: 64 * KIB - 1 });
    expect((await write(BODY - KIB)).status).toBe(200);
    expect((await server.request('POST', '/v2/login/api_key', { api_key: ADMIN.api_key })).status).toBe(200);
    expect(await heldBytes()).toBeLessThanOrEqual(TOTAL / 16);
  });
});

describe('files that are sent to the disk and stop', () => {
  it('of one user leave a place for a neighbour', async () => {
    await start();
    const { api_key: key } = await readOnly();
    for (let one = 0; one < 20; one += 1)
      await stall({ key, path: '/v2/datasets', type: 'multipart/form-data; boundary=b', announced: 1_000, sent: 100 });
    const raw = new FormData();
    raw.append('file', new Blob(['input\nhello\n']), 'rows.csv');
    const headers = { 'service-api-key': neighbour.api_key };
    const { status } = await server.request('POST', '/v2/datasets?format=csv', undefined, { headers, raw });
    expect(status).toBe(200);
  });
});

describe('a sender who falls silent', () => {
  const slowBodyLimits = { tickMs: 20, windowTicks: 10, minBytes: 10 };

  /** Reads the reply until the connection ends. */
  async function toReply(socket: Socket): Promise<string> {
    const parts = await socket.toArray();
    return Buffer.concat(parts as Buffer[]).toString();
  }

  it.each([
    ['JSON', () => `/v2/projects/${project_id}/traces`, 'application/json'],
    ['a login', () => '/v2/login/api_key', 'application/json'],
    ['a form in memory', () => `/v2/projects/${project_id}/upload_file`, 'multipart/form-data; boundary=b'],
    ['a form for the disk', () => '/v2/datasets', 'multipart/form-data; boundary=b'],
    ['traces by OpenTelemetry', () => '/v1/traces', 'application/json'],
  ])('in the middle of %s is told so, cut off, and forgotten', async (_what, path, type) => {
    await start({ slowBodyLimits });
    const socket = await stall({ key: neighbour.api_key, path: path(), type, announced: 1_000, sent: 100 });
    const reply = await toReply(socket);
    expect(reply).toMatch(/^HTTP\/1\.1 408 .*\r\n/);
    expect(reply.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(await heldBytes()).toBe(0);
  });

  it('after being refused keeps no connection either', async () => {
    await start({ slowBodyLimits });
    const socket = await stall({ key: 'wrong', path: '/v2/projects', announced: 1_000, sent: 100 });
    expect(await toReply(socket)).toMatch(/^HTTP\/1\.1 401 /);
  });
});
