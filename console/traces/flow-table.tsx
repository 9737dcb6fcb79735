import { useState } from 'preact/hooks';
import type { TraceGraph } from '../../core/traces/read/trace-graph.ts';
import { durationText, numberText, percentText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { Table } from '../kit/table.tsx';
import { type GraphRow, graphRows } from './graph-rows.ts';
import { StepBadge } from './steps/step-badge.tsx';
import { stepColor } from './steps/step-color.ts';

const SHOWN = 200;

interface FlowTableProps {
  readonly graph: TraceGraph;
  readonly project_id: string;
  readonly num_traces: number;
}

/** The steps of many traces as an indented table, each with how often it is taken and what it needs. */
export function FlowTable({ graph, project_id, num_traces }: FlowTableProps) {
  const [all, setAll] = useState(false);
  const rows = graphRows(graph);
  const shown = all ? rows : rows.slice(0, SHOWN);
  const slowest = Math.max(...rows.map(({ node }) => node.metrics.duration_ns?.median ?? 0));
  return (
    <>
      <Table class="table table-hover table-rows">
        <thead>
          <tr>
            <th scope="col">Span</th>
            {['Per trace', 'In traces', 'Median tokens', 'p95 time', 'Median time'].map((label, at) => (
              <th key={label} scope="col" class={at === 4 ? 'flow-time' : 'text-end'}>
                {label}
              </th>
            ))}
            <th scope="col">Example</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <FlowRow key={row.node.id} row={row} project_id={project_id} num_traces={num_traces} slowest={slowest} />
          ))}
        </tbody>
      </Table>
      {shown.length < rows.length && (
        <button type="button" class="btn btn-sm btn-outline-secondary" onClick={() => setAll(true)}>
          Show all {numberText(rows.length)} rows
        </button>
      )}
    </>
  );
}

interface FlowRowProps extends Omit<FlowTableProps, 'graph'> {
  readonly row: GraphRow;
  readonly slowest: number;
}

function FlowRow({ row: { node, depth, example }, project_id, num_traces, slowest }: FlowRowProps) {
  const { name, type, weight, trace_count, metrics } = node;
  const took = metrics.duration_ns?.median;
  const share = took && slowest > 0 ? took / slowest : 0;
  return (
    <tr>
      <td>
        <span class="d-flex align-items-center gap-2" style={{ paddingLeft: `${depth * 1.25}rem` }}>
          <StepBadge type={type} /> {name ?? 'unnamed'}
        </span>
      </td>
      <td class="text-end">{numberText(Math.round(weight * 100) / 100)}</td>
      <td class="text-end">{percentText(trace_count / num_traces)}</td>
      <td class="text-end">{numberText(metrics.num_total_tokens?.median)}</td>
      <td class="text-end">{durationText(metrics.duration_ns?.p95)}</td>
      <td class="flow-time">
        <span class="flow-bar" style={{ ...stepColor(type), width: `${share * 60}%` }} />
        {durationText(took)}
      </td>
      <td>{example && <a href={toHref(`/projects/${project_id}/traces/${example}`)}>{example.slice(0, 8)}</a>}</td>
    </tr>
  );
}
