import { z } from 'zod';
import { isBefore } from '../../kernel/timestamp.ts';
import { SYSTEM_METRICS, systemMetricEntry } from '../catalogue/system-metrics.ts';
import { computeHistogram, Histogram, SystemMetric, systemMetric } from '../columns/system-metric.ts';
import type { RecordOutline } from './record-scan.ts';

/** All steps of one type and name that were taken on the same way from the trace down. */
const GraphNode = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    type: z.string(),
    occurrences: z.int(),
    parent_id: z.string().nullable(),
    has_children: z.boolean(),
    metrics: z.record(z.string(), SystemMetric),
    trace_count: z.int(),
    weight: z.number(),
    insights: z.array(z.looseObject({})),
  })
  .meta({ id: 'GraphNode' });

const GraphEdge = z
  .object({
    source: z.string(),
    target: z.string(),
    weight: z.number(),
    occurrences: z.int(),
    trace_count: z.int(),
    trace_ids: z.array(z.string()),
  })
  .meta({ id: 'GraphEdge' });

export const TraceGraph = z
  .object({ nodes: z.array(GraphNode), edges: z.array(GraphEdge), edge_occurrences_histogram: Histogram.nullable() })
  .meta({ id: 'TraceGraph' });
export type TraceGraph = z.output<typeof TraceGraph>;

const METRICS = SYSTEM_METRICS.map((name) => ({ name, ...systemMetricEntry(name) }));
/** Of an edge, as examples. */
const MAX_TRACE_IDS = 100;

interface Node {
  readonly id: string;
  readonly parent_id: string | null;
  readonly type: string;
  readonly name: string;
  readonly values: Map<string, number[]>;
  readonly trace_ids: Set<string>;
  occurrences: number;
  has_children: boolean;
}

/** Lays traces over each other: steps that came about the same way become one node. */
export class TraceGraphBuilder {
  readonly #digest: (text: string) => string;
  readonly #nodes = new Map<string, Node>();
  readonly #sessions = new Set<string>();
  #traces = 0;
  #from: string | null = null;
  #to: string | null = null;

  /** `digest` makes an id of the way to a node, the same for the same way. */
  constructor(digest: (text: string) => string) {
    this.#digest = digest;
  }

  get numNodes(): number {
    return this.#nodes.size;
  }

  /** Of a trace without its own record nothing is known but spans that hang in the air: it is left out. */
  add(records: readonly RecordOutline[]): void {
    const trace = records.find(({ type }) => type === 'trace');
    if (!trace) return;
    this.#traces += 1;
    this.#sessions.add(trace.session_id);
    if (this.#from === null || isBefore(trace.created_at, this.#from)) this.#from = trace.created_at;
    if (this.#to === null || isBefore(this.#to, trace.created_at)) this.#to = trace.created_at;
    const root = this.#occur(trace, null);
    const children = getChildren(trace, records);
    const open = [{ id: trace.id, node: root }];
    for (let next = open.pop(); next; next = open.pop()) {
      for (const child of children.get(next.id) ?? []) open.push({ id: child.id, node: this.#occur(child, next.node) });
    }
  }

  /** Weights are occurrences per trace. */
  result(): { graph: TraceGraph; num_traces: number; num_sessions: number; start_time: string | null; end_time: string | null } {
    const nodes = [...this.#nodes.values()];
    const computeWeight = ({ occurrences }: Node): number => occurrences / this.#traces;
    const edges = nodes.flatMap((node) => (node.parent_id === null ? [] : [toEdge(node, node.parent_id, computeWeight(node))]));
    const graph = {
      nodes: nodes.map((node) => toShownNode(node, computeWeight(node))),
      edges,
      edge_occurrences_histogram: computeHistogram(edges.map(({ occurrences }) => occurrences)),
    };
    const times = { start_time: this.#from, end_time: this.#to };
    return { graph, num_traces: this.#traces, num_sessions: this.#sessions.size, ...times };
  }

  #occur(record: RecordOutline, parent: Node | null): Node {
    const key = JSON.stringify([parent?.id ?? null, record.type, record.name]);
    let node = this.#nodes.get(key);
    if (!node) {
      const facts = { id: this.#digest(key).slice(0, 32), parent_id: parent?.id ?? null, type: record.type, name: record.name };
      node = { ...facts, values: new Map(), trace_ids: new Set(), occurrences: 0, has_children: false };
      this.#nodes.set(key, node);
    }
    if (parent) parent.has_children = true;
    node.occurrences += 1;
    node.trace_ids.add(record.trace_id);
    for (const { name } of METRICS) {
      const value = record.metrics[name];
      if (typeof value !== 'number') continue;
      const values = node.values.get(name);
      if (values) values.push(value);
      else node.values.set(name, [value]);
    }
    return node;
  }
}

/** Spans whose parent is not there, or that are their own ancestors, hang right under the trace. */
function getChildren(trace: RecordOutline, records: readonly RecordOutline[]): Map<string, RecordOutline[]> {
  const spans = records.filter(({ id }) => id !== trace.id);
  const known = new Map(records.map((record) => [record.id, record]));
  const placed = new Set<string>([trace.id]);
  const parents = new Map<string, string>();
  for (const span of spans) {
    const way = new Set<RecordOutline>();
    let at: RecordOutline | undefined = span;
    while (at && !placed.has(at.id) && !way.has(at)) {
      way.add(at);
      at = at.parent_id === null ? undefined : known.get(at.parent_id);
    }
    const isRooted = at !== undefined && placed.has(at.id);
    const top = isRooted ? undefined : [...way].at(-1);
    for (const one of way) {
      parents.set(one.id, one === top ? trace.id : one.parent_id!);
      placed.add(one.id);
    }
  }
  return Map.groupBy(spans, ({ id }) => parents.get(id)!);
}

const toEdge = ({ id, occurrences, trace_ids }: Node, source: string, weight: number) => ({
  ...{ source, target: id, weight, occurrences },
  trace_count: trace_ids.size,
  trace_ids: [...trace_ids].slice(0, MAX_TRACE_IDS),
});

const toShownNode = ({ id, name, type, occurrences, parent_id, has_children, values, trace_ids }: Node, weight: number) => ({
  ...{ id, name: name === '' ? null : name, type, occurrences, parent_id, has_children },
  metrics: Object.fromEntries(
    METRICS.flatMap(({ name, label, unit }) => {
      const found = values.get(name);
      return found ? [[name, systemMetric(name, label, unit, found)]] : [];
    }),
  ),
  trace_count: trace_ids.size,
  weight,
  insights: [],
});
