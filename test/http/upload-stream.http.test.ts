import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { route } from '../../adapters/http/route.ts';
import { eventually } from '../setup/timing.ts';
import { ADMIN, startTestServer, type TestServer } from './harness.ts';

const LIMIT = 1024 * 1024;
const seen: { handled: number; peak: number } = { handled: 0, peak: 0 };

/** Says what came in, and whether it was the same when it was read from its end to its beginning. */
const echo = route({
  method: 'post',
  path: '/v2/test/upload',
  operationId: 'testUpload',
  summary: 'Take a file in.',
  tag: 'test',
  bodyFormat: 'multipart_stream',
  maxBodyBytes: LIMIT,
  body: z.record(z.string(), z.unknown()),
  response: z.record(z.string(), z.unknown()),
  handle: async ({ body, upload }) => {
    seen.handled += 1;
    if (!upload) return { fields: body, file: null };
    let sum = 0;
    for await (const chunk of upload.file.chunks()) for (const byte of chunk) sum += byte;
    const end = await upload.file.read(upload.file.size - 4, upload.file.size + 100);
    return {
      fields: body,
      file: { name: upload.filename, type: upload.content_type, size: upload.file.size, sum, end: Buffer.from(end).toString() },
    };
  },
});

let server: TestServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  server = await startTestServer({ uploadFolder: folder, mounted: (routes) => [...routes, echo] });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const form = (...parts: readonly (readonly [string, string | Blob, string?])[]): FormData => {
  const data = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, filename ?? 'rows.csv');
  }
  return data;
};
const send = (raw: FormData) => server.request('POST', '/v2/test/upload', undefined, { raw });
const blob = (size: number): Blob => new Blob(['x'.repeat(size - 4), 'end.']);

/** Sends a raw body, and returns the status, or undefined when the connection ended without one. */
async function sendRaw(body: string, length = Buffer.byteLength(body), hangUp = false): Promise<number | undefined> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const head = `POST /v2/test/upload HTTP/1.1\r\nHost: x\r\nService-API-Key: ${ADMIN.api_key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
  const written = new Promise((resolve) => socket.write(head + body, resolve));
  if (hangUp) {
    await written;
    socket.destroy();
    return undefined;
  }
  let text = '';
  for await (const chunk of socket) text += chunk;
  return Number(text.split(' ')[1]);
}

describe('a multipart body with a large file', () => {
  it('brings its fields and its file, in any order', async () => {
    for (const parts of [
      [
        ['name', 'd1'],
        ['file', blob(200_000), 'd1'],
        ['draft', 'true'],
      ],
      [
        ['file', blob(200_000), 'd1'],
        ['name', 'd1'],
        ['draft', 'true'],
      ],
    ] as const) {
      const { status, body } = await send(form(...parts));
      expect(status).toBe(200);
      expect(body.fields).toEqual({ name: 'd1', draft: 'true' });
      expect(body.file).toEqual({
        name: 'd1',
        type: 'application/octet-stream',
        size: 200_000,
        sum: 199_996 * 120 + 357,
        end: 'end.',
      });
    }
  });

  it('may come without a file, and with a field several times', async () => {
    const { body } = await send(form(['tag', 'a'], ['tag', 'b'], ['tag', 'c']));
    expect(body).toEqual({ fields: { tag: ['a', 'b', 'c'] }, file: null });
  });

  it('leaves nothing on disk', async () => {
    await send(form(['file', blob(100_000)]));
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken up to the limit, and refused above it whether its length was told or not', async () => {
    expect((await send(form(['file', blob(LIMIT)]))).status).toBe(200);
    const told = await send(form(['file', blob(LIMIT + 1)]));
    expect([told.status, told.body.code]).toEqual([413, 'file_too_large']);
    const announced = await send(form(['file', blob(30 * LIMIT)]));
    expect([announced.status, announced.body.code]).toEqual([413, 'file_too_large']);
  });

  it.each([
    ['another name for the file', form(['upload', blob(10)])],
    ['two files', form(['file', blob(10)], ['file', blob(10)])],
    ['a bracketed field', form(['a[999999999]', 'x'])],
    ['a field __proto__', form(['__proto__', 'x'])],
    ['a long name', form(['x'.repeat(200), 'x'])],
    ['a long field', form(['name', 'x'.repeat(LIMIT + 10)])],
    ['many fields', form(...Array.from({ length: 30 }, (_, index) => [`f${index}`, 'x'] as const))],
  ])('is refused for %s', async (_, body) => {
    const before = seen.handled;
    const { status, body: reply } = await send(body);
    expect([status, reply.code]).toEqual([422, 'multipart_invalid']);
    expect(seen.handled).toBe(before);
  });

  it.each([
    ['that breaks off in the file', '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nabc'],
    ['that breaks off in a header', '--b\r\nContent-Disposition: form-'],
    ['without any part', 'nothing'],
    ['of nothing', ''],
  ])('is refused as a body %s', async (_, body) => {
    expect(await sendRaw(body)).toBe(422);
  });

  it('has to be multipart, with a boundary, and not compressed', async () => {
    const post = (type: string, more: Record<string, string> = {}) =>
      server.request('POST', '/v2/test/upload', undefined, { raw: 'x', headers: { 'content-type': type, ...more } });
    expect((await post('application/json')).status).toBe(415);
    expect((await post('multipart/form-data')).body.code).toBe('multipart_invalid');
    expect((await post('multipart/form-data; boundary=b', { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('is forgotten when the sender goes away', async () => {
    const before = seen.handled;
    const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${'x'.repeat(300_000)}`;
    for (let turn = 0; turn < 20; turn += 1) await sendRaw(part, 900_000, true);
    await eventually(async () => expect(await readdir(folder)).toEqual([]));
    // Were they still counted as under way, there would be no room for another.
    await eventually(async () => expect((await send(form(['file', blob(1000)]))).status).toBe(200));
    expect(seen.handled).toBe(before + 1);
    await eventually(async () => expect(await readdir(folder)).toEqual([]));
  });

  it('waits its turn no longer than there is room', async () => {
    const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n`;
    const { hostname, port } = new URL(server.url);
    const head = `POST /v2/test/upload HTTP/1.1\r\nHost: x\r\nService-API-Key: ${ADMIN.api_key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n`;
    const open: Socket[] = [];
    const hold = (): void => {
      open.push(connect(Number(port), hostname).on('error', () => {}));
      open.at(-1)!.write(head + part);
    };
    for (let one = 0; one < 16; one += 1) hold();
    await eventually(async () => {
      // The last try may have had the place of one of them.
      hold();
      const { status, body, headers } = await send(form(['file', blob(1000)]));
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'overloaded', '5']);
    });
    for (const socket of open) socket.destroy();
  });
});

it('returns 503 where there is no room for a file', async () => {
  const elsewhere = await startTestServer({ uploadFolder: join(folder, 'missing'), mounted: (routes) => [...routes, echo] });
  const { status, body } = await elsewhere.request('POST', '/v2/test/upload', undefined, { raw: form(['file', blob(1000)]) });
  expect([status, body.code]).toEqual([503, 'upload_not_kept']);
  await elsewhere.close();
});
