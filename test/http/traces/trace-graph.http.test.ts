import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../harness.ts';
import { startWithLogStream } from '../projects/log-stream-fixture.ts';

let server: TestServer;
let log_stream_id: string;
let at: string;
beforeEach(async () => {
  ({ server, at, log_stream_id } = await startWithLogStream());
});
afterEach(() => server.close());

const post = (path: string, body?: unknown) => server.request('POST', `${at}/${path}`, body);
const aggregated = (body: object = {}) => post('traces/aggregated', { log_stream_id, ...body });

describe('the graph of traces', () => {
  it('lays the traces that match over each other', async () => {
    const spans = [{ type: 'agent', name: 'plan', spans: [{ type: 'llm', name: 'ask', metrics: { duration_ns: 5 } }] }];
    await post('traces', { log_stream_id, traces: [{ name: 'a', spans }, { name: 'a', spans }, { name: 'b' }] });
    const filters = [{ type: 'text', column_id: 'name', operator: 'eq', value: 'a' }];
    const { status, body } = await aggregated({ filters });
    expect(status).toBe(200);
    expect(body).toMatchObject({ num_traces: 2, num_sessions: 2, has_all_traces: true });
    expect(body.graph.nodes.map(({ type, occurrences }: Record<string, unknown>) => [type, occurrences])).toEqual([
      ['trace', 2],
      ['agent', 2],
      ['llm', 2],
    ]);
    const [root, agent, llm] = body.graph.nodes;
    expect(body.graph.edges).toMatchObject([
      { source: root.id, target: agent.id, weight: 1 },
      { source: agent.id, target: llm.id, occurrences: 2 },
    ]);
    expect(llm.metrics.duration_ns).toMatchObject({ mean: 5, histogram: { strategy: 'fixed', total: 2 } });
    expect(body.graph.edge_occurrences_histogram.total).toBe(2);
  });

  it('has the same ids the next time', async () => {
    await post('traces', { log_stream_id, traces: [{ name: 'a', spans: [{ type: 'tool', name: 'look' }] }] });
    expect((await aggregated()).body.graph).toEqual((await aggregated()).body.graph);
  });

  it('takes the newest thousand traces, and says that there are more', async () => {
    const traces = (count: number) => Array.from({ length: count }, () => ({ name: 'a' }));
    await post('traces', { log_stream_id, traces: traces(1_000) });
    expect((await aggregated()).body).toMatchObject({ num_traces: 1_000, has_all_traces: true });
    await post('traces', { log_stream_id, traces: traces(1) });
    expect((await aggregated()).body).toMatchObject({ num_traces: 1_000, has_all_traces: false });
  });

  it('is empty without traces, and 404 for an unknown run', async () => {
    expect((await aggregated()).body).toMatchObject({ graph: { nodes: [], edges: [] }, num_traces: 0, start_time: null });
    expect((await aggregated({ log_stream_id: randomUUID() })).status).toBe(404);
  });
});
