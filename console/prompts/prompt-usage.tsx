import { useState } from 'preact/hooks';
import type { LogStream } from '../../core/projects/log-stream.ts';
import type { PromptFigures, PromptUsageReply, PromptVersionUsage } from '../../core/prompts/prompt-usage.ts';
import { get } from '../api/client.ts';
import { unlessMissing } from '../api/unless-missing.ts';
import { Chart } from '../kit/chart.tsx';
import { Choice } from '../kit/choice.tsx';
import { costText, dayText, durationText, numberText } from '../kit/formatting.ts';
import { toHref, useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { allProjects } from '../projects/projects.ts';
import { callsPath } from './prompts.ts';

interface UsageProps {
  readonly template_id: string;
}

/** Calls, cost, time and scores of the versions of a prompt in one project, over the last 30 days. */
export function PromptUsage({ template_id }: UsageProps) {
  const [view, change] = useView();
  const projects = useLoaded('projects for usage', allProjects);
  return (
    <Show loaded={projects}>
      {(all) => {
        const project_id = view.get('project') ?? all[0]?.id;
        if (project_id === undefined) return <Empty title="There is no project yet" />;
        return (
          <>
            <Choice
              label="Project"
              small
              choices={all.map(({ id, name }) => ({ id, label: name }))}
              value={project_id}
              onChoose={(project) => change({ project, version: undefined })}
            />
            <UsageOfProject template_id={template_id} project_id={project_id} />
          </>
        );
      }}
    </Show>
  );
}

interface ProjectProps extends UsageProps {
  readonly project_id: string;
}

function UsageOfProject({ template_id, project_id }: ProjectProps) {
  const loaded = useLoaded(`usage ${project_id} ${template_id}`, (signal) =>
    unlessMissing(get<PromptUsageReply>(`/projects/${project_id}/templates/${template_id}/usage`, { signal })),
  );
  const [shown, setShown] = useState<number>();
  return (
    <Show loaded={loaded}>
      {(usage) =>
        usage === undefined || usage.versions.every(({ num_calls }) => num_calls === 0) ? (
          <Empty title="No call of this project names the prompt">
            <p class="mb-0">Send the prompt’s name and version with a model call, and its figures are shown here.</p>
          </Empty>
        ) : (
          <>
            <table class="table table-hover table-rows mt-3">
              <TableHeaders
                of={['Version', 'Calls', 'Errors', 'Cost', 'Tokens', 'Mean time', 'Mean scores', 'Mean scores of traces']}
              />
              <tbody>
                {usage.versions.map((one) => (
                  <tr key={one.version}>
                    <td>
                      <button
                        type="button"
                        class="btn btn-sm btn-link p-0"
                        aria-expanded={shown === one.version}
                        onClick={() => setShown(shown === one.version ? undefined : one.version)}
                      >
                        Version {one.version}
                      </button>
                    </td>
                    <td>{numberText(one.num_calls)}</td>
                    <td>{numberText(one.num_errors)}</td>
                    <td>{costText(one.cost)}</td>
                    <td>
                      {numberText(one.num_input_tokens)} + {numberText(one.num_output_tokens)}
                    </td>
                    <td>{durationText(one.mean_duration_ns)}</td>
                    <td>{scoresText(one.scores)}</td>
                    <td>{scoresText(one.trace_scores)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {shown !== undefined && (
              <VersionUsage key={shown} template_id={template_id} project_id={project_id} version={shown} />
            )}
          </>
        )
      }
    </Show>
  );
}

const scoresText = (scores: PromptFigures['scores']): string =>
  Object.entries(scores)
    .map(([name, { mean }]) => `${name} ${numberText(mean)}`)
    .join(' · ') || '–';

/** Calls of one version by the day, with ways to the records. */
function VersionUsage({ template_id, project_id, version }: ProjectProps & { readonly version: number }) {
  const loaded = useLoaded(`usage ${project_id} ${template_id} ${version}`, async (signal) => {
    const [usage, streams] = await Promise.all([
      get<PromptVersionUsage>(`/projects/${project_id}/templates/${template_id}/versions/${version}/usage`, { signal }),
      get<LogStream[]>(`/projects/${project_id}/log_streams`, { signal }),
    ]);
    return { usage, streams };
  });
  return (
    <Show loaded={loaded}>
      {({ usage: { prompt_version_id, buckets }, streams }) => (
        <>
          <h2 class="h6">Version {version} by day</h2>
          {buckets.length > 0 && (
            <Chart
              label={`Calls of version ${version} by day`}
              isTime
              x={buckets.map(({ at }) => Date.parse(at) / 1000)}
              xHeading="Day"
              xText={(x) => dayText(new Date(x * 1000).toISOString())}
              valueText={numberText}
              series={[{ label: 'Calls', kind: 'bars', values: buckets.map(({ num_calls }) => num_calls) }]}
            />
          )}
          <p class="small mt-2">
            Calls in{' '}
            {streams.map(({ id, name }) => (
              <a class="me-2" key={id} href={toHref(callsPath(project_id, id, prompt_version_id))}>
                {name}
              </a>
            ))}
          </p>
        </>
      )}
    </Show>
  );
}
