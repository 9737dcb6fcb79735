import { describe, expect, it } from 'vitest';
import type { TraceGraph } from '../../core/traces/read/trace-graph.ts';
import { graphRows } from './graph-rows.ts';

const node = (id: string, parent_id: string | null, occurrences: number) => ({ id, parent_id, occurrences });
const nodes = [
  node('rare', 'root', 1),
  node('as rare', 'root', 1),
  node('root', null, 5),
  node('often', 'root', 9),
  node('below', 'often', 2),
  node('other', null, 7),
];
const edges = [{ target: 'often', trace_ids: ['t1', 't2'] }];

describe('the rows of a graph of traces', () => {
  const rows = graphRows({ nodes, edges } as unknown as TraceGraph);

  it('stand parents before children, the more frequent first', () => {
    expect(rows.map(({ node: { id }, depth }) => [id, depth])).toEqual([
      ['other', 0],
      ['root', 0],
      ['often', 1],
      ['below', 2],
      ['rare', 1],
      ['as rare', 1],
    ]);
  });

  it('name a trace in which the step was taken', () => {
    expect(rows.map(({ example }) => example)).toEqual([undefined, undefined, 't1', undefined, undefined, undefined]);
  });
});
