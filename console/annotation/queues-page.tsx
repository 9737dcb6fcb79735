import { useState } from 'preact/hooks';
import type { AnnotationQueue } from '../../core/annotation/annotation-queue.ts';
import type { Project } from '../../core/projects/project.ts';
import { get } from '../api/client.ts';
import { toHref } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { ProjectHead } from '../projects/project-head.tsx';
import { useProject } from '../projects/use-project.ts';
import '../styles/annotation.css';
import { Table } from '../kit/table.tsx';
import { NewQueue } from './new-queue.tsx';
import { QueueProgressBar } from './progress-bar.tsx';
import { queuesPath } from './queue.ts';

/** The annotation queues of a project, and how far they are. */
export const QueuesPage = ({ params }: { params: Record<string, string> }) => (
  <Show loaded={useProject(params.project_id!)}>{(project) => <Queues project={project} />}</Show>
);

function Queues({ project }: { project: Project }) {
  const [creating, setCreating] = useState(false);
  const path = queuesPath(project.id);
  const loaded = useLoaded(path, (signal) => get<AnnotationQueue[]>(`/projects/${project.id}/annotation_queues`, { signal }));
  return (
    <>
      <ProjectHead project={project} active={path}>
        <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
          New queue
        </button>
      </ProjectHead>
      <Show loaded={loaded}>
        {(queues) =>
          queues.length === 0 ? (
            <Empty title="No annotation queues yet">
              <p>A queue hands records to people one by one, with questions about each.</p>
            </Empty>
          ) : (
            <QueueTable project_id={project.id} queues={queues} />
          )
        }
      </Show>
      {creating && <NewQueue project_id={project.id} onMade={loaded.reload} onClose={() => setCreating(false)} />}
    </>
  );
}

const QueueTable = ({ project_id, queues }: { project_id: string; queues: readonly AnnotationQueue[] }) => (
  <Table class="table align-middle">
    <thead>
      <tr>
        <th scope="col">Queue</th>
        <th scope="col">Progress</th>
        <th scope="col">Answers per record</th>
        <th scope="col">Created</th>
      </tr>
    </thead>
    <tbody>
      {queues.map((queue) => (
        <tr key={queue.id}>
          <td>
            <a href={toHref(`${queuesPath(project_id)}/${queue.id}`)}>{queue.name}</a>
          </td>
          <td>
            <QueueProgressBar queue={queue} />
          </td>
          <td>{queue.answers_required}</td>
          <td>
            <Time at={queue.created_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
