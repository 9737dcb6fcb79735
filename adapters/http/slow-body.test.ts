import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { BodyGate } from './body-gate.ts';
import { inTime } from './slow-body.ts';

it('cuts off who sends a body too slowly, and gives back what was held for it', async () => {
  const gate = new BodyGate({ maxBytesInFlight: 1_000, maxDepth: 10 });
  const outcome = Promise.withResolvers<unknown>();
  const server = createServer((req) => {
    inTime(req, () => gate.read(req, 1_000), 50).then(outcome.resolve, outcome.reject);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {});
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nslow');
  await expect(outcome.promise).rejects.toMatchObject({ code: 'body_incomplete' });
  expect(gate.bytesInFlight).toBe(0);
  await closed;
  server.close();
});
