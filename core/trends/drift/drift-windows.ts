import { AppError } from '../../kernel/errors.ts';
import type { DriftQuery } from './drift.ts';

/** In ms since 1970, whole hours. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

export const HOUR_MS = 60 * 60_000;
export const DAY_MS = 24 * HOUR_MS;
/** Days of the reference where nobody asks for others. */
export const REFERENCE_DAYS = 7;
const MAX_DAYS = 92;
/** Hours that a timestamp may lie in. */
export const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
export const LAST = Date.parse('9999-12-31T23:00:00.000Z');

/** Throws AppError `invalid` for windows that are empty, too long or one within the other. */
export function toWindows(query: DriftQuery, now: number): { readonly current: Window; readonly reference: Window } {
  const to = query.end_time ? Date.parse(query.end_time) : now;
  const current = widened(query.start_time ? Date.parse(query.start_time) : to - DAY_MS, to);
  const end = query.reference_end_time ? floored(Date.parse(query.reference_end_time)) : current.from;
  const begin = query.reference_start_time ? Date.parse(query.reference_start_time) : end - REFERENCE_DAYS * DAY_MS;
  const reference = widened(begin, end);
  requireTime('end_time', current);
  requireTime('reference_end_time', reference);
  if (reference.to > current.from)
    throw mismatch('windows_overlap', 'reference_end_time', 'the reference has to end before the window begins');
  return { current, reference };
}

function requireTime(field: string, { from, to }: Window): void {
  if (from >= to) throw mismatch('time_range_empty', field, `${field} has to be later than its start_time`);
  if (to - from > MAX_DAYS * DAY_MS) throw mismatch('window_too_long', field, `a window of more than ${MAX_DAYS} days`);
}

const widened = (from: number, to: number): Window => ({
  from: Math.max(FIRST, floored(from)),
  to: Math.min(LAST, Math.ceil(to / HOUR_MS) * HOUR_MS),
});
const floored = (time: number): number => Math.floor(time / HOUR_MS) * HOUR_MS;

const mismatch = (code: string, field: string, msg: string): AppError =>
  new AppError('invalid', code, msg, { issues: [{ loc: ['query', field], msg, type: code }] });
