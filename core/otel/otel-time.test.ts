import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expandSpan } from '../../test/fixtures/otel/short-form.ts';
import { computeSpanDuration, getCreatedAt, isoOfNanos } from './otel-time.ts';

const at = (start_unix_nano: bigint, end_unix_nano: bigint) => ({
  ...expandSpan({ spanId: '1' }),
  start_unix_nano,
  end_unix_nano,
});
const NOW = '2026-05-05T05:05:05.000000Z';

it('cuts times to microseconds', () => {
  expect(isoOfNanos(1_767_225_600_123_456_999n)).toBe('2026-01-01T00:00:00.123456Z');
  expect(isoOfNanos(2n ** 64n - 1n)).toBe('2554-07-21T23:34:33.709551Z');
});

it('says every time as arithmetic on whole nanoseconds does', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (nanos) => {
      const second = new Date(Number(nanos / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
      const micros = ((nanos % 1_000_000_000n) / 1_000n).toString().padStart(6, '0');
      expect(isoOfNanos(nanos)).toBe(`${second}.${micros}Z`);
    }),
  );
});

it('says the times around a whole second, where doubles are rounded, exactly', () => {
  const second = fc.bigInt({ min: 1n, max: 18_446_744_073n });
  fc.assert(
    fc.property(second, fc.bigInt({ min: -3_000n, max: 3_000n }), (seconds, distance) => {
      const nanos = seconds * 1_000_000_000n + distance;
      const whole = nanos / 1_000_000_000n;
      const date = new Date(Number(whole) * 1000).toISOString().slice(0, 19);
      const micros = ((nanos % 1_000_000_000n) / 1_000n).toString().padStart(6, '0');
      expect(isoOfNanos(nanos)).toBe(`${date}.${micros}Z`);
    }),
  );
});

it('dates a span by its start, else by its end, else by now', () => {
  expect(getCreatedAt(at(1_000_000_000n, 2_000_000_000n), NOW)).toBe('1970-01-01T00:00:01.000000Z');
  expect(getCreatedAt(at(0n, 2_000_000_000n), NOW)).toBe('1970-01-01T00:00:02.000000Z');
  expect(getCreatedAt(at(0n, 0n), NOW)).toBe(NOW);
});

it('measures spans to the nanosecond, never below zero, and not before they end', () => {
  expect(computeSpanDuration(at(1_767_225_600_000_000_001n, 1_767_225_600_000_000_003n))).toBe(2);
  expect(computeSpanDuration(at(5n, 4n))).toBe(0);
  expect(computeSpanDuration(at(0n, 4n))).toBe(0);
  expect(computeSpanDuration(at(5n, 0n))).toBeUndefined();
});
