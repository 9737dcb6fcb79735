import { describe, expect, it } from 'vitest';
import { toSteps } from './steps/step.ts';
import { toNode } from './test-nodes.ts';
import { findFailure, toSimilarPath } from './why-failed.ts';

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

describe('failures of the same kind', () => {
  const ids = { log_stream_id: 's' };
  const stream = { name: 'live', path: '/projects/p/log_streams/s', ids };
  const [trace, tool] = toSteps(toNode('asks', { type: 'trace', spans: [toNode('books', { type: 'tool' })] }));

  it('are listed by name and status, where the run is', () => {
    const listed = toSimilarPath(tool!, stream)!;
    const [path, query] = listed.split('?');
    const params = new URLSearchParams(query);
    expect([path, params.get('level')]).toEqual(['/projects/p/log_streams/s', 'span']);
    expect(JSON.parse(params.get('filters')!)).toMatchObject([
      { column_id: 'name', operator: 'eq', value: 'books' },
      { column_id: 'status_code', operator: 'gte', value: 400 },
    ]);
    expect(toSimilarPath(trace!, stream)).not.toContain('level=');
    const experiment = { name: 'e', path: '/projects/p/experiments/e', ids: { experiment_id: 'e' } };
    expect(toSimilarPath(tool!, experiment)).toContain('/projects/p/experiments/e/records?level=span');
  });

  it('are listed nowhere for a step without a name, or a trial of a scorer', () => {
    expect(toSimilarPath(tool!, { name: 'trial', path: undefined, ids: {} })).toBeUndefined();
    expect(toSimilarPath({ record: { ...tool!.record, name: '' } }, stream)).toBeUndefined();
  });
});
