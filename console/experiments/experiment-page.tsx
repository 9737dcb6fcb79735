import type { Experiment } from '../../core/experiments/experiment.ts';
import type { Project } from '../../core/projects/project.ts';
import { get } from '../api/client.ts';
import { Crumbs } from '../kit/crumbs.tsx';
import { toHref } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { useProject } from '../projects/use-project.ts';
import { ExperimentActions } from './experiment-actions.tsx';
import { ExperimentFacts } from './experiment-facts.tsx';
import { ExperimentRows } from './experiment-rows.tsx';
import { ExperimentScorers } from './experiment-scorers.tsx';
import { ExperimentTags } from './experiment-tags.tsx';
import { Spread } from './spread.tsx';

const LOOK_EVERY_MS = 4000;

/** One experiment: what it was made with, how it did, and each of its rows. */
export const ExperimentPage = ({ params }: { params: Record<string, string> }) => (
  <Show loaded={useProject(params.project_id!)}>
    {(project) => <OneExperiment project={project} experiment_id={params.experiment_id!} />}
  </Show>
);

function OneExperiment({ project, experiment_id }: { project: Project; experiment_id: string }) {
  const list = `/projects/${project.id}/experiments`;
  const path = `${list}/${experiment_id}`;
  const loaded = useLoaded(path, (signal) => get<Experiment>(path, { signal }), { everyMs: LOOK_EVERY_MS });
  return (
    <Show loaded={loaded}>
      {(experiment) => (
        <>
          <Crumbs
            crumbs={[
              { label: 'Projects', path: '/' },
              { label: project.name, path: `/projects/${project.id}` },
              { label: 'Experiments', path: list },
            ]}
            title={experiment.name}
          >
            <a class="btn btn-sm btn-outline-secondary" href={toHref(`${path}/records`)}>
              Filter traces
            </a>
            <ExperimentActions experiment={experiment} list={list} onChanged={loaded.reload} />
          </Crumbs>
          <ExperimentTags path={path} tags={experiment.tags} onChanged={loaded.reload} />
          <ExperimentFacts experiment={experiment} />
          <Spread title="How the scores are spread" project_id={project.id} experiment_id={experiment_id} />
          <ExperimentScorers project_id={project.id} experiment_id={experiment_id} />
          <ExperimentRows experiment={experiment} />
        </>
      )}
    </Show>
  );
}
