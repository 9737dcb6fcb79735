import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { PromptUsageQuery, PromptUsageReply, PromptVersionUsage } from '../../../core/prompts/prompt-usage.ts';
import type { PromptUsageService } from '../../../core/prompts/prompt-usage-service.ts';
import { type Route, route } from '../route.ts';
import { VersionNumber } from './template-routes.ts';

const TemplatePath = z.object({ project_id: Id, template_id: Id });
const VersionPath = z.object({ project_id: Id, template_id: Id, version: VersionNumber });

export const promptUsageRoutes = ({ promptUsageService }: { readonly promptUsageService: PromptUsageService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/templates/{template_id}/usage',
    operationId: 'getProjectTemplateUsage',
    summary: 'Get calls, cost, tokens, time and scores of the versions of a prompt template in a project.',
    tag: 'templates',
    params: TemplatePath,
    query: PromptUsageQuery,
    response: PromptUsageReply,
    handle: ({ caller, params, query }) => promptUsageService.ofTemplate(caller, params.project_id, params.template_id, query),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/templates/{template_id}/versions/{version}/usage',
    operationId: 'getProjectTemplateVersionUsage',
    summary: 'Get calls, cost, tokens, time and scores of a version of a prompt template in a project, over time.',
    tag: 'templates',
    params: VersionPath,
    query: PromptUsageQuery,
    response: PromptVersionUsage,
    handle: ({ caller, params, query }) =>
      promptUsageService.ofVersion(caller, params.project_id, params.template_id, params.version, query),
  }),
];
