import { z } from 'zod';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { TemplateVersion } from '../../../core/prompts/template.ts';
import {
  TemplateLabel,
  TemplateLabelMove,
  TemplateLabelName,
  TemplateLabelUpdate,
} from '../../../core/prompts/template-label.ts';
import type { TemplateLabelService } from '../../../core/prompts/template-label-service.ts';
import type { TemplateVersionService } from '../../../core/prompts/template-version-service.ts';
import { TemplateDiff } from '../../../core/prompts/version-diff.ts';
import { ETAG_OF_REPLY, IF_NONE_MATCH, unlessNotModified } from '../not-modified.ts';
import { type Route, route } from '../route.ts';
import { VersionNumber } from './template-routes.ts';

const TemplatePath = z.object({ template_id: Id });
const LabelPath = z.object({ template_id: Id, label: TemplateLabelName });
const VersionPath = z.object({ template_id: Id, version: VersionNumber });
const MovePage = z.object({ ...PageFields, moves: z.array(TemplateLabelMove) }).meta({ id: 'TemplateLabelMovePage' });

interface Deps {
  readonly templateLabelService: TemplateLabelService;
  readonly templateVersionService: TemplateVersionService;
}

export const templateLabelRoutes = ({ templateLabelService, templateVersionService }: Deps): Route[] => [
  route({
    method: 'get',
    path: '/v2/templates/{template_id}/labels',
    operationId: 'listTemplateLabels',
    summary: 'List the labels of a prompt template, with the version each of them is on.',
    tag: 'templates',
    params: TemplatePath,
    response: z.array(TemplateLabel),
    handle: ({ caller, params }) => templateLabelService.list(caller, params.template_id),
  }),
  route({
    method: 'get',
    path: '/v2/templates/{template_id}/labels/{label}',
    operationId: 'getLabelledTemplateVersion',
    summary: 'Get the version of a prompt template that has a label; `latest` is the newest one.',
    tag: 'templates',
    params: LabelPath,
    requestHeaders: IF_NONE_MATCH,
    replyHeaders: ETAG_OF_REPLY,
    response: TemplateVersion,
    handle: async ({ caller, params, headers, res }) =>
      unlessNotModified(await templateLabelService.find(caller, params.template_id, params.label), headers, res),
  }),
  route({
    method: 'put',
    path: '/v2/templates/{template_id}/labels/{label}',
    operationId: 'moveTemplateLabel',
    summary: 'Put a label on a version of a prompt template; it leaves the version that had it.',
    tag: 'templates',
    params: LabelPath,
    body: TemplateLabelUpdate,
    response: z.array(TemplateLabel),
    handle: ({ caller, params, body }) => templateLabelService.move(caller, params.template_id, params.label, body.version),
  }),
  route({
    method: 'delete',
    path: '/v2/templates/{template_id}/labels/{label}',
    operationId: 'removeTemplateLabel',
    summary: 'Take a label off the version of a prompt template that has it.',
    tag: 'templates',
    params: LabelPath,
    response: z.array(TemplateLabel),
    handle: ({ caller, params }) => templateLabelService.remove(caller, params.template_id, params.label),
  }),
  route({
    method: 'get',
    path: '/v2/templates/{template_id}/label_moves',
    operationId: 'listTemplateLabelMoves',
    summary: 'List who moved which label of a prompt template from which version to which, newest first.',
    tag: 'templates',
    params: TemplatePath,
    query: PageQuery,
    response: MovePage,
    handle: ({ caller, params, query }) => templateLabelService.moves(caller, params.template_id, query),
  }),
  route({
    method: 'get',
    path: '/v2/templates/{template_id}/versions/{version}/diff',
    operationId: 'diffTemplateVersions',
    summary: 'Compare a version of a prompt template with another one.',
    tag: 'templates',
    params: VersionPath,
    query: z.object({ from_version: VersionNumber }),
    response: TemplateDiff,
    handle: ({ caller, params, query }) =>
      templateVersionService.diff(caller, params.template_id, query.from_version, params.version),
  }),
];
