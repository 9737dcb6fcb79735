import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { Score } from '../scores/score.ts';
import { groupByHour, joined, without } from './hourly.ts';
import { toRecordMetrics } from './record-metrics.ts';

const record = (metrics: JsonObject, status_code: number | null = 200) => ({
  id: 'r1',
  type: 'llm' as const,
  created_at: '2026-01-02T03:04:05.678901Z',
  metrics,
  status_code,
});
const score = (metric_name: string, value: JsonValue, status_type: Score['status_type'] = 'success'): Score => ({
  project_id: 'p',
  run_id: 'run',
  record_id: 'r1',
  scorer_id: 's',
  scorer_version_id: 'v',
  metric_name,
  status_type,
  value,
  explanation: null,
  message: null,
  effort: null,
  judged: null,
  times_scored: 1,
  scored_at: '2026-01-02T03:04:06Z',
});
const toValues = (...given: Parameters<typeof toRecordMetrics>) =>
  Object.fromEntries(toRecordMetrics(...given).map(({ name, value }) => [name, value]));

describe('the metrics of a record', () => {
  it('are its numeric metrics, a count of itself and whether it failed', () => {
    expect(toValues(record({ duration_ns: 5, cost: 0.25, model: 'x', list: [1] }), [])).toEqual({
      records: 1,
      errors: 0,
      duration_ns: 5,
      cost: 0.25,
    });
    expect(toValues(record({}, 500), []).errors).toBe(1);
    expect(toValues(record({}, null), []).errors).toBe(0);
  });

  it('are the results of scorers too, yes as 1 and no as 0, only where they succeeded', () => {
    const scores = [
      score('quality', 0.5),
      score('safe', true),
      score('rude', false),
      score('label', 'x'),
      score('late', 1, 'failed'),
    ];
    expect(toValues(record({ quality: 9 }), scores)).toEqual({ records: 1, errors: 0, quality: 0.5, safe: 1, rude: 0 });
  });
});

describe('the number of a metric', () => {
  it('has no sign when it is zero', () => {
    expect(toValues(record({ cost: -0 }), [score('quality', -0)])).toEqual({ records: 1, errors: 0, cost: 0, quality: 0 });
  });

  it('is what the newest score says, which a text hides, and what came with the record where it says nothing', () => {
    const came = record({ quality: 9 });
    expect(toValues(came, [score('quality', 0.5), score('quality', 0.75)]).quality).toBe(0.75);
    expect(toValues(came, [score('quality', 0.5), score('quality', null, 'failed')]).quality).toBe(9);
    expect(toValues(came, [score('quality', 0.5), score('quality', 'good')])).not.toHaveProperty('quality');
  });

  it('is what came with the record for a system metric, and what is counted for what is counted', () => {
    const came = record({ duration_ns: 5, records: 17, errors: true });
    expect(toValues(came, [score('duration_ns', 1)])).toEqual({ duration_ns: 5, records: 1, errors: 0 });
  });
});

describe('hours', () => {
  const number = (value: number, created_at: string) => ({ record_id: 'r', name: 'n', type: 'llm', value, created_at });

  it('hold what began in them', () => {
    const hours = groupByHour([
      number(1, '2026-01-02T03:00:00.000000Z'),
      number(3, '2026-01-02T03:59:59.999999Z'),
      number(-2, '2026-01-02T04:00:00.000Z'),
    ]);
    expect(hours).toMatchObject([
      { hour: '2026-01-02T03:00:00.000Z', count: 2, sum: 4, min: 1, max: 3 },
      { hour: '2026-01-02T04:00:00.000Z', count: 1, sum: -2, min: -2, max: -2 },
    ]);
  });

  it('are joined and taken apart', () => {
    const [a] = groupByHour([number(1, '2026-01-02T03:00:00Z'), number(5, '2026-01-02T03:10:00Z')]);
    const [b] = groupByHour([number(2, '2026-01-02T03:20:00Z')]);
    const both = joined(a!, b!);
    expect(both).toEqual(
      groupByHour([number(1, '2026-01-02T03:00:00Z'), number(5, '2026-01-02T03:10:00Z'), number(2, '2026-01-02T03:20:00Z')])[0],
    );
    expect(without(both, b!)).toEqual(a);
    expect(without(a!, a!)).toBeUndefined();
  });
});
