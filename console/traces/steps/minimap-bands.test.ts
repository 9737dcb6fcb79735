import { describe, expect, it } from 'vitest';
import { toNode } from '../test-nodes.ts';
import { computeScale } from '../time-scale.ts';
import { computeBands } from './minimap-bands.ts';
import { toSteps } from './step.ts';
import { visibleSteps } from './visible-steps.ts';

const SECOND = 1_000_000_000;
const START = Date.parse('2026-11-10T08:00:00.000Z');
const span = (at: number, status_code: number | null) =>
  toNode(`span ${at}`, { created_at: new Date(START + at * 1000).toISOString(), status_code, metrics: { duration_ns: SECOND } });

function bandsOf(failures: readonly number[], spans: number, onlyFailed = false) {
  const steps = toSteps(
    toNode('trace', { spans: Array.from({ length: spans }, (_, at) => span(at, failures.includes(at) ? 500 : 200)) }),
  );
  return computeBands(visibleSteps(steps, new Set(), { text: '', onlyFailed }), computeScale(steps));
}

describe('the bands of a minimap', () => {
  it('hold every row, many rows in few bands, from the first start to the last end of them', () => {
    const bands = bandsOf([], 2399);
    expect(bands).toHaveLength(240);
    expect(bands[0]).toMatchObject({ left: 0, width: 1 });
    const last = bands.at(-1)!;
    expect(last.left).toBeCloseTo(2389 / 2399);
    expect(last.left + last.width).toBeCloseTo(1);
  });

  it('are marked where a step in them failed, wherever it stands', () => {
    const marked = bandsOf([0, 1200, 2398], 2399).flatMap(({ failed }, at) => (failed ? [at] : []));
    expect(marked).toEqual([0, 120, 239]);
  });

  it('are one for each row where there are few', () => {
    expect(bandsOf([], 3)).toHaveLength(4);
    expect(bandsOf([1], 3, true).map(({ failed }) => failed)).toEqual([false, true]);
  });
});
