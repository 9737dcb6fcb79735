import type { Template } from '../../core/prompts/template.ts';
import { get } from '../api/client.ts';
import { Crumbs } from '../kit/crumbs.tsx';
import { useView } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { Sharing } from '../sharing/sharing.tsx';
import { LabelHistory } from './label-history.tsx';
import { PromptActions } from './prompt-actions.tsx';
import { PromptUsage } from './prompt-usage.tsx';
import { VersionDiff } from './version-diff.tsx';
import { Versions } from './versions.tsx';

const PARTS = [
  { id: 'versions', label: 'Versions' },
  { id: 'usage', label: 'Usage' },
  { id: 'compare', label: 'Compare' },
  { id: 'history', label: 'Label history' },
  { id: 'sharing', label: 'Sharing' },
] as const;

/** A prompt: its versions with their labels, what became of their calls, what differs between two of them, who moved which label, and who may use it. */
export function PromptPage({ params }: { params: Record<string, string> }) {
  const path = `/templates/${params.template_id!}`;
  const place = `/prompts/${params.template_id!}`;
  const [view] = useView();
  const part = PARTS.find(({ id }) => id === view.get('part'))?.id ?? 'versions';
  const toAddress = (id: string): string => (id === 'versions' ? place : `${place}?part=${id}`);
  const loaded = useLoaded(path, (signal) => get<Template>(path, { signal }));
  return (
    <Show loaded={loaded}>
      {(template) => (
        <>
          <Crumbs crumbs={[{ label: 'Prompts', path: '/prompts' }]} title={template.name}>
            <PromptActions template={template} path={path} onChanged={loaded.reload} />
          </Crumbs>
          <Tabs
            label={`Parts of ${template.name}`}
            active={toAddress(part)}
            tabs={PARTS.map(({ id, label }) => ({ label, path: toAddress(id) }))}
          />
          {part === 'versions' && <Versions template={template} path={path} onChanged={loaded.reload} />}
          {part === 'usage' && <PromptUsage template_id={template.id} />}
          {part === 'compare' && <VersionDiff template={template} path={path} />}
          {part === 'history' && <LabelHistory path={path} />}
          {/* A single prompt comes without permissions: sharing is offered, and refused by the service if it must be. */}
          {part === 'sharing' && <Sharing path={path} mayShare />}
        </>
      )}
    </Show>
  );
}
