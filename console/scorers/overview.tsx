import type { ComponentChildren } from 'preact';
import type { ScorerProject, ScorerProjectPage } from '../../core/scorers/scorer-project-service.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { get } from '../api/client.ts';
import { toHref } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { scorerPath } from './scorer-calls.ts';
import { Tags } from './scorer-table.tsx';
import { Suspensions } from './suspensions.tsx';
import { INPUT_WORDS, OUTPUT_WORDS, TYPE_WORDS, wordFor } from './words.ts';

/** Type of a scorer, and the log streams that it scores. */
export const Overview = ({ scorer }: { scorer: Scorer }) => (
  <div class="row g-4">
    <section class="col-lg-5" aria-label="What it is">
      {scorer.description && <p class="description">{scorer.description}</p>}
      <dl class="facts">
        <Fact label="Score name">
          <code>{scorer.name}</code>
        </Fact>
        <Fact label="Type">{wordFor(TYPE_WORDS, scorer.scorer_type)}</Fact>
        <Fact label="Evaluates">{scorer.scoreable_node_types?.join(', ') ?? 'llm'}</Fact>
        <Fact label="Input">{wordFor(INPUT_WORDS, scorer.input_type)}</Fact>
        <Fact label="Output type">{wordFor(OUTPUT_WORDS, scorer.output_type)}</Fact>
        <Fact label="Default version">{scorer.default_version?.version ?? 'none yet'}</Fact>
        <Fact label="Latest version">{scorer.latest_version?.version ?? 'none yet'}</Fact>
        {scorer.required_scorers && scorer.required_scorers.length > 0 && (
          <Fact label="Needs first">{scorer.required_scorers.join(', ')}</Fact>
        )}
        <Fact label="Aggregation">{scorer.roll_up_method ?? scorer.roll_up_config.roll_up_methods.join(', ') ?? '–'}</Fact>
        <Fact label="Uses ground truth">{scorer.ground_truth ? 'yes' : 'no'}</Fact>
        <Fact label="Tags">
          <Tags tags={scorer.tags} />
        </Fact>
        <Fact label="Updated">
          <Time at={scorer.updated_at} />
        </Fact>
      </dl>
    </section>
    <section class="col-lg-7" aria-label="Where it is enabled">
      <Suspensions scorer_id={scorer.id} />
      <h2 class="h6">Enabled in</h2>
      <WhereEnabled path={`${scorerPath(scorer.id)}/projects`}>
        {scorer.latest_version
          ? 'Open a log stream and enable it under “Scorers”; what is logged from then on is scored.'
          : 'It has no version yet: write one first.'}
      </WhereEnabled>
    </section>
  </div>
);

const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);

const LIMIT = 100;

interface WhereEnabledProps {
  /** Of the API, where the projects are listed. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Next step where there is none. */
  readonly children: ComponentChildren;
}

/** The projects whose log streams or experiments run a scorer, or a version of it. */
export function WhereEnabled({ path, query = {}, children }: WhereEnabledProps) {
  const loaded = useLoaded(path, (signal) => get<ScorerProjectPage>(path, { query: { ...query, limit: LIMIT }, signal }));
  return (
    <Show loaded={loaded}>
      {({ projects, total_count }) =>
        projects.length === 0 ? (
          <Empty title="Not used yet">
            <p class="mb-0">{children}</p>
          </Empty>
        ) : (
          <>
            <ProjectTable projects={projects} />
            {total_count > projects.length && <p class="small">and {total_count - projects.length} more projects</p>}
          </>
        )
      }
    </Show>
  );
}

const ProjectTable = ({ projects }: { projects: readonly ScorerProject[] }) => (
  <Table class="table table-rows">
    <TableHeaders of={['Project', 'Log streams', { end: 'Experiments' }]} />
    <tbody>
      {projects.map(({ id, name, log_streams, num_experiments }) => (
        <tr key={id}>
          <td>
            <a href={toHref(`/projects/${id}`)}>{name}</a>
          </td>
          <td>
            {log_streams.map((stream, place) => (
              <span key={stream.id}>
                {place > 0 && ', '}
                <a href={toHref(`/projects/${id}/log_streams/${stream.id}`)}>{stream.name}</a>
              </span>
            ))}
          </td>
          <td class="text-end">{num_experiments}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
