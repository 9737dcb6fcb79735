import '../styles/records.css';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { toHref, useView } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { LogStreamHead } from '../projects/log-stream-head.tsx';
import { FirstTrace } from './first-trace.tsx';
import { LEVELS, type Place, toListPath } from './level.ts';
import { RecordsBody } from './records-body.tsx';
import { findCost, RunAnyway } from './run-anyway.tsx';
import { listColumns } from './search.ts';
import { Toolbar } from './toolbar.tsx';
import { useRecords } from './use-records.ts';
import { readView } from './view.ts';

/** The traces, spans or sessions of a log stream. The rows are asked for first, and nothing waits between them and the screen. */
export function RecordsPage({ params }: { params: Record<string, string> }) {
  const [project_id, log_stream_id] = [params.project_id!, params.log_stream_id!];
  return (
    <Records
      run={{ project_id, run_id: log_stream_id, kind: 'log_stream' }}
      head={(list) => (
        <LogStreamHead project_id={project_id} log_stream_id={log_stream_id} part="">
          {list}
        </LogStreamHead>
      )}
    />
  );
}

interface RecordsProps {
  readonly run: Omit<Place, 'level'>;
  /** Parts that stand around the list. */
  readonly head: (list: ComponentChildren) => ComponentChildren;
}

/** The records of a run, with the filters and the order that the address says. */
export function Records({ run, head }: RecordsProps) {
  const [search] = useView();
  const view = readView(search);
  const place: Place = { ...run, level: view.level };
  const { page, arrived, isEmpty, isAllowed, allow } = useRecords(place, view);
  const explain = (error: unknown) => {
    const cost = findCost(error);
    return cost && <RunAnyway cost={cost} onRun={allow} />;
  };
  const columns = useColumnsBehind(place, page.value !== undefined);
  return head(
    <>
      <div class="toolbar d-flex flex-wrap gap-2 align-items-center mb-2">
        <LevelSwitch place={place} />
        {!isEmpty && <Toolbar place={place} view={view} descriptors={columns} records={page.value?.records ?? []} />}
      </div>
      {view.unreadable.map((part) => (
        <div class="alert alert-warning py-2" role="alert" key={part}>
          The {part} in this address cannot be read and were left out.
        </div>
      ))}
      <Show loaded={page} explain={explain}>
        {(found) =>
          isEmpty && run.kind === 'log_stream' ? (
            <FirstTrace place={place} />
          ) : (
            <RecordsBody
              key={`${run.run_id} ${view.level}`}
              place={place}
              view={view}
              page={found}
              arrived={arrived}
              descriptors={columns}
              reload={page.reload}
              isAllowed={isAllowed}
            />
          )
        }
      </Show>
    </>,
  );
}

/** The columns that there are, once the rows are here; looked at again when asked for. */
function useColumnsBehind(place: Place, isTime: boolean) {
  // Rows that are on their way again do not take the columns away.
  const [since, setSince] = useState<string>();
  const key = `columns ${JSON.stringify(place)}`;
  if (isTime && since !== key) setSince(key);
  const isAsked = isTime || since === key;
  return useLoaded(isAsked ? key : '', async (signal) => (isAsked ? listColumns(place, signal) : undefined)).value;
}

/** The same run by traces, spans or sessions: links, since each has other columns and so starts afresh. */
const LevelSwitch = ({ place }: { place: Place }) => (
  <nav aria-label="Levels" class="btn-group btn-group-sm">
    {LEVELS.filter(({ level }) => level !== 'session' || place.kind === 'log_stream').map((one) => (
      <a
        key={one.level}
        class={`btn btn-outline-secondary ${one.level === place.level ? 'active' : ''}`}
        aria-current={one.level === place.level ? 'page' : undefined}
        href={toHref(`${toListPath(place)}${one.level === 'trace' ? '' : `?level=${one.level}`}`)}
      >
        {one.label}
      </a>
    ))}
  </nav>
);
