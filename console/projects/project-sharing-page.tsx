import { Show } from '../kit/notices.tsx';
import { allows } from '../sharing/permission.ts';
import { Sharing } from '../sharing/sharing.tsx';
import { ProjectHead } from './project-head.tsx';
import { useProject } from './use-project.ts';

/** With whom a project is shared. */
export const ProjectSharingPage = ({ params }: { params: Record<string, string> }) => (
  <Show loaded={useProject(params.project_id!)}>
    {(project) => (
      <>
        <ProjectHead project={project} active={`/projects/${project.id}/sharing`} />
        <Sharing path={`/projects/${project.id}`} mayShare={allows(project.permissions, 'share')} />
      </>
    )}
  </Show>
);
