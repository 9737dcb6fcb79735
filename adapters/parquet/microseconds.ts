const SECONDS_LENGTH = '0000-00-00T00:00:00'.length;
const DIGITS = 6;

/** Microseconds since 1970 of a timestamp in UTC with up to six digits of a second, `2026-01-02T03:04:05.678901Z`. */
export function toMicroseconds(timestamp: string): bigint {
  const seconds = Date.parse(`${timestamp.slice(0, SECONDS_LENGTH)}Z`) / 1_000;
  const fraction = timestamp.slice(SECONDS_LENGTH + 1, -1).padEnd(DIGITS, '0');
  return BigInt(seconds) * 1_000_000n + BigInt(fraction);
}

/** Converts microseconds since 1970 to a timestamp in UTC, the other way. */
export function toTimestamp(microseconds: bigint): string {
  // BigInt division goes towards zero, and before 1970 the fraction has to grow with time as well.
  const fraction = ((microseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = Number((microseconds - fraction) / 1_000_000n);
  return `${new Date(seconds * 1_000).toISOString().slice(0, SECONDS_LENGTH)}.${String(fraction).padStart(DIGITS, '0')}Z`;
}
