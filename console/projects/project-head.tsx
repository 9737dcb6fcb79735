import type { ComponentChildren } from 'preact';
import type { Project } from '../../core/projects/project.ts';
import { Crumbs } from '../kit/crumbs.tsx';
import { Tabs } from '../kit/tabs.tsx';

/** Head of all views of one project. */
export function ProjectHead({ project, active, children }: { project: Project; active: string; children?: ComponentChildren }) {
  const path = `/projects/${project.id}`;
  return (
    <>
      <Crumbs crumbs={[{ label: 'Projects', path: '/' }]} title={project.name}>
        {children}
      </Crumbs>
      <Tabs
        label={`Parts of ${project.name}`}
        active={active}
        tabs={[
          { label: 'Home', path },
          { label: 'Experiments', path: `${path}/experiments` },
          { label: 'Playground', path: `${path}/playground` },
          { label: 'Bookmarks', path: `${path}/bookmarks` },
          { label: 'Masking', path: `${path}/masking` },
          { label: 'Spending', path: `${path}/spending` },
          { label: 'Annotation', path: `${path}/annotation` },
          { label: 'Sharing', path: `${path}/sharing` },
          { label: 'Settings', path: `${path}/settings` },
        ]}
      />
    </>
  );
}
