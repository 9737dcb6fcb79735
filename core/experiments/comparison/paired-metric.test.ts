import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RowTrace, TraceNumber } from '../run-scores.ts';
import { pairedMetrics } from './paired-metric.ts';
import { type MetricValue, pairRows, type RowSide, toRowSides } from './row-pairs.ts';

const side = (
  row_id: string | null,
  metrics: Readonly<Record<string, MetricValue>>,
  dataset_input: string | null = null,
): RowSide => ({
  row_id,
  dataset_input,
  trace_id: `t ${row_id ?? dataset_input}`,
  metrics: new Map(Object.entries(metrics)),
});
const number = (value: number): MetricValue => ({ value, is_yes_no: false });
const yesNo = (value: boolean): MetricValue => ({ value: Number(value), is_yes_no: true });
const HOW = { lower_is_better: new Set<string>(), confidence: 0.95 };

describe('rows of two experiments', () => {
  it('are joined by id, the others by input in their order, and some stay alone', () => {
    const baseline = [side('a', {}), side('b', {}, 'x'), side(null, {}, 'x'), side(null, {}, 'y'), side(null, {})];
    const candidate = [side(null, {}, 'x'), side('a', {}), side(null, {}, 'x'), side('c', {}, 'z')];
    const { pairs, ...counts } = pairRows(baseline, candidate);
    expect(pairs.map((pair) => [baseline.indexOf(pair.baseline), candidate.indexOf(pair.candidate)])).toEqual([
      [0, 1],
      [1, 0],
      [2, 2],
    ]);
    expect(counts).toEqual({ by_row_id: 1, by_input: 2, only_in_baseline: 2, only_in_candidate: 1 });
  });

  it('have the metrics of their traces: sums of calls, means of the rest, scorers before what was brought', () => {
    const trace = (trace_id: string, row_id: string | null): RowTrace => ({ trace_id, row_id, dataset_input: null });
    const one = (trace_id: string, name: string, type: string, sum: number, more: Partial<TraceNumber> = {}): TraceNumber => {
      return { trace_id, name, type, sum, count: 1, is_score: false, is_yes_no: false, ...more };
    };
    const rows = toRowSides(
      [trace('t1', 'a'), trace('t2', 'a'), trace('t3', null)],
      [
        one('t1', 'cost', 'llm', 3, { count: 2 }),
        one('t1', 'cost', 'trace', 99),
        one('t1', 'duration_ns', 'trace', 10),
        one('t1', 'duration_ns', 'llm', 7),
        one('t1', 'good', 'llm', 1, { count: 2, is_score: true, is_yes_no: true }),
        one('t1', 'good', 'llm', 77),
        one('t2', 'duration_ns', 'trace', 30),
        one('t3', 'good', 'trace', 1, { is_score: true, is_yes_no: true }),
        one('t3', 'num_reasoning_tokens', 'llm', 5),
        one('t3', 'time_to_first_token_ns', 'llm', 8, { count: 2 }),
      ],
    );
    expect(rows.map(({ metrics, ...row }) => ({ ...row, metrics: Object.fromEntries(metrics) }))).toEqual([
      {
        row_id: 'a',
        dataset_input: null,
        trace_id: 't1',
        metrics: { cost: number(3), duration_ns: number(20), good: number(0.5) },
      },
      {
        row_id: null,
        dataset_input: null,
        trace_id: 't3',
        metrics: { good: yesNo(true), num_reasoning_tokens: number(5), time_to_first_token_ns: number(4) },
      },
    ]);
  });
});

describe('a metric of two experiments', () => {
  it('of answers yes and no is tested by those that changed', () => {
    const answers = [
      [true, true],
      [true, false],
      [false, true],
      [false, true],
      [false, true],
      [false, false],
    ] as const;
    const pairs = answers.map(([before, after], at) => {
      return { baseline: side(`${at}`, { ok: yesNo(before) }), candidate: side(`${at}`, { ok: yesNo(after) }) };
    });
    const [ok] = pairedMetrics(pairs, HOW);
    expect(ok).toMatchObject({
      name: 'ok',
      kind: 'yes_no',
      n: 6,
      improved: { rows: 3, share: 0.5 },
      worse: { rows: 1, share: 1 / 6 },
      equal: { rows: 2, share: 1 / 3 },
      test: { method: 'mcnemar_exact', statistic: 1, p_value: 0.625 },
    });
    expect(ok!.mean_difference).toBeCloseTo(1 / 3, 12);
  });

  it('counts only rows that have it in both, and turns around where less is better', () => {
    const pairs = [
      { baseline: side('a', { cost: number(2), x: number(1) }), candidate: side('a', { cost: number(1) }) },
      { baseline: side('b', {}), candidate: side('b', { cost: number(1) }) },
    ];
    const metrics = pairedMetrics(pairs, { ...HOW, lower_is_better: new Set(['cost']) });
    expect(metrics).toMatchObject([
      {
        name: 'cost',
        n: 1,
        mean_difference: -1,
        interval: null,
        lower_is_better: true,
        improved: { rows: 1 },
        worse: { rows: 0 },
      },
    ]);
  });

  it('has means and an interval that a plain computation gives, too', () => {
    // Student's sleep data (1908): t = 4.0621 on 9 degrees, p = 0.00283; 95% from 0.7001 to 2.4599.
    const [first, second] = [
      [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
      [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    ] as const;
    const sleep = first.map((before, at) => {
      return { baseline: side(`${at}`, { hours: number(before) }), candidate: side(`${at}`, { hours: number(second[at]!) }) };
    });
    const [hours] = pairedMetrics(sleep, HOW);
    expect(hours!.mean_difference).toBeCloseTo(1.58, 10);
    expect(hours!.interval!.low).toBeCloseTo(0.7001142, 6);
    expect(hours!.interval!.high).toBeCloseTo(2.4598858, 6);
    const values = fc.array(
      fc.tuple(fc.double({ min: -1e3, max: 1e3, noNaN: true }), fc.double({ min: -1e3, max: 1e3, noNaN: true })),
      {
        minLength: 2,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(values, (all) => {
        const pairs = all.map(([x, y], at) => ({
          baseline: side(`${at}`, { m: number(x) }),
          candidate: side(`${at}`, { m: number(y) }),
        }));
        const [m] = pairedMetrics(pairs, HOW);
        let [sumX, sumY, squares] = [0, 0, 0];
        for (const [x, y] of all) {
          sumX += x;
          sumY += y;
        }
        const n = all.length;
        for (const [x, y] of all) squares += (y - x - (sumY - sumX) / n) ** 2;
        expect(m!.baseline_mean).toBeCloseTo(sumX / n, 8);
        expect(m!.candidate_mean).toBeCloseTo(sumY / n, 8);
        expect(m!.mean_difference).toBeCloseTo((sumY - sumX) / n, 8);
        const { low, high } = m!.interval!;
        expect((low + high) / 2).toBeCloseTo((sumY - sumX) / n, 6);
        // Twice the reach over twice the standard error is the quantile again, which has tests of its own.
        const error = Math.sqrt(squares / (n - 1) / n);
        if (error > 1e-6) expect((high - low) / 2 / error).toBeGreaterThan(1.95);
        expect(m!.improved.rows + m!.worse.rows + m!.equal.rows).toBe(n);
      }),
    );
  });
});
