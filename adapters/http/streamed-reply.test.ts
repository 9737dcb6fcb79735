import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { sendStream } from './streamed-reply.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((closed) => (server ? server.close(closed) : closed(undefined)));
});

/** Replies to every request with the chunks; `ended` tells how it went. */
async function serve(chunks: () => AsyncIterable<string>) {
  const ended = Promise.withResolvers<unknown>();
  server = createServer((_req, res: ServerResponse) => {
    sendStream(res, { content_type: 'text/plain', file_name: 'a.txt', chunks: chunks() }).then(
      () => ended.resolve('sent'),
      (error: Error) => {
        ended.resolve(error.message);
        if (!res.headersSent) res.writeHead(503).end();
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = get({ port, host: '127.0.0.1', agent: false });
  request.on('error', () => {});
  return { request, ended: ended.promise };
}

const toResponse = async (request: ReturnType<typeof get>): Promise<IncomingMessage> =>
  ((await once(request, 'response')) as [IncomingMessage])[0];

describe('a reply that is sent while it is made', () => {
  it('arrives whole', async () => {
    const { request, ended } = await serve(async function* () {
      yield 'a';
      yield 'b';
    });
    const response = await toResponse(request);
    expect((await response.toArray()).join('')).toBe('ab');
    expect(response.complete).toBe(true);
    expect(await ended).toBe('sent');
  });

  it('may be empty', async () => {
    const { request } = await serve(async function* () {});
    const response = await toResponse(request);
    expect(response.statusCode).toBe(200);
    expect(await response.toArray()).toEqual([]);
  });

  it('can still be refused before the first chunk', async () => {
    // biome-ignore lint/correctness/useYield: it fails before it gets there
    const { request, ended } = await serve(async function* () {
      throw new Error('no database');
    });
    expect((await toResponse(request)).statusCode).toBe(503);
    expect(await ended).toBe('no database');
  });

  it('breaks off when it cannot be made to its end', async () => {
    const { request, ended } = await serve(async function* () {
      yield 'a';
      await sleep(20);
      throw new Error('database gone');
    });
    const response = await toResponse(request);
    await expect(response.toArray()).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    expect(await ended).toBe('database gone');
  });

  it('is made no faster than it is read', async () => {
    let made = 0;
    const { request } = await serve(async function* () {
      for (; made < 1_000; made += 1) yield 'x'.repeat(64 * 1024);
    });
    const response = await toResponse(request);
    response.pause();
    await sleep(200);
    expect(made).toBeLessThan(500);
    const before = made;
    response.resume();
    await once(response, 'end');
    expect(made).toBeGreaterThan(before);
  });

  it('is not made any further when the reader goes away', async () => {
    let made = 0;
    const closed = Promise.withResolvers<void>();
    const { request, ended } = await serve(async function* () {
      try {
        for (;;) {
          made += 1;
          yield 'x'.repeat(64 * 1024);
        }
      } finally {
        closed.resolve();
      }
    });
    const response = await toResponse(request);
    response.once('data', () => response.destroy());
    await closed.promise;
    expect(await ended).toBe('sent');
    const before = made;
    await sleep(50);
    expect(made).toBe(before);
  });
});
