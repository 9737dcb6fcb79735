import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import {
  MaskingCounts,
  MaskingDays,
  MaskingRules,
  MaskingTrial,
  MaskingTrialResult,
  NewMaskingRules,
} from '../../../core/masking/masking-rule.ts';
import type { MaskingService } from '../../../core/masking/masking-service.ts';
import { type Route, route } from '../route.ts';

const tag = 'masking';
const params = z.object({ project_id: Id });

export const maskingRoutes = ({ maskingService }: { maskingService: MaskingService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/masking-rules',
    operationId: 'getMaskingRules',
    summary: 'What is masked in everything that is sent to a project, before it is stored.',
    tag,
    params,
    response: MaskingRules,
    handle: ({ caller, params: { project_id } }) => maskingService.getRules(caller, project_id),
  }),
  route({
    method: 'put',
    path: '/v2/projects/{project_id}/masking-rules',
    operationId: 'setMaskingRules',
    summary: 'Replace the masking rules of a project. What is stored already stays as it is until it is changed.',
    tag,
    params,
    body: NewMaskingRules,
    response: MaskingRules,
    handle: ({ caller, params: { project_id }, body }) => maskingService.setRules(caller, project_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/masking-preview',
    operationId: 'previewMasking',
    summary: 'Try rules on a text or on any JSON. Nothing is stored.',
    tag,
    params,
    body: MaskingTrial,
    response: MaskingTrialResult,
    handle: ({ caller, params: { project_id }, body }) => maskingService.preview(caller, project_id, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/masking-counts',
    operationId: 'listMaskingCounts',
    summary: 'How many values each rule masked, by day in UTC.',
    tag,
    params,
    query: MaskingDays,
    response: MaskingCounts,
    handle: ({ caller, params: { project_id }, query }) => maskingService.listCounts(caller, project_id, query),
  }),
];
