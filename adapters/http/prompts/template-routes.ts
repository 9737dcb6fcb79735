import { z } from 'zod';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import {
  DeletedTemplates,
  NewTemplate,
  NewTemplateVersion,
  Template,
  TemplateAction,
  TemplatesToDelete,
  TemplateUpdate,
  TemplateVersion,
} from '../../../core/prompts/template.ts';
import { TemplateSearch, TemplateVersionSearch } from '../../../core/prompts/template-query.ts';
import type { TemplateService } from '../../../core/prompts/template-service.ts';
import type { TemplateVersionService } from '../../../core/prompts/template-version-service.ts';
import { repeated } from '../query.ts';
import { type Route, route } from '../route.ts';

export const VersionNumber = z.coerce.number().int().min(0).max(2_147_483_647);
const TemplatePath = z.object({ template_id: Id });
const ActionsQuery = z.object({
  actions: repeated(TemplateAction, 100)
    .optional()
    .describe('Actions of which `permissions` say whether the caller may do them.'),
});
const VersionPath = z.object({ template_id: Id, version: VersionNumber });
const TemplatePage = z.object({ ...PageFields, templates: z.array(Template) }).meta({ id: 'TemplatePage' });
const VersionPage = z.object({ ...PageFields, versions: z.array(TemplateVersion) }).meta({ id: 'TemplateVersionPage' });
export const TemplateDeleted = z.object({ message: z.string() }).meta({ id: 'TemplateDeleted' });

interface Deps {
  readonly templateService: TemplateService;
  readonly templateVersionService: TemplateVersionService;
}

export const templateRoutes = (deps: Deps): Route[] => [...wholeRoutes(deps), ...versionRoutes(deps)];

const wholeRoutes = ({ templateService }: Deps): Route[] => [
  route({
    method: 'post',
    path: '/v2/templates',
    operationId: 'createTemplate',
    summary: 'Create a prompt template with its first version.',
    tag: 'templates',
    query: z.object({ project_id: Id.optional() }),
    body: NewTemplate,
    response: Template,
    handle: ({ caller, query, body }) => templateService.create(caller, body, query.project_id),
  }),
  route({
    method: 'post',
    path: '/v2/templates/query',
    operationId: 'queryTemplates',
    summary: 'List prompt templates, filtered and sorted.',
    tag: 'templates',
    query: PageQuery,
    body: TemplateSearch,
    bodyOptional: true,
    response: TemplatePage,
    handle: ({ caller, query, body }) => templateService.search(caller, body, query),
  }),
  route({
    method: 'delete',
    path: '/v2/templates/bulk_delete',
    operationId: 'deleteTemplates',
    summary: 'Delete several prompt templates; those that cannot be deleted are named.',
    tag: 'templates',
    body: TemplatesToDelete,
    response: DeletedTemplates,
    handle: ({ caller, body }) => templateService.deleteMany(caller, body.template_ids),
  }),
  route({
    method: 'get',
    path: '/v2/templates/{template_id}',
    operationId: 'getTemplate',
    summary: 'Get a prompt template with its newest versions.',
    tag: 'templates',
    params: TemplatePath,
    query: ActionsQuery,
    response: Template,
    handle: ({ caller, params, query }) => templateService.get(caller, params.template_id, query.actions ?? []),
  }),
  route({
    method: 'patch',
    path: '/v2/templates/{template_id}',
    operationId: 'updateTemplate',
    summary: 'Rename a prompt template.',
    tag: 'templates',
    params: TemplatePath,
    body: TemplateUpdate,
    response: Template,
    handle: ({ caller, params, body }) => templateService.update(caller, params.template_id, body),
  }),
  route({
    method: 'delete',
    path: '/v2/templates/{template_id}',
    operationId: 'deleteTemplate',
    summary: 'Delete a prompt template with all its versions.',
    tag: 'templates',
    params: TemplatePath,
    response: TemplateDeleted,
    handle: ({ caller, params }) => templateService.delete(caller, params.template_id),
  }),
];

const versionRoutes = ({ templateVersionService }: Deps): Route[] => [
  route({
    method: 'post',
    path: '/v2/templates/{template_id}/versions',
    operationId: 'createTemplateVersion',
    summary: 'Add a version to a prompt template, and select it.',
    tag: 'templates',
    params: TemplatePath,
    body: NewTemplateVersion,
    response: TemplateVersion,
    handle: ({ caller, params, body }) => templateVersionService.add(caller, params.template_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/templates/{template_id}/versions/query',
    operationId: 'queryTemplateVersions',
    summary: 'List the versions of a prompt template, newest first unless sorted.',
    tag: 'templates',
    params: TemplatePath,
    query: PageQuery,
    body: TemplateVersionSearch,
    bodyOptional: true,
    response: VersionPage,
    handle: ({ caller, params, query, body }) => templateVersionService.list(caller, params.template_id, body, query),
  }),
  route({
    method: 'get',
    path: '/v2/templates/{template_id}/versions/{version}',
    operationId: 'getTemplateVersion',
    summary: 'Get a version of a prompt template by its number.',
    tag: 'templates',
    params: VersionPath,
    response: TemplateVersion,
    handle: ({ caller, params }) => templateVersionService.get(caller, params.template_id, params.version),
  }),
  route({
    method: 'put',
    path: '/v2/templates/{template_id}/versions/{version}',
    operationId: 'selectTemplateVersion',
    summary: 'Select a version of a prompt template.',
    tag: 'templates',
    params: VersionPath,
    response: Template,
    handle: ({ caller, params }) => templateVersionService.select(caller, params.template_id, params.version),
  }),
];
