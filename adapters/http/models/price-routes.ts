import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { NewOwnPrices, OwnPrices } from '../../../core/models/prices/own-prices.ts';
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
];
