import type { Dataset } from '../../../core/datasets/dataset.ts';
import type { PageFields } from '../../../core/kernel/page.ts';
import type { LogStream } from '../../../core/projects/log-stream.ts';
import type { Project } from '../../../core/projects/project.ts';
import { get, post } from '../api/client.ts';
import { useView } from '../kit/location.ts';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import type { TrialPlace } from './trial.ts';

type Projects = PageFields & { readonly projects: readonly Project[] };
type Datasets = PageFields & { readonly datasets: readonly Dataset[] };
const MOST = 100;

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
        <select
          class="form-select form-select-sm w-auto"
          aria-label="Try on"
          value={on}
          onChange={(event) =>
            change({ on: event.currentTarget.value, project: undefined, log_stream: undefined, dataset: undefined })
          }
        >
          <option value="records">live records</option>
          <option value="rows">dataset rows</option>
        </select>
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
      <Select
        label="Project"
        none="Project …"
        value={project_id}
        options={projects.value?.projects ?? []}
        onChoose={(project) => change({ project, log_stream: undefined })}
      />
      <Select
        label="Log stream"
        none="Log stream …"
        value={view.get('log_stream') ?? ''}
        options={streams.value ?? []}
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
      <Select
        label="Dataset"
        none="Dataset …"
        value={view.get('dataset') ?? ''}
        options={datasets.value?.datasets ?? []}
        onChoose={(dataset) => change({ dataset })}
      />
      <Failure error={datasets.error} />
    </>
  );
}

interface SelectProps {
  readonly label: string;
  readonly none: string;
  readonly value: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly onChoose: (id: string) => void;
}

export const Select = ({ label, none, value, options, onChoose }: SelectProps) => (
  <select
    class="form-select form-select-sm w-auto mw-100"
    aria-label={label}
    value={value}
    onChange={(event) => onChoose(event.currentTarget.value)}
  >
    <option value="">{none}</option>
    {options.map(({ id, name }) => (
      <option key={id} value={id} selected={id === value}>
        {name}
      </option>
    ))}
  </select>
);
