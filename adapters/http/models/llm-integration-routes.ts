import { z } from 'zod';
import { Id, Name } from '../../../core/kernel/text.ts';
import { LlmIntegrations, MultimodalCapability } from '../../../core/models/llm-integration.ts';
import type { LlmIntegrationService } from '../../../core/models/llm-integration-service.ts';
import { repeated } from '../query.ts';
import { type Route, route } from '../route.ts';

const Query = z.object({ multimodal_capabilities: repeated(MultimodalCapability, 10).optional() });
const RunPath = z.object({ project_id: Id, run_id: Id });
const ProviderPath = z.object({ llm_integration: Name.describe('A provider, or the name of an integration.') });
const ModelNames = z.array(z.string());
const TAG = 'integrations';

export const llmIntegrationRoutes = ({ llmIntegrationService }: { llmIntegrationService: LlmIntegrationService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/llm_integrations',
    operationId: 'listLlmIntegrations',
    summary: "The models of the caller's integrations, by provider.",
    tag: TAG,
    query: Query,
    response: LlmIntegrations,
    handle: ({ caller, query }) => llmIntegrationService.listLlmIntegrations(caller, query.multimodal_capabilities ?? []),
  }),
  route({
    method: 'get',
    path: '/v2/llm_integrations/projects/{project_id}/runs/{run_id}',
    operationId: 'listRunLlmIntegrations',
    summary: 'The models of the integrations of whoever created a run, by provider.',
    tag: TAG,
    params: RunPath,
    query: Query,
    response: LlmIntegrations,
    handle: ({ caller, params, query }) =>
      llmIntegrationService.listRunLlmIntegrations(caller, params.project_id, params.run_id, query.multimodal_capabilities ?? []),
  }),
  route({
    method: 'get',
    path: '/v2/llm_integrations/{llm_integration}/models',
    operationId: 'listModels',
    summary: 'The names of the models that a provider offers to the caller.',
    tag: TAG,
    params: ProviderPath,
    response: ModelNames,
    handle: ({ caller, params }) => llmIntegrationService.listModels(caller, params.llm_integration),
  }),
  route({
    method: 'get',
    path: '/v2/llm_integrations/{llm_integration}/scorer_models',
    operationId: 'listScorerModels',
    summary: 'Those of them that scorers may use.',
    tag: TAG,
    params: ProviderPath,
    response: ModelNames,
    handle: ({ caller, params }) => llmIntegrationService.listScorerModels(caller, params.llm_integration),
  }),
];
