import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { acceptProviders, type ConfiguredProvider, type ConfiguredProviders } from '../core/identity/configured-provider.ts';
import { PluginRegistry } from '../core/kernel/plugin-registry.ts';
import type { LoadedPlugins } from './plugins.ts';

const FILE = /_file$/;

/** The host's own part of an entry; the rest is the plugin's. */
const Provider = z
  .looseObject({
    sign_up_domains: z.array(z.string().min(1).toLowerCase()).nullable().default(null),
    single_use: z.boolean().default(false),
  })
  .transform(({ sign_up_domains, single_use, ...given }, ctx): ConfiguredProvider => {
    const entries = Object.entries(given).map(([name, value]) => {
      if (!FILE.test(name)) return [name, value];
      const field = name.replace(FILE, '');
      const problem = field in given ? `and ${field} are both there` : typeof value === 'string' ? undefined : 'is not a path';
      const content = problem === undefined ? fromFile(value as string) : { problem };
      if (content.problem !== undefined) ctx.addIssue({ code: 'custom', path: [name], message: content.problem });
      return [field, content.value];
    });
    return { sign_up_domains, single_use, settings: Object.fromEntries(entries) };
  });

/** A setting that stands in a file: JSON where it is an object or a list, otherwise text without the blanks around it. */
function fromFile(path: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return { value: /^[[{]/.test(text) ? JSON.parse(text) : text };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: `${path} is not JSON` };
    return { problem: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The setting SOCIAL_PROVIDERS: a JSON object, by the name of the provider. Whether plugins take it is seen when they are loaded. */
export const socialProviders = z
  .string()
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      ctx.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), Provider))
  .transform((providers): ConfiguredProviders => providers);

/** Throws an Error that lists what is wrong with the settings of providers, as `acceptProviders`. */
export function checkSocialProviders({ identityProviders }: LoadedPlugins, configured: ConfiguredProviders): void {
  acceptProviders(new PluginRegistry(identityProviders), configured);
}

/** The hosts, with their ports, of all URLs that the operator set: providers may be reached there though they are not public. */
export const hostsIn = (configured: ConfiguredProviders): string[] =>
  Object.values(configured).flatMap(({ settings }) => hostsInValue(settings));

function hostsInValue(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(hostsInValue);
  const url = typeof value === 'string' && /^https?:\/\//i.test(value) ? URL.parse(value) : null;
  if (!url) return [];
  return [`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`];
}
