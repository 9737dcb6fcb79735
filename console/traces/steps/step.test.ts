import { describe, expect, it } from 'vitest';
import { toNode } from '../test-nodes.ts';
import { computeStepDuration, getTokens, isFailure, toSteps } from './step.ts';

const trace = toNode('trace', {
  spans: [
    toNode('agent', {
      created_at: '2026-11-10T08:00:00.100Z',
      spans: [
        toNode('llm', {
          created_at: '2026-11-10T08:00:00.200500Z',
          metrics: { duration_ns: 1_000_000, num_input_tokens: 3, num_output_tokens: 4, cost: 0.5 },
        }),
        toNode('tool', { status_code: 500 }),
      ],
    }),
    toNode('last', { metrics: { num_total_tokens: 10 } }),
  ],
});

describe('the steps of a trace', () => {
  const steps = toSteps(trace);
  const [root, agent, llm, tool, last] = steps;

  it('stand parents before children, siblings in their order', () => {
    expect(steps.map(({ record, depth }) => [record.id, depth])).toEqual([
      ['trace', 0],
      ['agent', 1],
      ['llm', 2],
      ['tool', 2],
      ['last', 1],
    ]);
    expect([agent!.parent, agent!.below, root!.below]).toEqual([root, 2, 4]);
    expect([tool!.position, tool!.siblings]).toEqual([2, 2]);
  });

  it('come to what stands below them where they do not say themselves', () => {
    expect([root!.tokens, agent!.tokens, last!.tokens]).toEqual([17, 7, 10]);
    expect([root!.cost, agent!.cost, last!.cost]).toEqual([0.5, 0.5, undefined]);
  });

  it('last as long as they say, else until the last step below them ends', () => {
    expect(computeStepDuration(llm!)).toBe(1_000_000);
    expect(computeStepDuration(agent!)).toBe(101_500_000);
    expect(computeStepDuration(tool!)).toBeUndefined();
  });

  it('have failed from status 400 on', () => {
    expect(steps.filter(({ failed }) => failed)).toEqual([tool]);
    expect([null, 200, 399, 400, 500].map(isFailure)).toEqual([false, false, false, true, true]);
  });

  it('may be as deep as they like', () => {
    let node = toNode('deepest', {});
    for (let depth = 0; depth < 20_000; depth += 1) node = toNode(`at ${depth}`, { spans: [node] });
    expect(toSteps(node)).toHaveLength(20_001);
  });
});

describe('tokens', () => {
  it('are the total that was stated, else the sum of both sides', () => {
    expect(getTokens({ num_total_tokens: 9, num_input_tokens: 1 })).toBe(9);
    expect(getTokens({ num_input_tokens: 1, num_output_tokens: 2 })).toBe(3);
    expect(getTokens({ num_output_tokens: 2 })).toBe(2);
    expect(getTokens({ num_total_tokens: 'many' })).toBeUndefined();
  });
});
