/** Durations as people type them and read them back. The API has them in nanoseconds, under names that end in `_ns`. */
export const isDuration = (name: string): boolean => name.endsWith('_ns');

const UNITS = { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 } as const;
const PART = /^(\d+(?:\.\d*)?|\.\d+)\s*(ns|us|µs|μs|ms|s|min|h)(?:\s+|(?=\d)|$)/;
const PLAIN = /^(\d+(?:\.\d*)?|\.\d+)$/;

/** Default unit, shown beside a field for a duration. */
export const DURATION_UNIT = 's';
export const DURATION_HELP = 'In seconds, or with a unit: 200 ms, 1.5 s, 3 min.';

export const hasUnit = (typed: string): boolean => /[a-zµμ]/.test(typed);

/** The whole nanoseconds of `1.5 s`, `200 ms` or `1 min 30 s`; seconds where no unit is given. Throws an Error for anything else. */
export function durationIn(text: string): number {
  const typed = text.trim();
  if (PLAIN.test(typed)) return Math.round(Number(typed) * UNITS[DURATION_UNIT]);
  let nanoseconds = 0;
  for (let rest = typed; rest !== '' || typed === ''; ) {
    const [part, amount, unit] = PART.exec(rest) ?? [];
    if (!part) throw new Error(`"${text}" is not a duration: write 200 ms, 1.5 s or 3 min`);
    nanoseconds += Number(amount) * UNITS[unit as keyof typeof UNITS];
    rest = rest.slice(part.length);
  }
  return Math.round(nanoseconds);
}

/** A duration to the nanosecond, as `durationIn` takes it: `1.5 s`, `3 min`. */
export function exactDuration(nanoseconds: number): string {
  if (nanoseconds >= UNITS.min && nanoseconds % UNITS.min === 0) return `${nanoseconds / UNITS.min} min`;
  const unit = (['s', 'ms', 'µs'] as const).find((one) => Math.abs(nanoseconds) >= UNITS[one]) ?? 'ns';
  return `${nanoseconds / UNITS[unit]} ${unit}`;
}
