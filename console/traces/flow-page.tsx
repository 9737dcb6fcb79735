import '../styles/traces.css';
import type { TraceGraph } from '../../core/traces/read/trace-graph.ts';
import { post } from '../api/client.ts';
import { numberText } from '../kit/formatting.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { LogStreamHead } from '../projects/log-stream-head.tsx';
import { FlowTable } from './flow-table.tsx';

interface AggregatedTraces {
  readonly graph: TraceGraph;
  readonly num_traces: number;
  readonly num_sessions: number;
  readonly has_all_traces: boolean;
}

/** How an application goes about its work: the newest traces of a log stream laid over each other. */
export function FlowPage({ params }: { params: Record<string, string> }) {
  const project_id = params.project_id!;
  const log_stream_id = params.log_stream_id!;
  const loaded = useLoaded(`flow ${project_id} ${log_stream_id}`, (signal) =>
    post<AggregatedTraces>(`/projects/${project_id}/traces/aggregated`, { log_stream_id }, { signal }),
  );
  return (
    <LogStreamHead project_id={project_id} log_stream_id={log_stream_id} part="flow">
      <Show loaded={loaded}>
        {({ graph, num_traces, num_sessions, has_all_traces }) =>
          num_traces === 0 ? (
            <Empty title="No traces yet">
              <p class="mb-0">Once traces have arrived, this shows which spans they have, how often, and how long these take.</p>
            </Empty>
          ) : (
            <>
              <p class="text-body-secondary">
                {has_all_traces ? 'All' : 'The newest'} {numberText(num_traces)} traces in {numberText(num_sessions)} sessions.
                Aggregated by call path.
              </p>
              <FlowTable graph={graph} project_id={project_id} num_traces={num_traces} />
            </>
          )
        }
      </Show>
    </LogStreamHead>
  );
}
