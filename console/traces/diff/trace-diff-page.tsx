import '../../styles/traces.css';
import { useMemo } from 'preact/hooks';
import type { Project } from '../../../core/projects/project.ts';
import { get } from '../../api/client.ts';
import { Crumbs } from '../../kit/crumbs.tsx';
import { costText, durationText, numberText } from '../../kit/formatting.ts';
import { toHref, useView } from '../../kit/location.ts';
import { Empty, Show } from '../../kit/notices.tsx';
import { Table } from '../../kit/table.tsx';
import { TableHeaders } from '../../kit/table-headers.tsx';
import { useLoaded } from '../../kit/use-loaded.ts';
import { ScoreChips } from '../../scores/score-chip.tsx';
import { computeStepDuration, type Step, type TraceNode, toSteps } from '../steps/step.ts';
import { alignSteps } from './align.ts';
import { SpanPairs } from './span-pairs.tsx';

const MOST_SCORES = 6;

/** Two traces beside each other: what they came to, and each span with what changed in it. */
export function TraceDiffPage({ params }: { params: Record<string, string> }) {
  const project_id = params.project_id!;
  const [view] = useView();
  const [base, other] = [view.get('base') ?? '', view.get('other') ?? ''];
  const path = `/projects/${project_id}`;
  const loaded = useLoaded(`diff ${project_id} ${base} ${other}`, async (signal) => {
    if (base === '' || other === '') return null;
    const [project, before, after] = await Promise.all([
      get<Project>(path, { signal }),
      get<TraceNode>(`${path}/traces/${base}`, { signal }),
      get<TraceNode>(`${path}/traces/${other}`, { signal }),
    ]);
    return { project, before: toSteps(before), after: toSteps(after) };
  });
  return (
    <Show loaded={loaded}>
      {(found) =>
        found === null ? (
          <Empty title="No traces to compare">
            <p>Select two traces in the list of a log stream, then choose Compare.</p>
          </Empty>
        ) : (
          <>
            <Crumbs
              crumbs={[
                { label: 'Projects', path: '/' },
                { label: found.project.name, path },
              ]}
              title="Compare traces"
            >
              <a class="btn btn-sm btn-outline-secondary" href={toHref(`${path}/traces/compare?base=${other}&other=${base}`)}>
                Swap
              </a>
            </Crumbs>
            <Totals before={found.before[0]!} after={found.after[0]!} />
            <Spans before={found.before} after={found.after} />
          </>
        )
      }
    </Show>
  );
}

function Spans({ before, after }: { before: readonly Step[]; after: readonly Step[] }) {
  const pairs = useMemo(() => alignSteps(before, after), [before, after]);
  return <SpanPairs pairs={pairs} />;
}

const Totals = ({ before, after }: { before: Step; after: Step }) => (
  <Table class="table table-rows">
    <TableHeaders of={['Trace', 'Status', { end: 'Duration' }, { end: 'Spans' }, { end: 'Tokens' }, { end: 'Cost' }, 'Scores']} />
    <tbody>
      <TotalsRow label="Baseline" step={before} />
      <TotalsRow label="Compared" step={after} />
    </tbody>
  </Table>
);

const TotalsRow = ({ label, step }: { label: string; step: Step }) => (
  <tr>
    <th scope="row">
      {label}:{' '}
      <a href={toHref(`/projects/${step.record.project_id}/traces/${step.record.id}`)}>{step.record.name || 'unnamed'}</a>
    </th>
    <td>{step.failed ? <span class="badge text-bg-danger">failed {step.record.status_code}</span> : 'OK'}</td>
    <td class="text-end">{durationText(computeStepDuration(step))}</td>
    <td class="text-end">{numberText(step.below)}</td>
    <td class="text-end">{numberText(step.tokens)}</td>
    <td class="text-end">{costText(step.cost)}</td>
    <td>
      <ScoreChips scores={step.record.metric_info} max={MOST_SCORES} />
    </td>
  </tr>
);
