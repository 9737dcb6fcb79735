import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RecordOutline } from './record-scan.ts';
import { TraceGraphBuilder } from './trace-graph.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

type Facts = Partial<RecordOutline> & { readonly id: string };
const trace = (facts: Facts): RecordOutline => ({
  trace_id: facts.id,
  parent_id: null,
  session_id: facts.id,
  type: 'trace',
  name: 'chat',
  created_at: '2026-01-01T00:00:00.000Z',
  metrics: {},
  ...facts,
});
const span = (trace_id: string, facts: Facts): RecordOutline =>
  trace({ trace_id, parent_id: trace_id, type: 'tool', name: 'look', ...facts });

function computeGraph(...traces: (readonly RecordOutline[])[]) {
  const builder = new TraceGraphBuilder(digest);
  for (const records of traces) builder.add(records);
  const { graph, ...rest } = builder.result();
  const labels = new Map(graph.nodes.map(({ id, type, name }) => [id, `${type} ${name}`]));
  const edges = graph.edges.map((edge) => ({ ...edge, source: labels.get(edge.source), target: labels.get(edge.target) }));
  return { ...rest, graph, edges };
}

describe('traces laid over each other', () => {
  it('make one node of what came about the same way', () => {
    const { graph, edges } = computeGraph(
      [trace({ id: 'a' }), span('a', { id: 'a1' }), span('a', { id: 'a2' })],
      [trace({ id: 'b' }), span('b', { id: 'b1' })],
      [trace({ id: 'c' })],
      [trace({ id: 'd' })],
    );
    expect(graph.nodes).toMatchObject([
      { name: 'chat', type: 'trace', occurrences: 4, trace_count: 4, weight: 1, parent_id: null, has_children: true },
      { name: 'look', type: 'tool', occurrences: 3, trace_count: 2, weight: 0.75, has_children: false },
    ]);
    expect(edges).toMatchObject([{ source: 'trace chat', target: 'tool look', occurrences: 3, trace_count: 2, weight: 0.75 }]);
    expect(edges[0]!.trace_ids).toEqual(['a', 'b']);
  });

  it('keep apart what has another type, another name or another way', () => {
    const { graph } = computeGraph([
      trace({ id: 'a' }),
      span('a', { id: '1' }),
      span('a', { id: '2', type: 'retriever' }),
      span('a', { id: '3', name: 'find' }),
      span('a', { id: '4', parent_id: '3' }),
    ]);
    expect(graph.nodes).toHaveLength(5);
    expect(new Set(graph.nodes.map(({ id }) => id)).size).toBe(5);
  });

  it('tell how long steps took and what they used', () => {
    const call = { type: 'llm', metrics: { duration_ns: 10, num_input_tokens: 3, other: 1, num_output_tokens: 'many' } } as const;
    const { graph } = computeGraph([
      trace({ id: 'a' }),
      span('a', { id: '1', ...call }),
      span('a', { id: '2', ...call, metrics: { duration_ns: 30 } }),
    ]);
    const [root, llm] = graph.nodes;
    expect(root!.metrics).toEqual({});
    expect(Object.keys(llm!.metrics)).toEqual(['duration_ns', 'num_input_tokens']);
    expect(llm!.metrics.duration_ns).toMatchObject({ label: 'Duration', unit: 'nano_seconds', mean: 20, min: 10, max: 30 });
  });

  it('hang what has no parent, or is its own ancestor, right under the trace', () => {
    const { graph, edges } = computeGraph([
      trace({ id: 'a' }),
      span('a', { id: '1', name: 'lost', parent_id: 'nowhere' }),
      span('a', { id: '2', name: 'circle', parent_id: '3' }),
      span('a', { id: '3', name: 'round', parent_id: '2' }),
      span('a', { id: '4', name: 'below', parent_id: '3' }),
      span('a', { id: '5', name: 'self', parent_id: '5' }),
    ]);
    expect(graph.nodes.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(6);
    expect(edges.filter(({ source }) => source === 'trace chat').map(({ target }) => target)).toEqual(
      expect.arrayContaining(['tool lost', 'tool self']),
    );
    expect(edges.find(({ target }) => target === 'tool below')!.source).toBe('tool round');
  });

  it('walk a chain of ten thousand steps', () => {
    const chain = Array.from({ length: 10_000 }, (_, index) =>
      span('a', { id: String(index), name: String(index), parent_id: index === 0 ? 'a' : String(index - 1) }),
    );
    const builder = new TraceGraphBuilder(digest);
    builder.add([trace({ id: 'a' }), ...chain.toReversed()]);
    expect(builder.numNodes).toBe(10_001);
  });

  it('count sessions, and say from when to when they are', () => {
    const at = (second: string): string => `2026-01-01T00:00:0${second}Z`;
    const { num_traces, num_sessions, start_time, end_time } = computeGraph(
      [trace({ id: 'a', session_id: 's', created_at: at('2.000') })],
      [trace({ id: 'b', session_id: 's', created_at: at('1.000') })],
      [trace({ id: 'c', created_at: at('2.000001') })],
    );
    expect({ num_traces, num_sessions, start_time, end_time }).toEqual({
      ...{ num_traces: 3, num_sessions: 2 },
      ...{ start_time: at('1.000'), end_time: at('2.000001') },
    });
  });

  it('of no traces are an empty graph', () => {
    const { graph, num_traces, start_time } = computeGraph([span('a', { id: '1' })]);
    expect({ graph, num_traces, start_time }).toEqual({
      graph: { nodes: [], edges: [], edge_occurrences_histogram: null },
      num_traces: 0,
      start_time: null,
    });
  });
});
