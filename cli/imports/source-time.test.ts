import { describe, expect, it } from 'vitest';
import { isoOfNanos } from '../../core/otel/otel-time.ts';
import { toNanos } from './source-time.ts';

const shown = (value: string | number): string | null => {
  const nanos = toNanos(value);
  return nanos === null ? null : isoOfNanos(BigInt(nanos));
};

describe('times of exports', () => {
  it.each([
    ['2026-03-02T09:15:00.123456789Z', '2026-03-02T09:15:00.123456Z'],
    ['2026-03-02T09:15:00+02:00', '2026-03-02T07:15:00.000000Z'],
    ['2026-03-02T09:15:00.5+0200', '2026-03-02T07:15:00.500000Z'],
    ['2026-03-02 09:15:00.120000', '2026-03-02T09:15:00.120000Z'],
    ['2026-03-02', '2026-03-02T00:00:00.000000Z'],
    [1772442900, '2026-03-02T09:15:00.000000Z'],
    [1772442900.25, '2026-03-02T09:15:00.250000Z'],
    [1772442900120, '2026-03-02T09:15:00.120000Z'],
    ['1772442900120000', '2026-03-02T09:15:00.120000Z'],
    ['1772442900120000789', '2026-03-02T09:15:00.120000Z'],
  ])('reads %s', (given, expected) => expect(shown(given)).toBe(expected));

  it.each(['soon', '', '2026-13-45', '1850-01-01', -5, Number.NaN])('finds none in %s', (given) =>
    expect(toNanos(given)).toBeNull(),
  );
});
