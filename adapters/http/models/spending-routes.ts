import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { SpendingDays, SpendingQuery, SpendingReport } from '../../../core/models/spending.ts';
import type { SpendingService } from '../../../core/models/spending-service.ts';
import { type Route, route } from '../route.ts';

export const spendingRoutes = ({ spendingService }: { spendingService: SpendingService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/model-spending',
    operationId: 'listModelSpending',
    summary:
      'Calls, tokens and money that were spent on models in a project, by purpose, payer, run, scorer version, model and day.',
    tag: 'scorers',
    params: z.object({ project_id: Id }),
    query: SpendingQuery,
    response: SpendingReport,
    handle: ({ caller, params, query }) => spendingService.listModelSpending(caller, params.project_id, query),
  }),
  route({
    method: 'get',
    path: '/v2/model-spending',
    operationId: 'listOwnModelSpending',
    summary: 'What the caller spent on models outside of projects: trials on samples, having judges written, synthetic rows.',
    tag: 'scorers',
    query: SpendingDays,
    response: SpendingReport,
    handle: ({ caller, query }) => spendingService.listOwnModelSpending(caller, query),
  }),
];
