import { describe, expect, it } from 'vitest';
import { median, quantile } from './median.ts';
import { readOptions } from './options.ts';
import { measuredPhase, merged, toPage } from './page.ts';
import { toResult, toTable } from './report.ts';

describe('the figures of the benchmark', () => {
  it('takes the middle of the rounds', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 9])).toBe(3);
    expect(quantile([1, 2, 3, 4, 5], 0.75)).toBe(4);
    expect(median([])).toBeNaN();
  });

  it.each([
    ['higher', 0.7, 'aim'],
    ['higher', 0.5, 'reached'],
    ['higher', 0.49, 'missed'],
    ['lower', 0.3, 'aim'],
    ['lower', 0.51, 'missed'],
  ] as const)('judges a ratio whose target is to be %s: %d is %s', (better, ratio, verdict) => {
    const target = { better, reach: 0.5, aim: better === 'higher' ? 0.7 : 0.4 };
    const against = { name: 'other', values: [100] };
    expect(toResult({ name: 'x', unit: 'ms', ours: [ratio * 100], against, target })).toMatchObject({ ratio, verdict });
  });

  it('prints both numbers of a ratio', () => {
    const against = { name: 'other', values: [2_000] };
    const table = toTable([toResult({ name: 'x', unit: 'rows/s', ours: [1_000], against })]);
    expect(table).toMatch(/1,000 rows\/s +2,000 rows\/s +other +0\.50/);
  });

  it('writes both numbers, the command and the machine into the page', () => {
    const against = { name: 'other', values: [2_000] };
    const target = { better: 'higher', reach: 0.5 } as const;
    const result = toResult({ name: 'x', unit: 'rows/s', ours: [1_000], against, target });
    const page = toPage([measuredPhase('ingest', [result], ['--quick'], new Date(0))]);
    expect(page).toContain('| x | 1,000 rows/s | 2,000 rows/s, other | 0.50 | ≥ 0.5: reached | 1 |');
    expect(page).toContain('`npm run bench -- --quick` on 1970-01-01');
    expect(page).toContain(`Node ${process.versions.node}`);
  });

  it('keeps what other phases came to, in their order', () => {
    const at = (phase: 'ingest' | 'memory', time: number) => measuredPhase(phase, [], [], new Date(time));
    const all = merged([at('memory', 1), at('ingest', 2)], at('memory', 3));
    expect(all.map(({ phase, date }) => [phase, Date.parse(date)])).toEqual([
      ['ingest', 2],
      ['memory', 3],
    ]);
  });

  it('measures growth unless it has to be quick, and what else takes long when it is asked to', () => {
    const phases = (...args: string[]) => readOptions(args).phases;
    expect(phases()).toContain('growth');
    expect(phases()).not.toContain('volume');
    expect(phases('--quick')).not.toContain('growth');
    expect(phases('--all')).toContain('volume');
  });

  it('names the phases there are when it is asked for another one', () => {
    expect(() => readOptions(['--only', 'ingest,lunch'])).toThrow('--only lunch: phases are ingest,');
    expect(readOptions(['--only', 'sandbox', '--quick'])).toMatchObject({ phases: ['sandbox'], rounds: 5 });
  });
});
