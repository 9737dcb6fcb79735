import type { MaskingCount, MaskingRule, MaskingRules } from '../../core/masking/masking-rule.ts';
import type { Project } from '../../core/projects/project.ts';
import { get, put } from '../api/client.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { ProjectHead } from '../projects/project-head.tsx';
import { useProject } from '../projects/use-project.ts';
import { allows } from '../sharing/permission.ts';
import { RuleTable } from './rule-table.tsx';
import { RuleTools } from './rule-tools.tsx';
import { RuleTrial } from './rule-trial.tsx';

const COUNTED_DAYS = 30;
const DAY_MS = 86_400_000;

/** The masking rules of a project: what is never stored, tried out on a text, and how often each masked something. */
export const MaskingPage = ({ params }: { params: Record<string, string> }) => (
  <Show loaded={useProject(params.project_id!)}>
    {(project) => (
      <>
        <ProjectHead project={project} active={`/projects/${project.id}/masking`} />
        <Masking project={project} />
      </>
    )}
  </Show>
);

function Masking({ project }: { project: Project }) {
  const path = `/projects/${project.id}`;
  const mayChange = allows(project.permissions, 'delete');
  const loaded = useLoaded(`${path}/masking-rules`, (signal) => get<MaskingRules>(`${path}/masking-rules`, { signal }));
  const counts = useLoaded(`${path}/masking-counts`, (signal) => listCounts(path, signal));
  const save = async (rules: readonly MaskingRule[]): Promise<void> => {
    await put(`${path}/masking-rules`, { rules });
    loaded.reload();
  };
  return (
    <>
      <p class="text-body-secondary">
        Whatever the rules find is masked before it is stored, in everything that is sent to the project. What is stored already
        stays as it is.
      </p>
      <Show loaded={loaded}>
        {({ rules }) => (
          <>
            <RuleTable rules={rules} counts={counts.value} days={COUNTED_DAYS} onSave={mayChange ? save : undefined} />
            {mayChange && <RuleTools path={path} rules={rules} onSave={save} />}
            <RuleTrial path={path} rules={rules} />
          </>
        )}
      </Show>
    </>
  );
}

/** Values that each rule masked in the last days, by its name. */
async function listCounts(path: string, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const from = new Date(Date.now() - COUNTED_DAYS * DAY_MS).toISOString().slice(0, 10);
  const { counts } = await get<{ readonly counts: readonly MaskingCount[] }>(`${path}/masking-counts`, {
    query: { from },
    signal,
  });
  const sums = new Map<string, number>();
  for (const { rule, masked } of counts) sums.set(rule, (sums.get(rule) ?? 0) + masked);
  return sums;
}
