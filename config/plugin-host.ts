import type { Outbound } from '../core/integrations/outbound.ts';
import type { Clock, Log } from '../core/kernel/ports.ts';
import type { PluginHost } from '../core/plugin-sdk/index.ts';

/** What every plugin may use of the outside world. */
export const getPluginHost = (
  { outbound, clock, log }: { outbound: Outbound; clock: Clock; log: Log },
  settings: Readonly<Record<string, string>>,
): PluginHost => ({
  fetch: outbound.fetch,
  clock,
  log: (message, fields) => log.info(message, fields),
  operatorSetting: (name) => (Object.hasOwn(settings, name) ? settings[name] : undefined),
});
