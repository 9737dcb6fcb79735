import type { PluginHost } from '../plugin-sdk/index.ts';

type Redact = (text: string) => string;

/** The host as one plugin instance gets it: what it logs goes through `redact`. */
export const guardedHost = (host: PluginHost, redact: Redact): PluginHost => ({
  ...host,
  log: (message, fields) => host.log(redact(String(message)), fieldsWithout(redact, fields)),
});

/** Fields as JSON would have them; none when a secret was part of the form itself. */
function fieldsWithout(redact: Redact, fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  try {
    return JSON.parse(redact(JSON.stringify(fields)));
  } catch {
    return { fields: 'could not be shown' };
  }
}
