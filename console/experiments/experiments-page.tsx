import { useState } from 'preact/hooks';
import type { Experiment } from '../../core/experiments/experiment.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import type { Project } from '../../core/projects/project.ts';
import { post } from '../api/client.ts';
import { toHref, useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { parseSort, sortText } from '../kit/sort-header.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { ViewSearch } from '../kit/view-search.tsx';
import { ProjectHead } from '../projects/project-head.tsx';
import { useProject } from '../projects/use-project.ts';
import { ExperimentTable } from './experiment-table.tsx';
import { NewRunDialog } from './new-run.tsx';
import { Spread } from './spread.tsx';

type ExperimentPage = PageFields & { readonly experiments: readonly Experiment[] };
const LIMIT = 50;
/** Runs go on while one looks, and scores come after them. */
const AGAIN_MS = 5_000;
const NEWEST_FIRST = '-created_at';

/** The experiments of a project, with their averages and where they stand. */
export const ExperimentsPage = ({ params }: { params: Record<string, string> }) => (
  <Show loaded={useProject(params.project_id!)}>{(project) => <Experiments project={project} />}</Show>
);

function Experiments({ project }: { project: Project }) {
  const path = `/projects/${project.id}/experiments`;
  const [view, change] = useView();
  const [creating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const name = view.get('name') ?? '';
  const order = view.get('sort') ?? NEWEST_FIRST;
  const starting_token = startIn(view);
  const filters = name === '' ? [] : [{ name: 'name', operator: 'contains', value: name, case_sensitive: false }];
  const wanted = { filters, sort: parseSort(order), starting_token, limit: LIMIT, include_counts: true };
  const loaded = useLoaded(
    `${path} ${JSON.stringify(wanted)}`,
    (signal) => post<ExperimentPage>(`${path}/search`, wanted, { signal }),
    { everyMs: AGAIN_MS },
  );
  return (
    <>
      <ProjectHead project={project} active={path}>
        <ViewSearch label="Find experiments by name" />
        {chosen.length > 1 && (
          <a class="btn btn-sm btn-outline-secondary" href={toHref(`${path}/compare?ids=${chosen.join(',')}`)}>
            Compare {chosen.length}
          </a>
        )}
        <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
          New experiment
        </button>
      </ProjectHead>
      <Show loaded={loaded}>
        {(page) =>
          page.experiments.length === 0 && name === '' ? (
            <NoExperiments />
          ) : (
            <>
              <ExperimentTable
                experiments={page.experiments}
                chosen={chosen}
                onChoose={setChosen}
                sort={parseSort(order)}
                onSort={(sort) => change({ sort: sortText(sort), from: undefined })}
              />
              <ViewPager page={page} />
              <Spread title="How the scores of all experiments are spread" project_id={project.id} />
            </>
          )
        }
      </Show>
      {creating && <NewRunDialog path={path} onClose={() => setCreating(false)} />}
    </>
  );
}

const NoExperiments = () => (
  <Empty title="No experiments yet">
    <p>
      An experiment answers how well an application, or a prompt, does on the rows of a dataset. Have a prompt run over one with{' '}
      <em>New experiment</em>, or log one trace for each row with the <code>experiment_id</code> of an experiment that was made
      over the <a href="docs/">API</a>.
    </p>
  </Empty>
);
