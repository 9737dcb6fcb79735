import { Show } from '../kit/notices.tsx';
import { ProjectHead } from '../projects/project-head.tsx';
import { useProject } from '../projects/use-project.ts';
import { allows } from '../sharing/permission.ts';
import { PriceTable } from './price-table.tsx';
import { SpendingTable } from './spending-table.tsx';

/** Spending of a project on models, and the prices that it counts with. */
export const SpendingPage = ({ params }: { params: Record<string, string> }) => (
  <Show loaded={useProject(params.project_id!)}>
    {(project) => (
      <>
        <ProjectHead project={project} active={`/projects/${project.id}/spending`} />
        <h2 class="h6">Spending on models</h2>
        <SpendingTable path={`/projects/${project.id}/model-spending`} />
        <h2 class="h6 mt-4">Model prices of this project</h2>
        <PriceTable path={`/projects/${project.id}/model-prices`} mayChange={allows(project.permissions, 'delete')} />
      </>
    )}
  </Show>
);
