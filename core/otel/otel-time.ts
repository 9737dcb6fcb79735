import type { OtlpSpan } from './spans/otlp-span.ts';

const NANOS_PER_SECOND = 1_000_000_000;
/** Spans of a request begin and end within seconds of each other, so that few calendars have to be asked. */
const KEPT_SECONDS = 64;
const keptSeconds = Array.from({ length: KEPT_SECONDS }, () => ({ seconds: -1, text: '' }));

/**
 * Nanoseconds since 1970, below 2^64, as an ISO time in UTC, cut to microseconds. Exact without a division of a bigint, which costs
 * more than all the rest: the seconds by their nearest double are wrong by one at most, and the distance to them, which is
 * short, is exact in the lower 32 bits.
 */
export function isoOfNanos(nanos: bigint): string {
  let seconds = Math.floor(Number(nanos) / NANOS_PER_SECOND);
  let rest = (Number(BigInt.asIntN(32, nanos)) - Math.imul(seconds, NANOS_PER_SECOND)) | 0;
  if (rest < 0) {
    seconds -= 1;
    rest += NANOS_PER_SECOND;
  } else if (rest >= NANOS_PER_SECOND) {
    seconds += 1;
    rest -= NANOS_PER_SECOND;
  }
  return `${toSecondText(seconds)}.${`${1_000_000 + Math.floor(rest / 1_000)}`.slice(1)}Z`;
}

function toSecondText(seconds: number): string {
  const kept = keptSeconds[seconds % KEPT_SECONDS]!;
  if (kept.seconds !== seconds) {
    kept.text = new Date(seconds * 1_000).toISOString().slice(0, -'.000Z'.length);
    kept.seconds = seconds;
  }
  return kept.text;
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
