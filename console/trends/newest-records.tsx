import { post } from '../api/client.ts';
import { timestampText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { type LogStreamPath, logStreamPath, trendsPath } from './address.ts';
import { queryTime, type TimeView } from './time-range.ts';

const DAY_MS = 24 * 3_600_000;
const SHOWN_DAYS = 14;

interface NewestPage {
  readonly records: readonly { readonly created_at: string }[];
}

/** Placeholder for a dashboard without data: whether there are records at other times, and how to get to them. */
export function NewestRecords({ stream, time }: { stream: LogStreamPath; time: TimeView }) {
  const newest = useLoaded(`newest ${stream.log_stream_id}`, (signal) =>
    post<NewestPage>(
      `/projects/${stream.project_id}/traces/search`,
      { log_stream_id: stream.log_stream_id, limit: 1 },
      { signal },
    ),
  );
  return (
    <Show loaded={newest}>
      {({ records: [record] }) =>
        record ? (
          <div class="d-flex flex-wrap gap-2 align-items-center border rounded px-3 py-2 mb-3" role="status">
            {isWithin(record.created_at, time) ? (
              'The records of this time are still being counted; that takes some seconds.'
            ) : (
              <>
                No records in this time. The newest one is of {timestampText(record.created_at)}.
                <a class="btn btn-sm btn-outline-secondary" href={toHref(`${trendsPath(stream)}?${around(record.created_at)}`)}>
                  Show the {SHOWN_DAYS} days up to then
                </a>
              </>
            )}
          </div>
        ) : (
          <Empty title="No records yet">
            <p>
              The charts fill as soon as traces arrive. <a href={toHref(logStreamPath(stream))}>How they are sent</a>
            </p>
          </Empty>
        )
      }
    </Show>
  );
}

function isWithin(created_at: string, time: TimeView): boolean {
  const { start_time, end_time } = queryTime(time, new Date());
  return created_at >= start_time && created_at < end_time;
}

/** Whole days, so that the buckets are. */
function around(created_at: string): URLSearchParams {
  const to = Math.floor(Date.parse(created_at) / DAY_MS + 1) * DAY_MS;
  const iso = (ms: number): string => new Date(ms).toISOString();
  return new URLSearchParams({ from: iso(to - SHOWN_DAYS * DAY_MS), to: iso(to) });
}
