import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import {
  NewOwnPrices,
  NewUnpricedModels,
  OwnPrices,
  ProjectUnpricedModels,
  UnpricedModels,
} from '../../../core/models/prices/own-prices.ts';
import type { PriceService } from '../../../core/models/prices/price-service.ts';
import { type Route, route } from '../route.ts';

const tag = 'models';
const params = z.object({ project_id: Id });

export const priceRoutes = ({ priceService }: { priceService: PriceService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/model-prices',
    operationId: 'getModelPrices',
    summary: 'Own prices of models for all projects, in US dollars per million tokens.',
    tag,
    response: OwnPrices,
    handle: ({ caller }) => priceService.getOfOrganization(caller),
  }),
  route({
    method: 'put',
    path: '/v2/model-prices',
    operationId: 'setModelPrices',
    summary: 'Replace the own prices of models for all projects. Costs that are stored stay until they are recomputed.',
    tag,
    body: NewOwnPrices,
    response: OwnPrices,
    handle: ({ caller, body }) => priceService.setOfOrganization(caller, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/model-prices',
    operationId: 'getProjectModelPrices',
    summary: 'Own prices of models in a project, which go before those for all projects.',
    tag,
    params,
    response: OwnPrices,
    handle: ({ caller, params: { project_id } }) => priceService.getOfProject(caller, project_id),
  }),
  route({
    method: 'put',
    path: '/v2/projects/{project_id}/model-prices',
    operationId: 'setProjectModelPrices',
    summary: 'Replace the own prices of models in a project. Costs that are stored stay until they are recomputed.',
    tag,
    params,
    body: NewOwnPrices,
    response: OwnPrices,
    handle: ({ caller, params: { project_id }, body }) => priceService.setOfProject(caller, project_id, body),
  }),
  route({
    method: 'get',
    path: '/v2/unpriced-models',
    operationId: 'getUnpricedModels',
    summary: 'Whether calls of models without a price are forbidden in the whole organisation.',
    tag,
    response: UnpricedModels,
    handle: ({ caller }) => priceService.getUnpriced(caller),
  }),
  route({
    method: 'put',
    path: '/v2/unpriced-models',
    operationId: 'setUnpricedModels',
    summary: 'Forbid calls of models without a price in the whole organisation, or leave that to projects.',
    tag,
    body: NewUnpricedModels,
    response: UnpricedModels,
    handle: ({ caller, body }) => priceService.setUnpriced(caller, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/unpriced-models',
    operationId: 'getProjectUnpricedModels',
    summary: 'Whether calls of models without a price are forbidden in a project.',
    tag,
    params,
    response: ProjectUnpricedModels,
    handle: ({ caller, params: { project_id } }) => priceService.getUnpricedOfProject(caller, project_id),
  }),
  route({
    method: 'put',
    path: '/v2/projects/{project_id}/unpriced-models',
    operationId: 'setProjectUnpricedModels',
    summary: 'Forbid calls of models without a price in a project, or allow them where the organisation does.',
    tag,
    params,
    body: NewUnpricedModels,
    response: ProjectUnpricedModels,
    handle: ({ caller, params: { project_id }, body }) => priceService.setUnpricedOfProject(caller, project_id, body),
  }),
];
