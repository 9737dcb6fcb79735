import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BodyReader, type Sender } from './body-reader.ts';

/** A request that announces so many bytes, of which some have come. */
function request(announced: number, sent = 0, type = 'application/json'): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  req.headers = { 'content-length': String(announced), 'content-type': type };
  if (sent > 0) req.push(Buffer.alloc(sent));
  return req;
}

/** The same, with an end. */
function whole(bytes: number): IncomingMessage {
  const req = request(bytes, bytes);
  req.push(null);
  return req;
}

const ann: Sender = { user_id: 'ann', network: '10.0.0.1' };
const bob: Sender = { user_id: 'bob', network: '10.0.0.1' };
const nobody: Sender = { user_id: undefined, network: '10.0.0.1' };
const toGate = (maxBytesInFlight: number): BodyReader => new BodyReader({ maxBytesInFlight });

describe('a gate with bodies in flight', () => {
  it('refuses a body for which there is no room before it is read, and takes it when there is room', async () => {
    const gate = toGate(100);
    const { release } = await gate.read(whole(50), 100, ann);
    expect(() => gate.admit(request(51))).toThrow(expect.objectContaining({ code: 'overloaded', retryAfterSeconds: 1 }));
    expect(() => gate.admit(request(50))).not.toThrow();
    release();
    expect(gate.bytesInFlight).toBe(0);
    expect(() => gate.admit(request(51))).not.toThrow();
  });

  it('leaves files to those who take them to the disk', async () => {
    const gate = toGate(100);
    await gate.read(whole(50), 100, ann);
    expect(() => gate.admit(request(1_000_000, 0, 'multipart/form-data; boundary=x'))).not.toThrow();
  });

  it('refuses a sender beyond their share while it takes the same body of another', async () => {
    const gate = toGate(100);
    await gate.read(whole(40), 50, ann);
    await expect(gate.read(whole(20), 50, ann)).rejects.toMatchObject({ code: 'overloaded' });
    await expect(gate.read(whole(20), 50, bob)).resolves.toMatchObject({ body: Buffer.alloc(20) });
    expect(gate.bytesInFlight).toBe(60);
  });

  it('refuses as too large what could never be held, however much there is room', async () => {
    await expect(toGate(100).read(whole(51), 100, ann)).rejects.toMatchObject({ kind: 'too_large', code: 'body_too_large' });
  });

  it('counts what came, not what was announced', async () => {
    const gate = toGate(100);
    const reading = [gate.read(request(50, 10), 100, ann), gate.read(request(50, 10), 100, bob)];
    for (const one of reading) one.catch(() => {});
    await new Promise((done) => setImmediate(done));
    expect(gate.bytesInFlight).toBe(20);
  });

  it('counts what one user announced against nobody but them', async () => {
    const gate = toGate(100);
    for (let half = 0; half < 2; half += 1) gate.read(request(25, 1), 100, ann).catch(() => {});
    await expect(gate.read(whole(10), 100, ann)).rejects.toMatchObject({ code: 'overloaded' });
    await expect(gate.read(whole(40), 100, bob)).resolves.toBeDefined();
  });

  it('keeps those who have shown no credentials to a small part of their own', async () => {
    const gate = toGate(3_200);
    await expect(gate.read(whole(101), 200, nobody)).rejects.toMatchObject({ code: 'body_too_large' });
    const stalled = gate.read(request(100, 90), 100, nobody);
    await new Promise((done) => setImmediate(done));
    expect(gate.bytesInFlight).toBe(90);
    const taken = gate.read(whole(80), 100, nobody);
    await expect(stalled).rejects.toMatchObject({ code: 'overloaded' });
    await expect(taken).resolves.toMatchObject({ body: Buffer.alloc(80) });
    await expect(gate.read(whole(1_600), 2_000, ann)).resolves.toBeDefined();
  });
});
