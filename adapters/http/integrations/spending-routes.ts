import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { SpendingQuery, SpendingReport } from '../../../core/scorers/lending/spending.ts';
import type { SpendingService } from '../../../core/scorers/lending/spending-service.ts';
import { type Route, route } from '../route.ts';

export const spendingRoutes = ({ spendingService }: { spendingService: SpendingService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/model-spending',
    operationId: 'listModelSpending',
    summary: 'Calls, tokens and money that scorers spent on models, by scorer version, model and day.',
    tag: 'scorers',
    params: z.object({ project_id: Id }),
    query: SpendingQuery,
    response: SpendingReport,
    handle: ({ caller, params, query }) => spendingService.listModelSpending(caller, params.project_id, query),
  }),
];
