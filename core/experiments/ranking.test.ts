import { describe, expect, it } from 'vitest';
import { type Contender, ranked } from './ranking.ts';
import { computeAverages, type RunTotal } from './run-totals.ts';

const of = (run_id: string, averages: Contender['averages'], dataset_id: string | null = 'd'): Contender => ({
  run_id,
  dataset_id,
  averages,
});
const standing = (contenders: Contender[]) => Object.fromEntries(ranked(contenders));

describe('the rank of an experiment', () => {
  it('is by the mean of what its scorers said on average', () => {
    const standings = standing([
      of('a', { correct: 0.9, safe: 0.5, duration_ns: 1 }),
      of('b', { correct: 0.8, safe: 1, duration_ns: 9 }),
      of('c', { correct: 0.1, safe: 0.1, duration_ns: 9 }),
    ]);
    expect(standings.b).toEqual({ ranking_score: 0.9, rank: 1, winner: true });
    expect(standings.a).toEqual({ ranking_score: 0.7, rank: 2, winner: false });
    expect(standings.c).toMatchObject({ rank: 3, winner: false });
  });

  it('is shared by equals, and equals do not win', () => {
    const standings = standing([of('a', { x: 0.5 }), of('b', { x: 0.5 }), of('c', { x: 0.25 })]);
    expect(standings).toMatchObject({ a: { rank: 1, winner: false }, b: { rank: 1, winner: false }, c: { rank: 3 } });
  });

  it('compares only what was judged by the same metrics on the same dataset', () => {
    const standings = standing([
      of('alone', { x: 0.1 }),
      of('more', { x: 0.9, y: 0.9 }),
      of('elsewhere', { x: 0.9 }, 'other'),
      of('of no dataset', { x: 0.9 }, null),
      of('unjudged', { duration_ns: 5, error_rate: 0 }),
    ]);
    expect(standings.alone).toMatchObject({ rank: 1, winner: false });
    expect(standings.more).toMatchObject({ rank: 1, winner: false });
    expect(standings.elsewhere).toMatchObject({ rank: 1, winner: false });
    for (const name of ['of no dataset', 'unjudged'])
      expect(standings[name]).toEqual({ ranking_score: null, rank: null, winner: null });
  });

  it('leaves out metrics that are no shares', () => {
    expect(standing([of('a', { x: 0.5, words: 120 })]).a).toMatchObject({ ranking_score: 0.5 });
  });
});

describe('averages of a run', () => {
  const total = (name: string, type: string, sum: number, count: number): RunTotal => ({ run_id: 'r', name, type, sum, count });

  it('are over all that has a metric, and per trace for what adds up in a trace', () => {
    const totals = [
      total('records', 'trace', 4, 4),
      total('records', 'llm', 8, 8),
      total('errors', 'trace', 1, 4),
      total('errors', 'llm', 3, 8),
      total('duration_ns', 'trace', 400, 4),
      total('duration_ns', 'llm', 999, 8),
      total('num_input_tokens', 'llm', 80, 8),
      total('num_input_tokens', 'trace', 80, 4),
      total('cost', 'llm', 2, 8),
      total('time_to_first_token_ns', 'llm', 16, 8),
      total('correct', 'llm', 3, 8),
      total('correct', 'trace', 1, 2),
    ];
    expect(computeAverages(totals)).toEqual({
      error_rate: 0.25,
      duration_ns: 100,
      num_input_tokens: 20,
      cost: 0.5,
      time_to_first_token_ns: 2,
      correct: 0.4,
    });
    expect(computeAverages([])).toEqual({});
  });
});
