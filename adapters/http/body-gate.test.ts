import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BodyGate } from './body-gate.ts';

function request(length: number, type = 'application/json'): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  req.headers = { 'content-length': String(length), 'content-type': type };
  return req;
}

describe('a gate with bodies in flight', () => {
  it('refuses a body for which there is no room before it is read, and takes it when there is room', () => {
    const gate = new BodyGate({ maxBytesInFlight: 100, maxDepth: 8 });
    const release = gate.reserve(request(60), 100);
    expect(() => gate.admit(request(41))).toThrow(expect.objectContaining({ code: 'overloaded', retryAfterSeconds: 1 }));
    expect(() => gate.admit(request(40))).not.toThrow();
    release();
    expect(() => gate.admit(request(41))).not.toThrow();
  });

  it('leaves files to those who take them to the disk', () => {
    const gate = new BodyGate({ maxBytesInFlight: 100, maxDepth: 8 });
    gate.reserve(request(60), 100);
    expect(() => gate.admit(request(1_000_000, 'multipart/form-data; boundary=x'))).not.toThrow();
  });
});
