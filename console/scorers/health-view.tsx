import type { Dataset } from '../../core/datasets/dataset.ts';
import type { ListedHealthScore } from '../../core/health/health-score.ts';
import type { ScorerGate } from '../../core/health/scorer-gate.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { get } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { BarChoice, named } from '../kit/choice.tsx';
import { toHref, useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { type Loaded, useLoaded } from '../kit/use-loaded.ts';
import { GatePanel } from './gate-panel.tsx';
import { HealthChart } from './health-chart.tsx';
import { HealthDetail } from './health-detail.tsx';
import { threshold, toHealthRows, typesIn } from './health-figures.ts';
import { HealthTable } from './health-table.tsx';
import { scorerPath } from './scorer-calls.ts';
import { HEALTH_WORDS } from './words.ts';

type Datasets = PageFields & { readonly datasets: readonly Dataset[] };
const MOST = 100;

/** How well the versions of a scorer agree with the ground truth of a dataset, and the gate that rests on it. */
export function HealthView({ scorer }: { scorer: Scorer }) {
  const loaded = useLoaded(`health of ${scorer.id}`, async (signal) => {
    const [gate, datasets] = await Promise.all([
      toGate(scorer.id, signal),
      get<Datasets>('/datasets', { query: { limit: MOST }, signal }),
    ]);
    return { gate, datasets: datasets.datasets };
  });
  return (
    <Show loaded={loaded}>
      {({ gate, datasets }) => (
        <div class="row g-4">
          <div class="col-lg-9">
            <OnDataset scorer={scorer} gate={gate} datasets={datasets} />
          </div>
          <div class="col-lg-3">
            <GatePanel scorer={scorer} gate={gate} datasets={datasets} onChanged={loaded.reload} />
          </div>
        </div>
      )}
    </Show>
  );
}

async function toGate(scorer_id: string, signal: AbortSignal): Promise<ScorerGate | null> {
  try {
    return await get<ScorerGate>(`${scorerPath(scorer_id)}/gate`, { signal });
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

interface OnDatasetProps {
  readonly scorer: Scorer;
  readonly gate: ScorerGate | null;
  readonly datasets: readonly Dataset[];
}

function OnDataset({ scorer, gate, datasets }: OnDatasetProps) {
  const [view, change] = useView();
  const dataset_id = view.get('dataset') ?? gate?.dataset_id ?? datasets[0]?.id ?? '';
  const loaded = useLoaded(`health scores ${scorer.id} ${dataset_id}`, async (signal) =>
    dataset_id === ''
      ? []
      : (await get<{ scores: ListedHealthScore[] }>(`${scorerPath(scorer.id)}/health-scores`, { query: { dataset_id }, signal }))
          .scores,
  );
  return (
    <>
      <div class="d-flex flex-wrap gap-2 align-items-center mb-3">
        <span>Against the ground truth of</span>
        <BarChoice
          label="Dataset"
          choices={[{ id: '', label: 'Dataset …' }, ...datasets.map(named)]}
          value={dataset_id}
          onChoose={(dataset) => change({ dataset, version: undefined, type: undefined })}
        />
        {dataset_id !== '' && (
          <a class="btn btn-sm btn-outline-secondary ms-auto" href={toHref(toComparison(scorer, dataset_id, loaded.value ?? []))}>
            Compare runs
          </a>
        )}
      </div>
      <Scores scorer={scorer} loaded={loaded} gate={gate?.dataset_id === dataset_id ? gate : null} />
    </>
  );
}

/** Begins with the project in which most versions were measured, and the newest two of its runs. */
function toComparison(scorer: Scorer, dataset_id: string, scores: readonly ListedHealthScore[]): string {
  const inProjects = Map.groupBy(
    scores.filter(({ project_id }) => project_id !== null),
    ({ project_id }) => project_id!,
  );
  const [most] = [...inProjects].sort(([, one], [, other]) => other.length - one.length);
  const path = `${scorerPath(scorer.id)}/compare?dataset=${dataset_id}`;
  if (!most) return path;
  const runs = new Set(most[1].map(({ run_id }) => run_id));
  return `${path}&project=${most[0]}&runs=${[...runs].slice(-2).join(',')}`;
}

interface ScoresProps {
  readonly scorer: Scorer;
  readonly loaded: Loaded<readonly ListedHealthScore[]>;
  /** Where it rests on this dataset. */
  readonly gate: ScorerGate | null;
}

function Scores({ scorer, loaded, gate }: ScoresProps) {
  const [view, change] = useView();
  return (
    <Show loaded={loaded}>
      {(all) => {
        const types = typesIn(all);
        const type = types.find((one) => one === view.get('type')) ?? types[0];
        if (!type) return <NotMeasured scorer={scorer} />;
        const rows = toHealthRows(all.filter(({ health_score_type }) => health_score_type === type));
        const picked = rows.find(({ score }) => String(score.scorer_version_number) === view.get('version')) ?? rows.at(-1)!;
        const scores = rows.map(({ score }) => score);
        const least = gate ? threshold(scores, scorer.default_version_id, gate.margin) : undefined;
        return (
          <>
            {types.length > 1 && (
              <BarChoice
                label="Measured by"
                choices={types.map((id) => ({ id, label: HEALTH_WORDS[id] }))}
                value={type}
                onChoose={(chosen) => change({ type: chosen })}
              />
            )}
            <HealthChart scores={scores} type={type} least={least} />
            <HealthTable
              rows={rows}
              scorer={scorer}
              picked={picked.score}
              onPick={(version) => change({ version: String(version) })}
            />
            <HealthDetail score={picked.score} />
          </>
        );
      }}
    </Show>
  );
}

const NotMeasured = ({ scorer }: { scorer: Scorer }) => (
  <Empty title="No version was measured on this dataset">
    <p class="mb-0">
      The dataset needs a column with what is right, <code>mgt</code> unless another is chosen.{' '}
      {scorer.scorer_type === 'code' ? (
        <>
          Try the code on{' '}
          <a class="text-decoration-underline" href={toHref(`${scorerPath(scorer.id)}/editor?on=rows`)}>
            its rows
          </a>{' '}
          and save it: the health is measured then.
        </>
      ) : (
        'Run an experiment over the dataset with this scorer enabled, and ask for the health of that run.'
      )}
    </p>
  </Empty>
);
