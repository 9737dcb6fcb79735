import { once } from 'node:events';
import { type ClientHttp2Stream, connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { Caller } from '../../core/access/caller.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { silent } from '../../test/setup/silent.ts';
import { OtlpGrpcServer } from './otlp-grpc-server.ts';

const PATH = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const DEADLINE_EXCEEDED = '4';
const UNAUTHENTICATED = '16';
const MESSAGE_BYTES = 8 * 1024 * 1024;

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

/** A server that knows those with a key, and takes everything; and calls that say byte by byte what they send. */
async function open(limits = {}, proof: Promise<unknown> = Promise.resolve()) {
  const received: number[] = [];
  const server = await OtlpGrpcServer.listen(
    {
      service: {
        receiveSignal: async (_signal, _caller, { body }) => ({ rejected: received.push(body.length) * 0, message: '' }),
      },
      codec: { encodeOutcome: () => new Uint8Array() },
      maxMessageBytes: 2 * MESSAGE_BYTES,
      log: silent,
      workContext: { run: (_facts, work) => work(), runWithout: (_names, work) => work(), current: () => ({}) },
      limits,
      authenticate: async (headers, origin) => {
        await proof;
        if (headers.key === undefined) throw new AppError('unauthenticated', 'credentials_missing', 'credentials are missing');
        return { user_id: headers.key, origin } as Caller;
      },
      hold: async () => () => {},
    },
    { host: '127.0.0.1', port: 0 },
  );
  ends.push(() => server.drain({ limitMs: 0 }));
  const session = connect(`http://${server.target}`);
  ends.push(async () => session.destroy());
  const call = (headers = {}): ClientHttp2Stream =>
    session.request({ ':method': 'POST', ':path': PATH, 'content-type': 'application/grpc', te: 'trailers', ...headers });
  return { call, received };
}

/** The status that a call ends with: in the trailers, or in the only headers. */
async function statusOf(stream: ClientHttp2Stream): Promise<unknown> {
  stream.on('error', () => {}).resume();
  const found = await Promise.race([once(stream, 'response'), once(stream, 'trailers')]);
  const [headers] = 'grpc-status' in found[0] ? found : await once(stream, 'trailers');
  return headers['grpc-status'];
}

/** A message of zeros, behind its five bytes: not compressed, and so long. */
function message(bytes: number): Buffer {
  const framed = Buffer.alloc(5 + bytes);
  framed.writeUInt32BE(bytes, 1);
  return framed;
}

it('reads nothing from whoever has shown no credentials but what is on its way', async () => {
  const { promise: proof, resolve: prove } = Promise.withResolvers<void>();
  const { call, received } = await open({}, proof);
  const stream = call();
  stream.write(message(MESSAGE_BYTES));
  await sleep(200);
  expect(stream.bufferSize + stream.writableLength).toBeGreaterThan(MESSAGE_BYTES / 2);
  prove();
  expect(await statusOf(stream)).toBe(UNAUTHENTICATED);
  expect(received).toEqual([]);
});

it('ends the turn of a message that does not come, so that others are read', async () => {
  const { call, received } = await open({ atOnce: 1, messageMs: 100 });
  const silentOne = call({ key: 'silent' });
  silentOne.write(message(1_000).subarray(0, 500));
  const slow = statusOf(silentOne);
  await sleep(20);
  const other = call({ key: 'other' });
  other.end(message(1_000));
  expect(await statusOf(other)).toBe('0');
  expect(await slow).toBe(DEADLINE_EXCEEDED);
  expect(received).toEqual([1_000]);
});

it('ends the turn of a call that is gone before its message has come', async () => {
  const { call, received } = await open({ atOnce: 1 });
  const gone = call({ key: 'gone' });
  gone.on('error', () => {}).write(message(1_000).subarray(0, 500));
  await sleep(20);
  gone.close();
  const other = call({ key: 'other' });
  other.end(message(1_000));
  expect(await statusOf(other)).toBe('0');
  expect(received).toEqual([1_000]);
});
