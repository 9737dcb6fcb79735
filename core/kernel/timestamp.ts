import { z } from 'zod';

const ISO = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;
/**
 * Timestamps as most clients send them, which need no calendar: recognised at a tenth of the cost. Only 29 February is
 * left to it.
 */
const UTC_ALREADY =
  /^(?!0000)\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}(?:\d{3})?Z$/;
/** Length of those with six digits of a second. */
const WITH_MICROSECONDS = '0000-00-00T00:00:00.000000Z'.length;

/** How PostgreSQL prints a timestamp, told at a tenth of the price too: there are tens of thousands of them in a large reply. */
const UTC_AS_STORED =
  /^((?!0000)\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)) ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,6}))?\+00$/;

/**
 * Reads an ISO 8601 date-time with any offset (none means UTC) and returns it in UTC with `Z`, exact to the
 * microsecond: three digits when the rest is zero, else six. Undefined when it is no date-time of the years 1 to 9999.
 */
export function toUtc(text: string): string | undefined {
  if (UTC_ALREADY.test(text)) return text.length === WITH_MICROSECONDS && text.endsWith('000Z') ? `${text.slice(0, -4)}Z` : text;
  const stored = UTC_AS_STORED.exec(text);
  if (stored) return `${stored[1]}T${stored[2]}.${fractionOf(stored[3])}Z`;
  const parts = ISO.exec(text);
  if (!parts) return undefined;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction, zone = 'Z'] = parts;
  const millis = Date.UTC(2000, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const probe = new Date(millis);
  probe.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const real =
    Number(year) >= 1 &&
    probe.getUTCMonth() === Number(month) - 1 &&
    probe.getUTCDate() === Number(day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60;
  const offset = offsetMinutes(zone);
  if (!real || offset === undefined) return undefined;
  const utc = new Date(probe.getTime() - offset * 60_000);
  const utcYear = utc.getUTCFullYear();
  if (utcYear < 1 || utcYear > 9999) return undefined;
  return `${utc.toISOString().slice(0, 19)}.${fractionOf(fraction)}Z`;
}

function fractionOf(digits = ''): string {
  const micros = digits.padEnd(6, '0').slice(0, 6);
  return micros.endsWith('000') ? micros.slice(0, 3) : micros;
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 15 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** A UTC timestamp as a text that orders as time does: always six digits of a second, where `toUtc` may give three. */
export const sortableTime = (utc: string): string => utc.slice(0, -1).padEnd('0000-00-00T00:00:00.000000'.length, '0');

export const isBefore = (a: string, b: string): boolean => sortableTime(a) < sortableTime(b);

/** A timestamp in a request: any offset in, UTC out. */
export const Timestamp = z.string().transform((text, ctx) => {
  const utc = toUtc(text);
  if (utc !== undefined) return utc;
  ctx.addIssue({ code: 'invalid_format', format: 'datetime', message: 'not an ISO 8601 date-time of the years 1 to 9999' });
  return z.NEVER;
});
