import type { ComponentChildren } from 'preact';
import type { LogStream } from '../../core/projects/log-stream.ts';
import type { Project } from '../../core/projects/project.ts';
import { get } from '../api/client.ts';
import { Crumbs } from '../kit/crumbs.tsx';
import { Show } from '../kit/notices.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

interface LogStreamHeadProps {
  readonly project_id: string;
  readonly log_stream_id: string;
  /** Which part is shown, as its address ends; empty for the records. */
  readonly part: '' | 'flow' | 'trends' | 'scorers' | 'insights' | 'agreement' | 'settings';
  /** Actions on the right. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

const PARTS = [
  { label: 'Traces', part: '' },
  { label: 'Flow', part: 'flow' },
  { label: 'Trends', part: 'trends' },
  { label: 'Scorers', part: 'scorers' },
  { label: 'Insights', part: 'insights' },
  { label: 'Agreement', part: 'agreement' },
  { label: 'Settings', part: 'settings' },
] as const;

/** Head of all views of one log stream; the part below it is shown once the log stream is known. */
export function LogStreamHead({ project_id, log_stream_id, part, actions, children }: LogStreamHeadProps) {
  const path = `/projects/${project_id}/log_streams/${log_stream_id}`;
  const toAddress = (one: string): string => (one === '' ? path : `${path}/${one}`);
  const loaded = useLoaded(path, async (signal) => {
    const [project, stream] = await Promise.all([
      get<Project>(`/projects/${project_id}`, { signal }),
      get<LogStream>(path, { signal }),
    ]);
    return { project, stream };
  });
  return (
    <Show loaded={loaded}>
      {({ project, stream }) => (
        <>
          <Crumbs
            crumbs={[
              { label: 'Projects', path: '/' },
              { label: project.name, path: `/projects/${project_id}` },
            ]}
            title={stream.name}
          >
            {actions}
          </Crumbs>
          <Tabs
            label={`Parts of ${stream.name}`}
            active={toAddress(part)}
            tabs={PARTS.map((one) => ({ label: one.label, path: toAddress(one.part) }))}
          />
          {children}
        </>
      )}
    </Show>
  );
}
