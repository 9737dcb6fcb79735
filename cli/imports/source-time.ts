import type { JsonValue } from '../../core/kernel/json.ts';

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9})\d*)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;
const MAX_DIGITS = 19;

/** Units of a bare number of time, by how large it is in this century. */
const UNITS: readonly [above: number, nanos: bigint][] = [
  [1e17, 1n],
  [1e14, 1_000n],
  [1e11, 1_000_000n],
  [0, 1_000_000_000n],
];

/**
 * A timestamp in nanoseconds since 1970, in digits: exports write ISO 8601 with or without a zone (then it is UTC), with a space for the
 * T, or a number of seconds, milliseconds, microseconds or nanoseconds. Null where it is none of them.
 */
export function toNanos(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return ofNumber(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d+$/.test(text) && text.length <= MAX_DIGITS) return ofDigits(text);
  const found = DATE.exec(text);
  if (!found) return null;
  const [, date, time = '00:00:00', fraction = '', zone = 'Z'] = found;
  const millis = Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}${toZone(zone)}`);
  if (Number.isNaN(millis) || millis < 0) return null;
  return String(BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, '0')));
}

const toZone = (zone: string): string => (zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase());

function ofNumber(value: number): string | null {
  if (!Number.isFinite(value) || value <= 0) return null;
  const unit = UNITS.find(([above]) => value > above)![1];
  // Split, so that the fraction of a number of seconds does not cost the digits of its whole.
  const whole = Math.floor(value);
  return String(BigInt(whole) * unit + BigInt(Math.round((value - whole) * Number(unit))));
}

function ofDigits(text: string): string | null {
  const unit = UNITS.find(([above]) => Number(text) > above)?.[1];
  return unit === undefined ? null : String(BigInt(text) * unit);
}
