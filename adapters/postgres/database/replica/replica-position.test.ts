import { describe, expect, it } from 'vitest';
import { parseLsn, ReplicaPosition } from './replica-position.ts';

describe('a place in the write-ahead log', () => {
  it('is read as a number of bytes', () => {
    expect(parseLsn('0/0')).toBe(0n);
    expect(parseLsn('0/FF')).toBe(255n);
    expect(parseLsn('1/0')).toBe(2n ** 32n);
    expect(parseLsn('16/B374D848')).toBe(0x16_b374_d848n);
  });
});

describe('the staleness of a replica', () => {
  it('is not known before the replica has replayed a place that the primary was seen at', () => {
    const position = new ReplicaPosition();
    expect(position.staleness(1_000)).toBe(Number.POSITIVE_INFINITY);
    position.addReplica(500n);
    position.addPrimary(1_000, 501n);
    position.addReplica(500n);
    expect(position.staleness(1_000)).toBe(Number.POSITIVE_INFINITY);
  });

  it('counts from the newest time whose log has been replayed', () => {
    const position = new ReplicaPosition();
    position.addPrimary(1_000, 100n);
    position.addPrimary(2_000, 200n);
    position.addPrimary(3_000, 300n);
    position.addReplica(250n);
    expect(position.staleness(3_500)).toBe(1_500);
    position.addReplica(300n);
    expect(position.staleness(3_500)).toBe(500);
  });

  it('grows while the replica stands still, also when the primary writes nothing', () => {
    const position = new ReplicaPosition();
    position.addPrimary(1_000, 100n);
    position.addReplica(100n);
    expect(position.staleness(9_000)).toBe(8_000);
    position.addPrimary(9_000, 100n);
    position.addReplica(100n);
    expect(position.staleness(9_000)).toBe(0);
  });

  it('is not known any more of a replica that was away', () => {
    const position = new ReplicaPosition();
    position.addPrimary(1_000, 100n);
    position.addReplica(100n);
    position.forget();
    expect(position.staleness(1_000)).toBe(Number.POSITIVE_INFINITY);
  });

  it('keeps a bounded number of samples', () => {
    const position = new ReplicaPosition();
    for (let at = 0; at < 5_000; at += 1) position.addPrimary(at, BigInt(at));
    position.addReplica(1_000n);
    expect(position.staleness(5_000)).toBe(Number.POSITIVE_INFINITY);
    position.addReplica(4_000n);
    expect(position.staleness(5_000)).toBe(1_000);
  });
});
