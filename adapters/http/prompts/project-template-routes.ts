import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import type { ProjectTemplateService } from '../../../core/prompts/project-template-service.ts';
import { NewTemplate, NewTemplateVersion, Template, TemplateVersion } from '../../../core/prompts/template.ts';
import { TemplateLabelName } from '../../../core/prompts/template-label.ts';
import type { TemplateService } from '../../../core/prompts/template-service.ts';
import type { TemplateVersionService } from '../../../core/prompts/template-version-service.ts';
import { ETAG_OF_REPLY, IF_NONE_MATCH, unlessNotModified } from '../not-modified.ts';
import { type Route, route } from '../route.ts';
import { TemplateDeleted, VersionNumber } from './template-routes.ts';

const ProjectPath = z.object({ project_id: Id });
const TemplatePath = z.object({ project_id: Id, template_id: Id });
const VersionPath = z.object({ project_id: Id, template_id: Id, version: VersionNumber });

const VersionWanted = z
  .object({
    template_name: z.string().min(1).max(255),
    version: VersionNumber.optional(),
    label: TemplateLabelName.optional(),
  })
  .refine(({ version, label }) => version === undefined || label === undefined, {
    message: 'a version is named by its number or by a label, not by both',
    path: ['label'],
  });

interface Deps {
  readonly projectTemplateService: ProjectTemplateService;
  readonly templateService: TemplateService;
  readonly templateVersionService: TemplateVersionService;
}

export const projectTemplateRoutes = (deps: Deps): Route[] => [...listRoutes(deps), ...deprecatedRoutes(deps)];

const listRoutes = ({ projectTemplateService, templateService }: Deps): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/templates',
    operationId: 'listProjectTemplates',
    summary: 'List all prompt templates that a project uses, newest first.',
    tag: 'templates',
    params: ProjectPath,
    response: z.array(Template),
    handle: ({ caller, params }) => projectTemplateService.list(caller, params.project_id),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/templates',
    operationId: 'createProjectTemplate',
    summary: 'Create a prompt template that a project uses.',
    tag: 'templates',
    params: ProjectPath,
    body: NewTemplate,
    response: Template,
    handle: ({ caller, params, body }) => templateService.create(caller, body, params.project_id),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/templates/versions',
    operationId: 'findProjectTemplateVersion',
    summary: 'Get a version of a prompt template by the name of the template; the selected one without a number or a label.',
    tag: 'templates',
    params: ProjectPath,
    query: VersionWanted,
    requestHeaders: IF_NONE_MATCH,
    replyHeaders: ETAG_OF_REPLY,
    response: TemplateVersion,
    handle: async ({ caller, params, query, headers, res }) =>
      unlessNotModified(
        await projectTemplateService.findVersion(caller, params.project_id, query.template_name, query),
        headers,
        res,
      ),
  }),
];

const deprecatedRoutes = ({ projectTemplateService, templateService, templateVersionService }: Deps): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/templates/{template_id}',
    operationId: 'getProjectTemplate',
    summary: 'Get a prompt template that a project uses.',
    tag: 'templates',
    deprecated: true,
    params: TemplatePath,
    response: Template,
    handle: async ({ caller, params }) => {
      await projectTemplateService.authorizeUse(caller, params.project_id, params.template_id);
      return templateService.get(caller, params.template_id);
    },
  }),
  route({
    method: 'delete',
    path: '/v2/projects/{project_id}/templates/{template_id}',
    operationId: 'deleteProjectTemplate',
    summary: 'Delete a prompt template that a project uses.',
    tag: 'templates',
    deprecated: true,
    params: TemplatePath,
    response: TemplateDeleted,
    handle: async ({ caller, params }) => {
      await projectTemplateService.authorizeUse(caller, params.project_id, params.template_id);
      return templateService.delete(caller, params.template_id);
    },
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/templates/{template_id}/versions',
    operationId: 'createProjectTemplateVersion',
    summary: 'Add a version to a prompt template that a project uses.',
    tag: 'templates',
    deprecated: true,
    params: TemplatePath,
    body: NewTemplateVersion,
    response: TemplateVersion,
    handle: async ({ caller, params, body }) => {
      await projectTemplateService.authorizeUse(caller, params.project_id, params.template_id);
      return templateVersionService.add(caller, params.template_id, body);
    },
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/templates/{template_id}/versions/{version}',
    operationId: 'getProjectTemplateVersion',
    summary: 'Get a version of a prompt template that a project uses.',
    tag: 'templates',
    deprecated: true,
    params: VersionPath,
    response: TemplateVersion,
    handle: async ({ caller, params }) => {
      await projectTemplateService.authorizeUse(caller, params.project_id, params.template_id);
      return templateVersionService.get(caller, params.template_id, params.version);
    },
  }),
  route({
    method: 'put',
    path: '/v2/projects/{project_id}/templates/{template_id}/versions/{version}',
    operationId: 'selectProjectTemplateVersion',
    summary: 'Select a version of a prompt template that a project uses.',
    tag: 'templates',
    deprecated: true,
    params: VersionPath,
    response: Template,
    handle: async ({ caller, params }) => {
      await projectTemplateService.authorizeUse(caller, params.project_id, params.template_id);
      return templateVersionService.select(caller, params.template_id, params.version);
    },
  }),
];
