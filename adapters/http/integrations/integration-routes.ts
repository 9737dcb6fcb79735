import { z } from 'zod';
import {
  Integration,
  IntegrationSettings,
  IntegrationStatus,
  IntegrationUpdate,
  NewIntegrationName,
} from '../../../core/integrations/integration.ts';
import type { IntegrationService } from '../../../core/integrations/integration-service.ts';
import type { PluginRegistry } from '../../../core/kernel/plugin-registry.ts';
import { Id, Name } from '../../../core/kernel/text.ts';
import { asWord } from '../../../core/kernel/vocabulary.ts';
import type { ModelProviderPlugin } from '../../../core/plugin-sdk/index.ts';
import { type Route, route } from '../route.ts';
import { pascal } from '../schema-names.ts';

const IntegrationPath = z.object({ integration_id: Id });
const NamePath = z.object({ name: Name.describe('The name of an integration, or its id.') });
const PutQuery = z.object({
  name: NewIntegrationName.optional().describe("The integration's name; the provider's id unless given."),
});
const Available = z.object({ integrations: z.array(asWord(z.string())) }).meta({ id: 'AvailableIntegrations' });
const Deleted = z.object({ message: z.string() }).meta({ id: 'IntegrationDeleted' });
const TAG = 'integrations';

interface Deps {
  readonly integrationService: IntegrationService;
  readonly modelProviders: PluginRegistry<ModelProviderPlugin>;
}

export const integrationRoutes = ({ integrationService, modelProviders }: Deps): Route[] => [
  ...modelProviders.list().flatMap((plugin) => providerRoutes(integrationService, plugin)),
  route({
    method: 'get',
    path: '/v2/integrations',
    operationId: 'listIntegrations',
    summary: "List the caller's integrations and those shared with them, oldest first.",
    tag: TAG,
    response: z.array(Integration),
    handle: ({ caller }) => integrationService.listIntegrations(caller),
  }),
  route({
    method: 'get',
    path: '/v2/integrations/available',
    operationId: 'listAvailableIntegrations',
    summary: 'The providers that integrations can be made for.',
    tag: TAG,
    response: Available,
    handle: () => integrationService.listAvailable(),
  }),
  route({
    method: 'get',
    path: '/v2/integrations/{name}',
    operationId: 'getIntegration',
    summary: 'The settings of an integration, without its secrets.',
    tag: TAG,
    params: NamePath,
    response: IntegrationSettings,
    handle: ({ caller, params }) => integrationService.getIntegration(caller, params.name),
  }),
  route({
    method: 'get',
    path: '/v2/integrations/{name}/status',
    operationId: 'getIntegrationStatus',
    summary: 'Ask the provider whether the integration works, by a real call.',
    tag: TAG,
    params: NamePath,
    response: IntegrationStatus,
    handle: ({ caller, params }) => integrationService.getStatus(caller, params.name),
  }),
  route({
    method: 'delete',
    path: '/v2/integrations/{name}',
    operationId: 'deleteIntegration',
    summary: 'Delete an integration with its secrets.',
    tag: TAG,
    params: NamePath,
    response: Deleted,
    handle: ({ caller, params }) => integrationService.deleteIntegration(caller, params.name),
  }),
  route({
    method: 'patch',
    path: '/v2/integrations/{integration_id}',
    operationId: 'updateIntegration',
    summary: 'Disable an integration, or enable it again.',
    tag: TAG,
    params: IntegrationPath,
    body: IntegrationUpdate,
    response: Integration,
    handle: ({ caller, params, body }) => integrationService.updateIntegration(caller, params.integration_id, body),
  }),
  route({
    method: 'put',
    path: '/v2/integrations/{integration_id}/select',
    operationId: 'selectIntegration',
    summary: 'Choose an integration among those of its provider, for oneself.',
    tag: TAG,
    params: IntegrationPath,
    response: Integration,
    handle: ({ caller, params }) => integrationService.selectIntegration(caller, params.integration_id),
  }),
];

/** Made of the plugin alone: installing one adds its route, and those it had before. */
const providerRoutes = (integrationService: IntegrationService, plugin: ModelProviderPlugin): Route[] =>
  [plugin.id, ...(plugin.former_paths ?? [])].map((path) => providerRoute(integrationService, plugin, path));

/** The body is parsed by the service, which repeats nothing of it. */
function providerRoute(integrationService: IntegrationService, plugin: ModelProviderPlugin, path: string): Route {
  return route({
    method: 'put',
    path: `/v2/integrations/${path}`,
    operationId: `put${pascal(path)}Integration`,
    summary: `Set the integration with ${plugin.label}: ${plugin.summary}`,
    tag: TAG,
    deprecated: plugin.stability === 'deprecated' || path !== plugin.id,
    extensions: { 'x-integration': { label: plugin.label, summary: plugin.summary } },
    sharesPath: true,
    query: PutQuery,
    body: z.unknown(),
    documentedBody: plugin.settings,
    response: Integration,
    handle: ({ caller, query, body }) => integrationService.putIntegration(caller, plugin, query.name ?? plugin.id, body),
  });
}
