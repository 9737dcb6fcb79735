import type { Experiment } from '../../core/experiments/experiment.ts';
import type { Project } from '../../core/projects/project.ts';
import { get } from '../api/client.ts';
import { Crumbs } from '../kit/crumbs.tsx';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { Records } from '../records/records-page.tsx';

/** The traces and spans of an experiment, to be filtered and exported as those of a log stream. */
export function ExperimentRecordsPage({ params }: { params: Record<string, string> }) {
  const [project_id, run_id] = [params.project_id!, params.experiment_id!];
  const path = `/projects/${project_id}/experiments/${run_id}`;
  const loaded = useLoaded(`records of ${path}`, async (signal) => {
    const [project, experiment] = await Promise.all([
      get<Project>(`/projects/${project_id}`, { signal }),
      get<Experiment>(path, { signal }),
    ]);
    return { project, experiment };
  });
  return (
    <Records
      run={{ project_id, run_id, kind: 'experiment' }}
      head={(list) => (
        <Show loaded={loaded}>
          {({ project, experiment }) => (
            <>
              <Crumbs
                crumbs={[
                  { label: 'Projects', path: '/' },
                  { label: project.name, path: `/projects/${project_id}` },
                  { label: 'Experiments', path: `/projects/${project_id}/experiments` },
                  { label: experiment.name, path },
                ]}
                title="Traces"
              />
              {list}
            </>
          )}
        </Show>
      )}
    />
  );
}
