import { collaboratorRoutesOf } from '../../adapters/http/access/collaborator-routes.ts';
import { integrationRoutes } from '../../adapters/http/integrations/integration-routes.ts';
import { IntegrationService } from '../../core/integrations/integration-service.ts';
import type { IntegrationStore } from '../../core/integrations/integration-store.ts';
import type { SecretBox } from '../../core/integrations/secret-box.ts';
import { SecretRotation } from '../../core/integrations/secret-rotation.ts';
import { UserIntegrations } from '../../core/integrations/user-integrations.ts';
import { PluginRegistry } from '../../core/kernel/plugin-registry.ts';
import type { AlertStore } from '../../core/trends/alert-store.ts';
import type { NotificationRouteStore } from '../../core/trends/routing/notification-route-store.ts';
import type { Given } from '../given.ts';
import { makePluginHost } from '../plugin-host.ts';
import { scopedProvider } from '../plugin-scope.ts';
import { capability, factory, singleton } from './registration.ts';

type Plugins = Pick<Given, 'plugins' | 'workContext' | 'selfTracer'>;

interface Sealed {
  readonly integrationStore: IntegrationStore;
  readonly alertStore: AlertStore;
  readonly notificationRouteStore: NotificationRouteStore;
  readonly secretBox: SecretBox;
}

export const integrations = capability({
  services: {
    pluginHost: factory(makePluginHost),
    modelProviders: factory(
      ({ plugins, workContext, selfTracer }: Plugins) =>
        new PluginRegistry(plugins.modelProviders.map((plugin) => scopedProvider(plugin, workContext, selfTracer))),
    ),
    secretRotation: factory(
      ({ integrationStore, alertStore, notificationRouteStore, secretBox }: Sealed) =>
        new SecretRotation({ sealedStores: [integrationStore, alertStore, notificationRouteStore], secretBox }),
    ),
    userIntegrations: singleton(UserIntegrations),
    integrationService: singleton(IntegrationService),
  },
  routes: [integrationRoutes, collaboratorRoutesOf('integration')],
});
