import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { SlowBodies } from './slow-body.ts';

const LONG = 60_000;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A sender who has announced a kilobyte, and the request of it at the server. */
async function sender(): Promise<{ socket: Socket; req: IncomingMessage }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  closing.push(
    () => void socket.destroy(),
    () => void server.close(),
  );
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
  const [req] = (await once(server, 'request')) as [IncomingMessage];
  return { socket, req };
}

/** Work that ends with the body, or when it is stopped. */
const reading = (req: IncomingMessage, { signal }: AbortController): Promise<string> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    req.once('end', () => resolve('whole'));
    req.resume();
  });

const limits = { tickMs: 10, windowTicks: 5, minBytes: 5 };

describe('a body', () => {
  it('of a silent sender is stopped', async () => {
    const { req } = await sender();
    const stop = new AbortController();
    const done = new SlowBodies(limits).during(req, stop, LONG, () => reading(req, stop));
    await expect(done).rejects.toMatchObject({ kind: 'timeout', code: 'body_too_slow' });
  });

  it('of a sender who drips is stopped', async () => {
    const { req, socket } = await sender();
    const stop = new AbortController();
    const dripping = setInterval(() => socket.write('x'), 40);
    const done = new SlowBodies({ ...limits, minBytes: 50 }).during(req, stop, LONG, () => reading(req, stop));
    await expect(done).rejects.toMatchObject({ code: 'body_too_slow' });
    clearInterval(dripping);
  });

  it('that makes progress is read to its end', async () => {
    const { req, socket } = await sender();
    const stop = new AbortController();
    const done = new SlowBodies({ ...limits, windowTicks: 100 }).during(req, stop, LONG, () => reading(req, stop));
    for (let part = 0; part < 20; part += 1) {
      socket.write('x'.repeat(50));
      await sleep(5);
    }
    await expect(done).resolves.toBe('whole');
  });

  it('that makes progress and comes to no end in its time is stopped', async () => {
    const { req, socket } = await sender();
    const stop = new AbortController();
    const dripping = setInterval(() => socket.write('xxxxx'), 5);
    const done = new SlowBodies({ ...limits, windowTicks: 1_000 }).during(req, stop, 50, () => reading(req, stop));
    await expect(done).rejects.toMatchObject({ code: 'body_too_slow' });
    clearInterval(dripping);
  });

  it('that we do not listen to is nobody’s fault but ours', async () => {
    const { req } = await sender();
    const stop = new AbortController();
    const held = (async () => {
      req.on('data', () => {});
      req.pause();
      await sleep(300);
      return 'held up';
    })();
    await expect(new SlowBodies(limits).during(req, stop, LONG, () => held)).resolves.toBe('held up');
    expect(stop.signal.aborted).toBe(false);
  });
});
