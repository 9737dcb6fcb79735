import { z } from 'zod';
import { ProjectAction } from '../../../core/access/project-action.ts';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { cleanText, Id } from '../../../core/kernel/text.ts';
import {
  CreatedProject,
  NewProject,
  Project,
  ProjectSearch,
  ProjectType,
  ProjectUpdate,
  ThinProject,
  UpdatedProject,
} from '../../../core/projects/project.ts';
import type { ProjectService } from '../../../core/projects/project-service.ts';
import { repeated } from '../query.ts';
import { type Route, route } from '../route.ts';

const ProjectPath = z.object({ project_id: Id });
const SoughtName = cleanText(0, 1000).optional();
const ListQuery = z.object({ project_name: SoughtName, type: ProjectType.optional() });
const ListAllQuery = z.object({ type: ProjectType.optional(), project_type: ProjectType.optional() });
const SearchQuery = PageQuery.extend({ actions: repeated(ProjectAction, 100).optional() });
const ProjectPage = z.object({ ...PageFields, projects: z.array(Project) }).meta({ id: 'ProjectPage' });
const Deleted = z.object({ message: z.string() }).meta({ id: 'ProjectDeleted' });

export const projectRoutes = ({ projectService }: { projectService: ProjectService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects',
    operationId: 'createProject',
    summary: 'Create a project, or answer the one of this type and name that exists.',
    tag: 'projects',
    body: NewProject,
    response: CreatedProject,
    handle: ({ caller, body }) => projectService.createProject(caller, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects',
    operationId: 'listProjects',
    summary: 'List projects by name and type, newest first.',
    tag: 'projects',
    deprecated: true,
    query: ListQuery,
    response: z.array(Project),
    handle: ({ caller, query }) => projectService.listProjects(caller, { name: query.project_name, type: query.type }),
  }),
  route({
    method: 'get',
    path: '/v2/projects/all',
    operationId: 'listAllProjects',
    summary: 'List all projects in their short form, newest first.',
    tag: 'projects',
    deprecated: true,
    query: ListAllQuery,
    response: z.array(ThinProject),
    handle: ({ caller, query }) => projectService.listAllProjects(caller, { type: query.type ?? query.project_type }),
  }),
  route({
    method: 'post',
    path: '/v2/projects/paginated',
    operationId: 'searchProjects',
    summary: 'List projects page by page, filtered and sorted.',
    tag: 'projects',
    query: SearchQuery,
    body: ProjectSearch,
    bodyOptional: true,
    response: ProjectPage,
    handle: ({ caller, query, body }) => projectService.searchProjects(caller, body, query, query.actions ?? []),
  }),
  route({
    method: 'post',
    path: '/v2/projects/count',
    operationId: 'countProjects',
    summary: 'Count the projects that pass the filters.',
    tag: 'projects',
    body: ProjectSearch,
    bodyOptional: true,
    response: z.int(),
    handle: ({ caller, body }) => projectService.countProjects(caller, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}',
    operationId: 'getProject',
    summary: 'Get a project.',
    tag: 'projects',
    params: ProjectPath,
    response: Project,
    handle: ({ caller, params }) => projectService.getProject(caller, params.project_id),
  }),
  route({
    method: 'put',
    path: '/v2/projects/{project_id}',
    operationId: 'updateProject',
    summary: 'Change the given fields of a project.',
    tag: 'projects',
    params: ProjectPath,
    body: ProjectUpdate,
    response: UpdatedProject,
    handle: ({ caller, params, body }) => projectService.updateProject(caller, params.project_id, body),
  }),
  route({
    method: 'delete',
    path: '/v2/projects/{project_id}',
    operationId: 'deleteProject',
    summary: 'Delete a project with its runs, records and files.',
    tag: 'projects',
    params: ProjectPath,
    response: Deleted,
    handle: ({ caller, params }) => projectService.deleteProject(caller, params.project_id),
  }),
];
