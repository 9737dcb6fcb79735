import type { Experiment } from '../../../core/experiments/experiment.ts';
import type { ListedHealthScore } from '../../../core/health/health-score.ts';
import type { PageFields } from '../../../core/kernel/query/page.ts';
import { get, post } from '../../api/client.ts';
import { scorerPath } from '../scorer-calls.ts';

/** A run over a dataset that may be compared. */
export interface Candidate {
  readonly run_id: string;
  readonly label: string;
}

type Experiments = PageFields & { readonly experiments: readonly Experiment[] };
const MOST = 200;

/** The measured runs of a scorer, by version, then the newest experiments of the project over the dataset. */
export async function listCandidates(
  scorer_id: string,
  dataset_id: string,
  project_id: string,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const [{ scores }, { experiments }] = await Promise.all([
    get<{ scores: readonly ListedHealthScore[] }>(`${scorerPath(scorer_id)}/health-scores`, { query: { dataset_id }, signal }),
    post<Experiments>(`/projects/${project_id}/experiments/search`, { limit: MOST }, { signal }),
  ]);
  return toCandidates(
    scores.filter((score) => score.project_id === project_id),
    experiments.filter(({ dataset }) => dataset?.dataset_id === dataset_id),
  );
}

/** Each run once: a measured one by the versions that were measured in it. */
export function toCandidates(
  scores: readonly Pick<ListedHealthScore, 'run_id' | 'scorer_version_number'>[],
  experiments: readonly Pick<Experiment, 'id' | 'name'>[],
): Candidate[] {
  const names = new Map(experiments.map(({ id, name }) => [id, name]));
  const measured = [...Map.groupBy(scores, ({ run_id }) => run_id)].map(([run_id, found]) => {
    const versions = [...new Set(found.map(({ scorer_version_number }) => scorer_version_number))].join(', ');
    return { run_id, label: `Version ${versions}: ${names.get(run_id) ?? 'trial'}` };
  });
  const known = new Set(measured.map(({ run_id }) => run_id));
  const others = experiments.filter(({ id }) => !known.has(id)).map(({ id, name }) => ({ run_id: id, label: name }));
  return [...measured, ...others];
}
