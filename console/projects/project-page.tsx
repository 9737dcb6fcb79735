import { useState } from 'preact/hooks';
import type { PageFields } from '../../core/kernel/query/page.ts';
import type { LogStream } from '../../core/projects/log-stream.ts';
import type { Project } from '../../core/projects/project.ts';
import { get, post } from '../api/client.ts';
import { ProjectHome } from '../home/project-home.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { numberText } from '../kit/formatting.ts';
import { navigate, toHref, useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { ProjectHead } from './project-head.tsx';

type LogStreamPage = PageFields & { readonly log_streams: readonly LogStream[] };
const LIMIT = 50;

/** The home of a project: how it is doing, and its log streams. */
export function ProjectPage({ params }: { params: Record<string, string> }) {
  const project_id = params.project_id!;
  const [view] = useView();
  const [creating, setCreating] = useState(false);
  const starting_token = startIn(view);
  const project = useLoaded(`project ${project_id}`, (signal) => get<Project>(`/projects/${project_id}`, { signal }));
  const streams = useLoaded(`log streams ${project_id} ${starting_token}`, (signal) =>
    get<LogStreamPage>(`/projects/${project_id}/log_streams/paginated`, {
      query: { starting_token, limit: LIMIT, include_counts: true },
      signal,
    }),
  );
  return (
    <Show loaded={project}>
      {(known) => (
        <>
          <ProjectHead project={known} active={`/projects/${project_id}`}>
            <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
              New log stream
            </button>
          </ProjectHead>
          <Show loaded={streams}>
            {(page) =>
              page.log_streams.length === 0 ? (
                <Empty title="No log streams yet">
                  <p>A log stream takes the traces of one application. Make one to see how traces are sent to it.</p>
                </Empty>
              ) : (
                <>
                  <ProjectHome project_id={project_id} log_streams={page.log_streams} />
                  <h2 class="h6">Log streams</h2>
                  <LogStreamTable log_streams={page.log_streams} />
                  <ViewPager page={page} />
                </>
              )
            }
          </Show>
          {creating && (
            <FormDialog
              title="New log stream"
              verb="Create"
              onClose={() => setCreating(false)}
              onSubmit={async (values) => {
                const { id } = await post<LogStream>(`/projects/${project_id}/log_streams`, { name: values.get('name') });
                navigate(`/projects/${project_id}/log_streams/${id}`);
              }}
            >
              <TextField label="Name" name="name" required />
            </FormDialog>
          )}
        </>
      )}
    </Show>
  );
}

const LogStreamTable = ({ log_streams }: { log_streams: readonly LogStream[] }) => (
  <Table class="table table-hover table-rows">
    <TableHeaders of={['Name', { end: 'Traces' }, { end: 'Spans' }, 'Updated']} />
    <tbody>
      {log_streams.map(({ id, project_id, name, num_traces, num_spans, updated_at }) => (
        <tr key={id}>
          <td>
            <a href={toHref(`/projects/${project_id}/log_streams/${id}`)}>{name}</a>
          </td>
          <td class="text-end">{numberText(num_traces)}</td>
          <td class="text-end">{numberText(num_spans)}</td>
          <td>
            <Time at={updated_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
