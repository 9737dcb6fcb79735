import type { PageFields } from '../../core/kernel/query/page.ts';
import type { Project } from '../../core/projects/project.ts';
import { post } from '../api/client.ts';

type ProjectPage = PageFields & { readonly projects: readonly Project[] };
const LIMIT = 1000;
const BY_NAME = { sort: { name: 'name', ascending: true } };

/** The projects that the caller sees, for choosing one by name: the first thousand. */
export const allProjects = async (signal?: AbortSignal): Promise<readonly Project[]> =>
  (await post<ProjectPage>('/projects/paginated', BY_NAME, { query: { limit: LIMIT }, signal })).projects;
