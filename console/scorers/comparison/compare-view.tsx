import type { Dataset } from '../../../core/datasets/dataset.ts';
import type { RunComparison } from '../../../core/health/comparison/run-comparison.ts';
import type { PageFields } from '../../../core/kernel/query/page.ts';
import type { Scorer } from '../../../core/scorers/scorer-view.ts';
import { get, post } from '../../api/client.ts';
import { BarChoice, named } from '../../kit/choice.tsx';
import { useView } from '../../kit/location.ts';
import { Empty, Show } from '../../kit/notices.tsx';
import { startIn } from '../../kit/pager.tsx';
import { useLoaded } from '../../kit/use-loaded.ts';
import { allProjects } from '../../projects/projects.ts';
import { type Candidate, listCandidates } from './candidates.ts';
import { ComparedRuns, Comparisons, DifferingRows } from './compare-results.tsx';
import { RunChoice } from './run-choice.tsx';

type Datasets = PageFields & { readonly datasets: readonly Dataset[] };
type Scorers = PageFields & { readonly scorers: readonly Scorer[] };
const MOST = 100;
const LIMIT = 20;
const ALL_PAIRS = 'all';

/** Which runs over a dataset agree best with its ground truth. */
export function CompareView({ scorer }: { scorer: Scorer }) {
  const [view, change] = useView();
  const dataset_id = view.get('dataset') ?? '';
  const project_id = view.get('project') ?? '';
  const loaded = useLoaded('datasets, projects and scorers to compare', async (signal) => {
    const [{ datasets }, projects, { scorers }] = await Promise.all([
      get<Datasets>('/datasets', { query: { limit: MOST }, signal }),
      allProjects(signal),
      post<Scorers>('/scorers/list', {}, { query: { limit: MOST }, signal }),
    ]);
    return { datasets, projects, scorers };
  });
  return (
    <Show loaded={loaded}>
      {({ datasets, projects, scorers }) => (
        <>
          <div class="d-flex flex-wrap gap-2 align-items-center mb-3">
            <BarChoice
              label="Dataset"
              choices={[{ id: '', label: 'Dataset …' }, ...datasets.map(named)]}
              value={dataset_id}
              onChoose={(dataset) => change({ dataset, project: undefined, runs: undefined, ...RESTART })}
            />
            <Runs
              scorer={scorer}
              dataset_id={dataset_id}
              project_id={project_id}
              projects={projects}
              scorers={scorers.filter(({ id }) => id !== scorer.id)}
            />
          </div>
          {(dataset_id === '' || project_id === '') && (
            <Empty title="Choose a dataset and a project">
              <p class="mb-0">Runs of the project over the dataset can be compared then.</p>
            </Empty>
          )}
          {dataset_id !== '' && project_id !== '' && (
            <InProject scorer={scorer} dataset_id={dataset_id} project_id={project_id} />
          )}
        </>
      )}
    </Show>
  );
}

/** Parameters that belong to one comparison alone. */
const RESTART = { baseline: undefined, rows: undefined, from: undefined } as const;

interface RunsProps {
  readonly scorer: Scorer;
  readonly dataset_id: string;
  readonly project_id: string;
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly scorers: readonly Scorer[];
}

function Runs({ project_id, projects, scorers }: RunsProps) {
  const [view, change] = useView();
  return (
    <>
      <BarChoice
        label="Project"
        choices={[{ id: '', label: 'Project …' }, ...projects.map(named)]}
        value={project_id}
        onChoose={(project) => change({ project, runs: undefined, ...RESTART })}
      />
      <BarChoice
        label="Also by scorer"
        choices={[{ id: '', label: 'This scorer only' }, ...scorers.map(({ id, label }) => ({ id, label: `and ${label}` }))]}
        value={view.get('with') ?? ''}
        onChoose={(other) => change({ with: other, ...RESTART })}
      />
    </>
  );
}

interface InProjectProps {
  readonly scorer: Scorer;
  readonly dataset_id: string;
  readonly project_id: string;
}

function InProject({ scorer, dataset_id, project_id }: InProjectProps) {
  const [view, change] = useView();
  const loaded = useLoaded(`runs to compare ${scorer.id} ${dataset_id} ${project_id}`, (signal) =>
    listCandidates(scorer.id, dataset_id, project_id, signal),
  );
  const chosen = (view.get('runs') ?? '').split(',').filter((id) => id !== '');
  return (
    <Show loaded={loaded}>
      {(candidates: readonly Candidate[]) => (
        <>
          <RunChoice candidates={candidates} chosen={chosen} onChoose={(runs) => change({ runs: runs.join(','), ...RESTART })} />
          <Compared scorer={scorer} project_id={project_id} run_ids={chosen} />
        </>
      )}
    </Show>
  );
}

interface ComparedProps {
  readonly scorer: Scorer;
  readonly project_id: string;
  readonly run_ids: readonly string[];
}

function Compared({ scorer, project_id, run_ids }: ComparedProps) {
  const [view] = useView();
  const other = view.get('with') ?? '';
  const runs = run_ids.flatMap((run_id) =>
    [scorer.id, other].filter((id) => id !== '').map((scorer_id) => ({ run_id, scorer_id })),
  );
  if (runs.length < 2)
    return (
      <Empty title="Choose two runs or more">
        <p class="mb-0">Or one run and another scorer that judged it.</p>
      </Empty>
    );
  return <Report project_id={project_id} runs={runs} />;
}

function Report({ project_id, runs }: { project_id: string; runs: readonly { run_id: string; scorer_id: string }[] }) {
  const [view, change] = useView();
  const baseline = view.get('baseline') ?? '0';
  const [run, against] = (view.get('rows') ?? '').split('-').map(Number);
  const request = {
    runs,
    baseline: baseline === ALL_PAIRS ? null : Number(baseline),
    rows_of: run === undefined || against === undefined ? null : { run, against },
    starting_token: startIn(view),
    limit: LIMIT,
  };
  const path = `/projects/${project_id}/metrics-testing/compare`;
  const loaded = useLoaded(`${path} ${JSON.stringify(request)}`, (signal) => post<RunComparison>(path, request, { signal }));
  return (
    <Show loaded={loaded}>
      {(comparison) => (
        <>
          {comparison.warnings.map(({ code, message }) => (
            <p key={code} class="alert alert-warning py-2" role="status">
              <span class="sentence">{message}</span>
            </p>
          ))}
          <ComparedRuns
            comparison={comparison}
            baseline={request.baseline}
            onBaseline={(place) => change({ ...RESTART, baseline: place === null ? ALL_PAIRS : String(place) })}
          />
          <Comparisons
            comparison={comparison}
            onRows={(pair) => change({ rows: `${pair.run}-${pair.against}`, from: undefined })}
          />
          <DifferingRows project_id={project_id} comparison={comparison} />
        </>
      )}
    </Show>
  );
}
