import type { Outbound } from '../core/integrations/outbound.ts';
import type { Clock, Log } from '../core/kernel/ports.ts';
import type { PluginHost } from '../core/plugin-sdk/index.ts';

export interface PluginHostDeps {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly log: Log;
  /** Operator settings for plugins, by name. */
  readonly pluginSettings: Readonly<Record<string, string>>;
}

/** Access to the outside world that every plugin has. */
export const makePluginHost = ({ outbound, clock, log, pluginSettings }: PluginHostDeps): PluginHost => ({
  fetch: outbound.fetch,
  clock,
  log: (message, fields) => log.info(message, fields),
  operatorSetting: (name) => (Object.hasOwn(pluginSettings, name) ? pluginSettings[name] : undefined),
});
