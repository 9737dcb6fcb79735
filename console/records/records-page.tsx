import '../styles/records.css';
import { useState } from 'preact/hooks';
import { toHref, useView } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { LogStreamHead } from '../projects/log-stream-head.tsx';
import { FirstTrace } from './first-trace.tsx';
import { LEVELS, type Place } from './level.ts';
import { RecordsBody } from './records-body.tsx';
import { findCost, RunAnyway } from './run-anyway.tsx';
import { listColumns } from './search.ts';
import { Toolbar } from './toolbar.tsx';
import { useRecords } from './use-records.ts';
import { readView } from './view.ts';

/** The traces, spans or sessions of a log stream. The rows are asked for first, and nothing waits between them and the screen. */
export function RecordsPage({ params }: { params: Record<string, string> }) {
  const [project_id, log_stream_id] = [params.project_id!, params.log_stream_id!];
  const [search] = useView();
  const view = readView(search);
  const place: Place = { project_id, log_stream_id, level: view.level };
  const { page, arrived, isEmpty, isAllowed, allow } = useRecords(place, view);
  const explain = (error: unknown) => {
    const cost = findCost(error);
    return cost && <RunAnyway cost={cost} onRun={allow} />;
  };
  const columns = useColumnsBehind(place, page.value !== undefined);
  return (
    <LogStreamHead project_id={project_id} log_stream_id={log_stream_id} part="">
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
          isEmpty ? (
            <FirstTrace place={place} />
          ) : (
            <RecordsBody
              key={`${log_stream_id} ${view.level}`}
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
    </LogStreamHead>
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

/** The same log stream by traces, spans or sessions: links, since each has other columns and so starts afresh. */
const LevelSwitch = ({ place: { project_id, log_stream_id, level } }: { place: Place }) => (
  <nav aria-label="Levels" class="btn-group btn-group-sm">
    {LEVELS.map((one) => (
      <a
        key={one.level}
        class={`btn btn-outline-secondary ${one.level === level ? 'active' : ''}`}
        aria-current={one.level === level ? 'page' : undefined}
        href={toHref(`/projects/${project_id}/log_streams/${log_stream_id}${one.level === 'trace' ? '' : `?level=${one.level}`}`)}
      >
        {one.label}
      </a>
    ))}
  </nav>
);
