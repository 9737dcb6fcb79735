import type { OtlpSpan } from './spans/otlp-span.ts';

const NANOS_PER_MILLI = 1_000_000n;

/** Nanoseconds since 1970 as an ISO time in UTC, cut to microseconds. */
export function isoOfNanos(nanos: bigint): string {
  const millis = Number(nanos / NANOS_PER_MILLI);
  // The distance fits into a number, which is divided faster.
  const micros = Math.floor(Number(nanos - BigInt(millis) * NANOS_PER_MILLI) / 1_000);
  return `${new Date(millis).toISOString().slice(0, -1)}${`${1_000 + micros}`.slice(1)}Z`;
}

/** A span without a start counts from its end, without both from now. */
export function getCreatedAt(span: OtlpSpan, now: string): string {
  const nanos = span.start_unix_nano || span.end_unix_nano;
  return nanos === 0n ? now : isoOfNanos(nanos);
}

/** Undefined while the span has not ended. A clock that ran backwards gives 0. */
export function computeSpanDuration(span: OtlpSpan): number | undefined {
  if (span.end_unix_nano === 0n) return undefined;
  if (span.start_unix_nano === 0n || span.end_unix_nano < span.start_unix_nano) return 0;
  return Number(span.end_unix_nano - span.start_unix_nano);
}
