import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { NewSpendingBudget, ProjectSpendingBudget, SpendingBudget } from '../../../core/models/budgets/spending-budget.ts';
import type { SpendingBudgetService } from '../../../core/models/budgets/spending-budget-service.ts';
import { type Route, route } from '../route.ts';

const tag = 'models';
const params = z.object({ project_id: Id });

export const budgetRoutes = ({ spendingBudgetService }: { spendingBudgetService: SpendingBudgetService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/spending-budget',
    operationId: 'getSpendingBudget',
    summary: 'Budget for calls of models in the whole organisation, and how much of it is spent.',
    tag,
    response: SpendingBudget,
    handle: ({ caller }) => spendingBudgetService.getOfOrganization(caller),
  }),
  route({
    method: 'put',
    path: '/v2/spending-budget',
    operationId: 'setSpendingBudget',
    summary: 'Set what calls of models may cost in the whole organisation. Calls are refused once it is spent.',
    tag,
    body: NewSpendingBudget,
    response: SpendingBudget,
    handle: ({ caller, body }) => spendingBudgetService.setOfOrganization(caller, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/spending-budget',
    operationId: 'getProjectSpendingBudget',
    summary: 'Budget for calls of models in a project, and how much of it is spent.',
    tag,
    params,
    response: ProjectSpendingBudget,
    handle: ({ caller, params: { project_id } }) => spendingBudgetService.getOfProject(caller, project_id),
  }),
  route({
    method: 'put',
    path: '/v2/projects/{project_id}/spending-budget',
    operationId: 'setProjectSpendingBudget',
    summary: 'Set what calls of models may cost in a project. Calls are refused once it is spent.',
    tag,
    params,
    body: NewSpendingBudget,
    response: ProjectSpendingBudget,
    handle: ({ caller, params: { project_id }, body }) => spendingBudgetService.setOfProject(caller, project_id, body),
  }),
];
