import type { TraceGraph } from '../../core/traces/read/trace-graph.ts';

type GraphNode = TraceGraph['nodes'][number];

export interface GraphRow {
  readonly node: GraphNode;
  readonly depth: number;
  /** A trace in which it happened; undefined for the trace itself. */
  readonly example: string | undefined;
}

/** The nodes of a graph of traces as a tree, of siblings the more frequent first, else as they came. */
export function graphRows({ nodes, edges }: Pick<TraceGraph, 'nodes' | 'edges'>): GraphRow[] {
  const examples = new Map(edges.map(({ target, trace_ids }) => [target, trace_ids[0]]));
  const children = Map.groupBy(nodes, ({ parent_id }) => parent_id);
  const rows: GraphRow[] = [];
  const open: { node: GraphNode; depth: number }[] = [];
  const hang = (parent_id: string | null, depth: number): void => {
    const frequentFirst = (children.get(parent_id) ?? []).toSorted((a, b) => b.occurrences - a.occurrences);
    open.push(...frequentFirst.reverse().map((node) => ({ node, depth })));
  };
  hang(null, 0);
  for (let next = open.pop(); next; next = open.pop()) {
    rows.push({ ...next, example: examples.get(next.node.id) });
    hang(next.node.id, next.depth + 1);
  }
  return rows;
}
