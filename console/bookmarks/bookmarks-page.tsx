import type { BookmarkPage, BookmarkView } from '../../core/bookmarks/bookmark.ts';
import type { LogStream } from '../../core/projects/log-stream.ts';
import type { Project } from '../../core/projects/project.ts';
import { get, put, remove } from '../api/client.ts';
import { toHref, useView } from '../kit/location.ts';
import { Empty, Failure, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { Table } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { ProjectHead } from '../projects/project-head.tsx';
import { useProject } from '../projects/use-project.ts';
import { allows } from '../sharing/permission.ts';
import { findRun } from '../traces/run-place.ts';

const LIMIT = 50;

/** Records of a project that the caller marked, and those that others share. */
export const BookmarksPage = ({ params }: { params: Record<string, string> }) => (
  <Show loaded={useProject(params.project_id!)}>{(project) => <Bookmarks project={project} />}</Show>
);

function Bookmarks({ project }: { project: Project }) {
  const [view] = useView();
  const starting_token = startIn(view);
  const path = `/projects/${project.id}/bookmarks`;
  const loaded = useLoaded(`${path} ${starting_token}`, (signal) =>
    get<BookmarkPage>(path, { query: { starting_token, limit: LIMIT }, signal }),
  );
  return (
    <>
      <ProjectHead project={project} active={path} />
      <Show loaded={loaded}>
        {(page) =>
          page.bookmarks.length === 0 ? (
            <Empty title="No bookmarks yet">
              <p>
                The star of a trace, span or session in its list, or the key b, puts it here. Nobody else sees it unless you share
                it.
              </p>
            </Empty>
          ) : (
            <>
              <BookmarkTable project={project} bookmarks={page.bookmarks} onChanged={loaded.reload} />
              <ViewPager page={page} />
            </>
          )
        }
      </Show>
    </>
  );
}

interface BookmarkTableProps {
  readonly project: Project;
  readonly bookmarks: readonly BookmarkView[];
  readonly onChanged: () => void;
}

function BookmarkTable({ project, bookmarks, onChanged }: BookmarkTableProps) {
  const streams = useLoaded(`log streams ${project.id}`, (signal) =>
    get<LogStream[]>(`/projects/${project.id}/log_streams`, { signal }),
  ).value;
  const names = new Map(streams?.map(({ id, name }) => [id, name]));
  const { run, error, busy } = useAction(async (change: () => Promise<unknown>) => {
    await change();
    onChanged();
  });
  const mayShare = allows(project.permissions, 'record_human_feedback');
  const toPath = ({ record_id }: BookmarkView): string => `/projects/${project.id}/bookmarks/${record_id}`;
  const share = async (one: BookmarkView): Promise<void> => {
    const { ids } = await findRun(project.id, one.run_id, new AbortController().signal);
    await put(toPath(one), { ...ids, is_shared: !one.is_shared });
  };
  const take = async (one: BookmarkView): Promise<void> => {
    const { ids } = await findRun(project.id, one.run_id, new AbortController().signal);
    await remove(toPath(one), { query: ids });
  };
  return (
    <>
      <Failure error={error} />
      <Table class="table align-middle">
        <thead>
          <tr>
            <th scope="col">Record</th>
            <th scope="col">Type</th>
            <th scope="col">Log stream</th>
            <th scope="col">Bookmarked</th>
            <th scope="col">By</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {bookmarks.map((one) => (
            <tr key={`${one.run_id} ${one.record_id} ${one.user?.id}`}>
              <td dir="auto">
                <a href={toHref(toRecordPath(one))}>{one.name || one.record_id.slice(0, 8)}</a>
              </td>
              <td>{one.record_type}</td>
              <td>{names.get(one.run_id) ?? ''}</td>
              <td>
                <Time at={one.created_at} />
              </td>
              <td>
                {one.is_mine ? 'You' : (one.user?.email ?? 'Former user')}
                {one.is_shared && <span class="badge text-bg-secondary ms-2">shared</span>}
              </td>
              <td class="text-end text-nowrap">
                {one.is_mine && (
                  <>
                    {(mayShare || one.is_shared) && (
                      <button
                        type="button"
                        class="btn btn-sm btn-outline-secondary me-2"
                        disabled={busy}
                        onClick={() => run(() => share(one))}
                      >
                        {one.is_shared ? 'Make private' : 'Share'}
                      </button>
                    )}
                    <button
                      type="button"
                      class="btn btn-sm btn-outline-danger"
                      disabled={busy}
                      onClick={() => run(() => take(one))}
                    >
                      Remove
                    </button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}

function toRecordPath({ project_id, run_id, record_id, record_type, trace_id }: BookmarkView): string {
  if (record_type === 'session') return `/projects/${project_id}/log_streams/${run_id}/sessions/${record_id}`;
  const trace = `/projects/${project_id}/traces/${trace_id}`;
  return record_type === 'span' ? `${trace}?span=${record_id}` : trace;
}
