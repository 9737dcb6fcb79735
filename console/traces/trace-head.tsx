import type { Project } from '../../core/projects/project.ts';
import { get, post } from '../api/client.ts';
import { RecordStar } from '../bookmarks/record-star.tsx';
import { Crumbs } from '../kit/crumbs.tsx';
import { costText, durationText, numberText } from '../kit/formatting.ts';
import { navigate, toHref, useView } from '../kit/location.ts';
import { Time } from '../kit/time.tsx';
import { useKeys } from '../kit/use-keys.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { changedPath } from '../kit/view-changes.ts';
import { Fact, Facts } from './facts.tsx';
import type { RunPlace } from './run-place.ts';
import { computeStepDuration, type Step } from './steps/step.ts';

/** Totals of a trace, and links to its log stream, its session and the traces beside it. */
export function TraceHead({ trace, run, live }: { trace: Step; run: RunPlace | undefined; live: boolean }) {
  const { record, tokens, cost, below } = trace;
  const { project_id, session_id } = record;
  const project = useLoaded(`project ${project_id}`, (signal) => get<Project>(`/projects/${project_id}`, { signal })).value;
  const crumbs = [
    { label: 'Projects', path: '/' },
    { label: project?.name ?? '…', path: `/projects/${project_id}` },
    ...(run?.path ? [{ label: run.name, path: run.path }] : []),
  ];
  const inSession = session_id !== record.id && run?.ids.log_stream_id !== undefined;
  return (
    <header>
      <Crumbs crumbs={crumbs} title={record.name || 'Unnamed trace'}>
        {run && <RecordStar project_id={project_id} ids={run.ids} record_id={record.id} name={record.name || 'the trace'} />}
        {run && <Ways project_id={project_id} trace_id={record.id} run={run} />}
      </Crumbs>
      <Facts>
        <Fact label="Started">
          <Time at={record.created_at} />
        </Fact>
        <Fact label="Duration">{durationText(computeStepDuration(trace))}</Fact>
        <Fact label="Spans">{numberText(below)}</Fact>
        {tokens !== undefined && <Fact label="Tokens">{numberText(tokens)}</Fact>}
        {cost !== undefined && <Fact label="Cost">{costText(cost)}</Fact>}
        {inSession && (
          <Fact label="Session">
            <a href={toHref(`${run.path}/sessions/${session_id}`)}>{session_id.slice(0, 8)}</a>
          </Fact>
        )}
        {!record.is_complete && <span class="badge text-bg-warning">not complete</span>}
        {trace.failed && <span class="badge text-bg-danger">failed {record.status_code}</span>}
        {live && (
          <span class="small text-body-secondary" role="status">
            watching for more
          </span>
        )}
      </Facts>
    </header>
  );
}

function Ways({ project_id, trace_id, run }: { project_id: string; trace_id: string; run: RunPlace }) {
  const found = useLoaded(`beside ${project_id} ${trace_id}`, (signal) =>
    findNeighbours(project_id, run, trace_id, signal),
  ).value;
  const [view] = useView();
  const show = view.get('show');
  // Whoever compares traces stays in the part that they look at.
  const toPath = (id: string): string => changedPath(`/projects/${project_id}/traces/${id}`, { show: show ?? undefined });
  const go = (id: string | undefined): void => {
    if (id !== undefined) navigate(toPath(id));
  };
  useKeys({ j: () => go(found?.older), k: () => go(found?.newer) });
  return (
    <nav class="btn-group btn-group-sm" aria-label="Traces beside this one">
      <Way label="Older" shortcut="j" path={found?.older && toPath(found.older)} />
      <Way label="Newer" shortcut="k" path={found?.newer && toPath(found.newer)} />
    </nav>
  );
}

const Way = ({ label, shortcut, path }: { label: string; shortcut: string; path: string | undefined }) =>
  path === undefined ? (
    <button type="button" class="btn btn-outline-secondary" disabled>
      {label}
    </button>
  ) : (
    <a class="btn btn-outline-secondary" href={toHref(path)} aria-keyshortcuts={shortcut} title={`Key ${shortcut}`}>
      {label}
    </a>
  );

/** The traces before and after one in their run, by time. */
interface Neighbours {
  readonly older: string | undefined;
  readonly newer: string | undefined;
}

async function findNeighbours(project_id: string, { ids }: RunPlace, trace_id: string, signal: AbortSignal): Promise<Neighbours> {
  const behind = async (ascending: boolean): Promise<string | undefined> => {
    const search = {
      ...ids,
      select_columns: { column_ids: ['id'] },
      sort: { column_id: 'created_at', ascending },
      previous_last_row_id: trace_id,
      limit: 1,
    };
    const page = await post<{ records: { id: string }[] }>(`/projects/${project_id}/traces/partial_search`, search, { signal });
    return page.records[0]?.id;
  };
  const [older, newer] = await Promise.all([behind(false), behind(true)]);
  return { older, newer };
}
