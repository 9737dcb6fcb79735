import { describe, expect, it } from 'vitest';
import { toSteps } from './steps/step.ts';
import { toNode } from './test-nodes.ts';
import { findFailure } from './why-failed.ts';

const at = (second: number): string => `2026-11-10T08:00:0${second}.000Z`;

describe('why a trace failed', () => {
  it('is the first failed span with no failed one below it, not what it took along', () => {
    const tool = toNode('tool', { status_code: 503, created_at: at(2) });
    const early = toNode('early', { status_code: 500, created_at: at(1) });
    const agent = toNode('agent', { status_code: 500, spans: [tool, early] });
    expect(findFailure(toSteps(toNode('trace', { status_code: 500, spans: [agent] })))?.first?.record.id).toBe('early');
  });

  it('is told by scores that say no, are low or could not be computed', () => {
    const success = (value: unknown) => ({ status_type: 'success', value });
    const metric_info = {
      ...{ grounded: success(false), polite: success(true), quality: success(0.2), stars: success(4) },
      ...{ broken: { status_type: 'failed' }, below: { status_type: 'roll_up', roll_up_metrics: { average: 0 } } },
    };
    const found = findFailure(toSteps(toNode('trace', { metric_info })));
    expect(found?.scores.map(({ name }) => name)).toEqual(['grounded', 'quality', 'broken']);
  });

  it('is nothing where nothing failed', () => {
    expect(findFailure(toSteps(toNode('trace', { spans: [toNode('span', { status_code: 200 })] })))).toBeUndefined();
  });
});
