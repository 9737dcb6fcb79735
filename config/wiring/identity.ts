import { socialRoutes } from '../../adapters/http/access/social-routes.ts';
import { CodeSignInService } from '../../core/identity/code-sign-in-service.ts';
import { IdentityProviders, type IdentityProvidersDeps } from '../../core/identity/identity-providers.ts';
import { PluginRegistry } from '../../core/kernel/plugin-registry.ts';
import type { Given } from '../given.ts';
import { makePluginHost } from '../plugin-host.ts';
import { scopedIdentityProvider } from '../plugin-scope.ts';
import { capability, factory, singleton } from './registration.ts';

type Deps = Pick<Given, 'identityOutbound' | 'pluginSettings'> & Omit<IdentityProvidersDeps, 'identityHost'>;

export const identity = capability({
  services: {
    identityProviderPlugins: factory(
      ({ plugins, workContext }: Pick<Given, 'plugins' | 'workContext'>) =>
        new PluginRegistry(plugins.identityProviders.map((plugin) => scopedIdentityProvider(plugin, workContext))),
    ),
    identityProviders: factory(
      ({ identityProviderPlugins, socialProviders, identityOutbound, pluginSettings, clock, log }: Deps) =>
        new IdentityProviders({
          ...{ identityProviderPlugins, socialProviders, clock, log },
          identityHost: makePluginHost({ outbound: identityOutbound, pluginSettings, clock, log }),
        }),
    ),
    codeSignIns: singleton(CodeSignInService),
  },
  routes: [socialRoutes],
});
