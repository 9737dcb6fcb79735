/** Numbers, times and sizes as people read them, by the locale of the browser. Null and undefined are a dash. */
const DASH = '–';
const DOLLARS = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
const number = toFormat({ maximumFractionDigits: 3 });
const exact = toFormat({ minimumFractionDigits: 3, maximumFractionDigits: 3 });
const small = toFormat({ maximumSignificantDigits: 3 });
const dollars = toFormat(DOLLARS);
const smallDollars = toFormat({ ...DOLLARS, maximumSignificantDigits: 3 });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const zoned = new Intl.DateTimeFormat(undefined, {
  ...{ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', second: '2-digit' },
  timeZoneName: 'short',
});
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** One sign for what is below zero, as wide as a plus, whatever the locale has. */
function toFormat(options: Intl.NumberFormatOptions): { format(value: number): string } {
  const intl = new Intl.NumberFormat(undefined, options);
  return { format: (value) => intl.format(value).replace(/-/g, '−') };
}

type Maybe<T> = T | null | undefined;
const orDash =
  <T>(format: (value: T) => string) =>
  (value: Maybe<T>): string =>
    value === null || value === undefined ? DASH : format(value);

export const numberText = orDash<number>((value) => (Math.abs(value) < 1 ? small : number).format(value));
/** With three decimals, for figures that are compared. */
export const exactText = orDash<number>((value) => exact.format(value));
export const percentText = orDash<number>((value) => `${number.format(Math.round(value * 1000) / 10)} %`);
/** US dollars: to the cent from one dollar on, and where that is all; else the first three digits that count. */
export const costText = orDash<number>((value) =>
  (Math.abs(value) < 1 && !isWholeCents(value) ? smallDollars : dollars).format(value),
);
const isWholeCents = (value: number): boolean => Math.abs(value * 100 - Math.round(value * 100)) < 1e-9;

/** Probability of a test: how many zeros a tiny one has says nothing. */
export const probabilityText = orDash<number>((value) => (value < 0.001 ? `< ${small.format(0.001)}` : small.format(value)));

/** A duration given in nanoseconds. */
export const durationText = orDash<number>((ns) => {
  if (ns === 0) return '0 s';
  if (ns < 1e6) return `${small.format(ns / 1e3)} µs`;
  if (ns < 1e9) return `${small.format(ns / 1e6)} ms`;
  if (ns < 60e9) return `${small.format(ns / 1e9)} s`;
  return `${Math.floor(ns / 60e9)} min ${Math.round((ns % 60e9) / 1e9)} s`;
});

export const dayText = orDash<string>((iso) => day.format(new Date(iso)));
export const timestampText = orDash<string>((iso) => moment.format(new Date(iso)));
/** With the time zone that it is told in. */
export const zonedTimestampText = orDash<string>((iso) => zoned.format(new Date(iso)));

/** The time alone for today, the day with it otherwise. */
export const shortTimestampText = orDash<string>((iso) => {
  const at = new Date(iso);
  return at.toDateString() === new Date().toDateString() ? clock.format(at) : moment.format(at);
});

/** Any JSON value on one line. */
export const valueText = orDash<unknown>((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
export const clipped = (text: string, length = 200): string => (text.length > length ? `${text.slice(0, length)} …` : text);
