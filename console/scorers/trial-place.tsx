import type { Dataset } from '../../core/datasets/dataset.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import type { LogStream } from '../../core/projects/log-stream.ts';
import type { Project } from '../../core/projects/project.ts';
import { get, post } from '../api/client.ts';
import { BarChoice, named, worded } from '../kit/choice.tsx';
import { useView } from '../kit/location.ts';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import type { TrialPlace } from './trial.ts';

type Projects = PageFields & { readonly projects: readonly Project[] };
type Datasets = PageFields & { readonly datasets: readonly Dataset[] };
const MOST = 100;
const KINDS = worded({ records: 'live records', rows: 'dataset rows' });

const listProjects = (signal: AbortSignal): Promise<Projects> =>
  post<Projects>('/projects/paginated', { filters: [] }, { query: { limit: MOST }, signal });

/** The place that the address bar names; undefined until all of it is chosen. */
export function placeIn(view: URLSearchParams): TrialPlace | undefined {
  const [project_id, log_stream_id, dataset_id] = [view.get('project'), view.get('log_stream'), view.get('dataset')];
  if (dataset_id) return { kind: 'rows', dataset_id };
  return project_id && log_stream_id ? { kind: 'records', project_id, log_stream_id } : undefined;
}

/** Chooses what a candidate is tried on. `withRows`: dataset rows may be chosen too. */
export function TrialPlaceChooser({ withRows }: { withRows: boolean }) {
  const [view, change] = useView();
  const on = withRows && view.get('on') === 'rows' ? 'rows' : 'records';
  return (
    <div class="d-flex flex-wrap gap-2 align-items-center">
      {withRows && (
        <BarChoice
          label="Try on"
          choices={KINDS}
          value={on}
          onChoose={(chosen) => change({ on: chosen, project: undefined, log_stream: undefined, dataset: undefined })}
        />
      )}
      {on === 'rows' ? <DatasetChoice /> : <LogStreamChoice />}
    </div>
  );
}

function LogStreamChoice() {
  const [view, change] = useView();
  const project_id = view.get('project') ?? '';
  const projects = useLoaded('projects to try on', listProjects);
  const streams = useLoaded(`log streams to try on ${project_id}`, async (signal) =>
    project_id === '' ? [] : get<LogStream[]>(`/projects/${project_id}/log_streams`, { signal }),
  );
  return (
    <>
      <BarChoice
        label="Project"
        choices={[{ id: '', label: 'Project …' }, ...(projects.value?.projects ?? []).map(named)]}
        value={project_id}
        onChoose={(project) => change({ project, log_stream: undefined })}
      />
      <BarChoice
        label="Log stream"
        choices={[{ id: '', label: 'Log stream …' }, ...(streams.value ?? []).map(named)]}
        value={view.get('log_stream') ?? ''}
        onChoose={(log_stream) => change({ log_stream })}
      />
      <Failure error={projects.error ?? streams.error} />
    </>
  );
}

function DatasetChoice() {
  const [view, change] = useView();
  const datasets = useLoaded('datasets to try on', (signal) => get<Datasets>('/datasets', { query: { limit: MOST }, signal }));
  return (
    <>
      <BarChoice
        label="Dataset"
        choices={[{ id: '', label: 'Dataset …' }, ...(datasets.value?.datasets ?? []).map(named)]}
        value={view.get('dataset') ?? ''}
        onChoose={(dataset) => change({ dataset })}
      />
      <Failure error={datasets.error} />
    </>
  );
}
