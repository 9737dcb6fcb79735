import '../styles/experiments.css';
import type { Comparison } from '../../core/experiments/comparison/comparison.ts';
import type { Experiment } from '../../core/experiments/experiment.ts';
import type { Project } from '../../core/projects/project.ts';
import { get, post } from '../api/client.ts';
import { ChangedText } from '../kit/changed-text.tsx';
import { Crumbs } from '../kit/crumbs.tsx';
import { useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { startIn } from '../kit/pager.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { useProject } from '../projects/use-project.ts';
import { CompareMetrics } from './compare-metrics.tsx';
import { CompareRows } from './compare-rows.tsx';
import { CompareSides } from './compare-sides.tsx';
import { differingSettings } from './settings.ts';

const LIMIT = 20;

/** Experiments against the first one: what was set differently, what came of it, and in which rows. */
export const ComparePage = ({ params }: { params: Record<string, string> }) => (
  <Show loaded={useProject(params.project_id!)}>{(project) => <Compare project={project} />}</Show>
);

function Compare({ project }: { project: Project }) {
  const list = `/projects/${project.id}/experiments`;
  const [view] = useView();
  const ids = (view.get('ids') ?? '').split(',').filter((id) => id !== '');
  const loaded = useLoaded(`${list} ${ids}`, (signal) =>
    Promise.all(ids.map((id) => get<Experiment>(`${list}/${id}`, { signal }))),
  );
  return (
    <>
      <Crumbs
        crumbs={[
          { label: 'Projects', path: '/' },
          { label: project.name, path: `/projects/${project.id}` },
          { label: 'Experiments', path: list },
        ]}
        title="Compare experiments"
      />
      {ids.length < 2 ? (
        <Empty title="Two experiments are needed">
          <p>Choose them in the list of experiments of the project.</p>
        </Empty>
      ) : (
        <Show loaded={loaded}>{(experiments) => <Compared path={list} experiments={experiments} />}</Show>
      )}
    </>
  );
}

function Compared({ path, experiments }: { path: string; experiments: readonly Experiment[] }) {
  const [view, change] = useView();
  const baseline = experiments[0]!;
  const candidate = experiments.find(({ id }) => id === view.get('candidate')) ?? experiments[1]!;
  const metric = view.get('metric') ?? undefined;
  const starting_token = startIn(view);
  const wanted = { baseline_id: baseline.id, candidate_id: candidate.id, metric, starting_token, limit: LIMIT };
  const loaded = useLoaded(`compare ${JSON.stringify(wanted)}`, (signal) =>
    post<Comparison>(`${path}/compare`, wanted, { signal }),
  );
  return (
    <>
      <CompareSides experiments={experiments} candidate={candidate} onChange={change} />
      <CompareSettings baseline={baseline} candidate={candidate} />
      <Show loaded={loaded}>
        {(comparison) => (
          <>
            <CompareMetrics comparison={comparison} onMetric={(name) => change({ metric: name, from: undefined })} />
            <CompareRows project_id={baseline.project_id} comparison={comparison} />
          </>
        )}
      </Show>
    </>
  );
}

/** Configuration changes. */
function CompareSettings({ baseline, candidate }: { baseline: Experiment; candidate: Experiment }) {
  const settings = differingSettings(baseline, candidate);
  return (
    <section aria-label="Configuration changes" class="mb-3">
      <h2 class="h6">Configuration changes</h2>
      {settings.length === 0 && <p class="text-body-secondary">None of those that are known.</p>}
      {settings.map(({ name, before, after }) => (
        <div key={name} class="mb-1 setting">
          <div class="small text-body-secondary">{name}</div>
          <ChangedText before={before} after={after} labels={['Baseline', 'Candidate']} />
        </div>
      ))}
    </section>
  );
}
