import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamState } from './metric-series.ts';
import { advance, findPointFault, MAX_AGE_MS, MAX_AHEAD_MS, type StreamForm } from './metric-stream.ts';
import type { OtlpPoint } from './otlp-metric.ts';

const NOW = Date.parse('2026-11-25T12:00:00.000Z');
const nanos = (ms: number): bigint => BigInt(ms) * 1_000_000n;
const START = nanos(NOW - 3_600_000);

/** A point `minute` minutes after the beginning of the stream. */
const at = (minute: number, value: OtlpPoint['value'], start = START): OtlpPoint => ({
  attributes: new Map(),
  start_unix_nano: start,
  time_unix_nano: START + BigInt(minute) * 60_000_000_000n,
  is_missing: false,
  value,
});

/** Counts points of one stream, one after the other. */
function count(form: StreamForm, points: readonly OtlpPoint[]) {
  let state: StreamState | undefined;
  const refusals: string[] = [];
  const amounts = points.map((point) => {
    const made = advance(form, state, point, NOW);
    state = made.state;
    if (made.refusal) refusals.push(made.refusal);
    return made.amount;
  });
  const sum = amounts.reduce((all, amount) => all + (amount?.sum ?? 0), 0);
  return { sum, counted: amounts.filter((amount) => amount !== undefined).length, refusals };
}

describe('totals', () => {
  it('count what each adds to the last one, from the beginning of the stream', () => {
    expect(count('totals', [at(1, 10), at(2, 14), at(3, 14), at(4, 20)])).toMatchObject({ sum: 20, counted: 3 });
  });

  it('come to the greatest one, in whatever order and however often they are sent', () => {
    const totals = Array.from({ length: 12 }, (_, minute) => at(minute + 1, (minute + 1) * 3));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...totals), { minLength: 1, maxLength: 60 }), (sent) => {
        expect(count('totals', sent).sum).toBe(Math.max(...sent.map(({ value }) => value as number)));
      }),
    );
  });

  it('that become less without a new beginning count from zero again', () => {
    expect(count('totals', [at(1, 10), at(2, 4), at(3, 6)]).sum).toBe(16);
  });

  it('are only counted on from where it is not known that the beginning was not counted', () => {
    const old = nanos(NOW - MAX_AGE_MS - 1);
    expect(count('totals', [at(1, 10, old), at(2, 14, old)]).sum).toBe(4);
    expect(count('totals', [at(1, 10, 0n), at(2, 14, 0n)]).sum).toBe(4);
    expect(count('totals', [at(1, 10, nanos(NOW - MAX_AGE_MS))]).sum).toBe(10);
  });

  it('of histograms with other bounds than before are only counted on from', () => {
    const histogram = (bound: number, total: number) => ({
      ...{ count: total, sum: total, min: null, max: null },
      buckets: { bounds: [bound], counts: [total, 0] },
    });
    expect(count('totals', [at(1, histogram(5, 3)), at(2, histogram(6, 8)), at(3, histogram(6, 9))]).sum).toBe(4);
  });
});

describe('what came in a time', () => {
  it('counts once, in whatever order and however often it is sent', () => {
    const windows = Array.from({ length: 12 }, (_, minute) => at(minute + 1, 2 ** minute));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...windows), { minLength: 1, maxLength: 60 }), (sent) => {
        expect(count('deltas', sent).sum).toBe([...new Set(sent)].reduce((sum, { value }) => sum + (value as number), 0));
      }),
    );
  });

  it('is refused where it is older than all that is remembered: it may have been counted', () => {
    const later = Array.from({ length: 101 }, (_, minute) => at(minute + 1, 1));
    expect(count('deltas', [...later, at(0, 1), at(1, 1)])).toMatchObject({ sum: 101, refusals: [REFUSED, REFUSED] });
    expect(count('deltas', [...later, at(2, 1)])).toMatchObject({ sum: 101, refusals: [] });
  });

  it('counts as nothing where a counter stood still', () => {
    expect(count('deltas', [at(1, 0), at(2, 5)])).toMatchObject({ sum: 5, counted: 1 });
  });
});

const REFUSED = 'a data point comes after 100 later ones of its stream';

describe('samples', () => {
  it('are one number each, also where they do not change', () => {
    expect(count('samples', [at(1, 7), at(2, 7), at(2, 7), at(3, 0)])).toMatchObject({ sum: 14, counted: 3 });
  });
});

describe('a point', () => {
  const fault = (ms: number, value: OtlpPoint['value'] = 1) =>
    findPointFault({ ...at(0, value), time_unix_nano: nanos(NOW + ms) }, NOW);

  it('is not taken where it is old, far ahead or no number', () => {
    expect(fault(-MAX_AGE_MS - 1)).toContain('older than 7 days');
    expect(fault(MAX_AHEAD_MS + 1)).toContain('more than a day ahead');
    expect(fault(0, Number.NaN)).toContain('not finite');
    expect([fault(0), fault(-MAX_AGE_MS), fault(MAX_AHEAD_MS)]).toEqual([undefined, undefined, undefined]);
  });
});
