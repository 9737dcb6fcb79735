import type { ProjectAction } from '../../core/access/project-action.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import type { Project } from '../../core/projects/project.ts';
import { post } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { type Loaded, useLoaded } from '../kit/use-loaded.ts';

type ProjectPage = PageFields & { readonly projects: readonly Project[] };
const ACTIONS: readonly ProjectAction[] = ['update', 'delete', 'share', 'configure_human_feedback', 'record_human_feedback'];

/** A project with what the caller may do to it, which only the list tells. */
export const useProject = (project_id: string): Loaded<Project> =>
  useLoaded(`project ${project_id} with permissions`, async (signal) => {
    const filters = [{ name: 'id', operator: 'eq', value: project_id }];
    const { projects } = await post<ProjectPage>('/projects/paginated', { filters }, { query: { actions: ACTIONS }, signal });
    const [project] = projects;
    if (!project) throw new ApiFailure(404, { code: 'project_not_found', detail: `project ${project_id} does not exist` });
    return project;
  });
