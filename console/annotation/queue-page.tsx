import type { QueueProgress } from '../../core/annotation/annotation-progress-service.ts';
import type { AnnotationQueue } from '../../core/annotation/annotation-queue.ts';
import type { Project } from '../../core/projects/project.ts';
import { get } from '../api/client.ts';
import { BarChoice } from '../kit/choice.tsx';
import { useView } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { ProjectHead } from '../projects/project-head.tsx';
import { useProject } from '../projects/use-project.ts';
import { allows } from '../sharing/permission.ts';
import '../styles/annotation.css';
import { ItemsView } from './items-view.tsx';
import { QueueProgressBar } from './progress-bar.tsx';
import { ProgressView } from './progress-view.tsx';
import { type Part, type QueueView, queueApi, queuesPath } from './queue.ts';
import { QueueActions } from './queue-actions.tsx';
import { Work } from './work.tsx';

const AGAIN_MS = 15_000;
const PARTS: readonly { readonly id: Part; readonly label: string }[] = [
  { id: 'annotate', label: 'Annotate' },
  { id: 'review', label: 'Review' },
  { id: 'records', label: 'Records' },
  { id: 'progress', label: 'Progress' },
];

/** One annotation queue: the next record for whoever looks, and how far all are. */
export const QueuePage = ({ params }: { params: Record<string, string> }) => (
  <Show loaded={useProject(params.project_id!)}>{(project) => <Queue project={project} queue_id={params.queue_id!} />}</Show>
);

function Queue({ project, queue_id }: { project: Project; queue_id: string }) {
  const [view, change] = useView();
  const part = PARTS.find(({ id }) => id === view.get('part'))?.id ?? 'annotate';
  const api = queueApi(project.id, queue_id);
  const mayConfigure = allows(project.permissions, 'configure_human_feedback');
  const loaded = useLoaded(api, (signal) => getQueue(api, signal), { everyMs: AGAIN_MS });
  return (
    <>
      <ProjectHead project={project} active={queuesPath(project.id)} />
      <Show loaded={loaded}>
        {({ queue, progress }) => (
          <>
            <div class="d-flex flex-wrap align-items-center gap-3 mb-3">
              <h2 class="h5 mb-0">{queue.name}</h2>
              <BarChoice
                label="Part of the queue"
                choices={PARTS}
                value={part}
                onChoose={(chosen) =>
                  change({ part: chosen === 'annotate' ? undefined : chosen, from: undefined, status: undefined })
                }
              />
              <QueueProgressBar queue={queue} />
              {mayConfigure && <QueueActions queue={queue} onChanged={loaded.reload} />}
            </div>
            {part === 'progress' && <ProgressView project_id={project.id} api={api} queue={queue} progress={progress} />}
            {part === 'records' && <ItemsView api={api} queue={queue} mayConfigure={mayConfigure} onChanged={loaded.reload} />}
            {(part === 'annotate' || part === 'review') && (
              <Work key={part} project_id={project.id} api={api} isReview={part === 'review'} onEnded={loaded.reload} />
            )}
          </>
        )}
      </Show>
    </>
  );
}

async function getQueue(api: string, signal: AbortSignal): Promise<QueueView> {
  const [queue, progress] = await Promise.all([
    get<AnnotationQueue>(api, { signal }),
    get<QueueProgress>(`${api}/progress`, { signal }),
  ]);
  return { queue, progress };
}
