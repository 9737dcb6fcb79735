/** Numbers, times and sizes as people read them. Null and undefined are a dash. */
const DASH = '–';
const number = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });

type Maybe<T> = T | null | undefined;
const orDash =
  <T>(format: (value: T) => string) =>
  (value: Maybe<T>): string =>
    value === null || value === undefined ? DASH : format(value);

export const numberText = orDash<number>((value) => (Math.abs(value) < 1 ? small : number).format(value));
export const percentText = orDash<number>((value) => `${number.format(Math.round(value * 1000) / 10)} %`);
export const costText = orDash<number>(
  (value) => `$${value !== 0 && Math.abs(value) < 0.01 ? value.toPrecision(2) : value.toFixed(2)}`,
);

/** A duration given in nanoseconds. */
export const durationText = orDash<number>((ns) => {
  if (ns < 1e6) return `${small.format(ns / 1e3)} µs`;
  if (ns < 1e9) return `${small.format(ns / 1e6)} ms`;
  if (ns < 60e9) return `${small.format(ns / 1e9)} s`;
  return `${Math.floor(ns / 60e9)} min ${Math.round((ns % 60e9) / 1e9)} s`;
});

export const dayText = orDash<string>((iso) => day.format(new Date(iso)));
export const timestampText = orDash<string>((iso) => moment.format(new Date(iso)));

/** The time alone for today, the day with it otherwise. */
export const shortTimestampText = orDash<string>((iso) => {
  const at = new Date(iso);
  return at.toDateString() === new Date().toDateString() ? clock.format(at) : moment.format(at);
});

/** Any JSON value on one line. */
export const valueText = orDash<unknown>((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
export const clipped = (text: string, length = 200): string => (text.length > length ? `${text.slice(0, length)} …` : text);
