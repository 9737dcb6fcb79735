import { SsrfGuardedOutbound } from '../../adapters/outbound/ssrf-guarded-outbound.ts';
import { INSTALLED } from '../../config/plugins.ts';
import { hostsIn } from '../../config/social-providers.ts';
import type { ConfiguredProviders } from '../../core/identity/configured-provider.ts';
import { IdentityProviders } from '../../core/identity/identity-providers.ts';
import { PluginRegistry } from '../../core/kernel/plugin-registry.ts';
import type { Log } from '../../core/kernel/ports.ts';
import type { IdentityProviderPlugin } from '../../core/plugin-sdk/index.ts';
import { silent } from './silent.ts';

export interface Asked {
  readonly socialProviders: ConfiguredProviders;
  readonly log?: Log;
  readonly plugins?: readonly IdentityProviderPlugin[];
}

/** Identity providers as the service opens them, of the installed plugins. */
export function openIdentityProviders({
  socialProviders,
  log = silent,
  plugins = INSTALLED.identityProviders,
}: Asked): IdentityProviders {
  const clock = () => new Date();
  const { fetch } = new SsrfGuardedOutbound({ allowed: hostsIn(socialProviders) });
  return new IdentityProviders({
    ...{ socialProviders, clock, log },
    identityProviderPlugins: new PluginRegistry(plugins),
    identityHost: { fetch, clock, log: (message, fields) => log.info(message, fields) },
  });
}
