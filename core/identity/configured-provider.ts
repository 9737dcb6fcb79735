import type { SocialSettings } from '../access/login/identity.ts';
import type { PluginRegistry } from '../kernel/plugin-registry.ts';
import type { IdentityProviderPlugin } from '../plugin-sdk/index.ts';

/** Settings of the operator for one name of a provider: how its people get accounts, and the plugin's own settings. */
export interface ConfiguredProvider extends SocialSettings {
  readonly settings: Readonly<Record<string, unknown>>;
}
export type ConfiguredProviders = Readonly<Record<string, ConfiguredProvider>>;

export type IdentityProviderRegistry = PluginRegistry<IdentityProviderPlugin>;

/** A name with the plugin that serves it, its settings checked. */
export interface AcceptedProvider {
  readonly name: string;
  readonly plugin: IdentityProviderPlugin;
  readonly settings: unknown;
  readonly issuers: ReadonlySet<string>;
  readonly social: SocialSettings;
}

/** The values of `provider` that a plugin serves. */
export const getNames = ({ id, names }: Pick<IdentityProviderPlugin, 'id' | 'names'>): readonly string[] => names ?? [id];

/** The values of `provider` that the installed plugins serve. */
export const listNames = (plugins: IdentityProviderRegistry): string[] => plugins.list().flatMap(getNames);

/**
 * Whose settings are whose. Throws an Error that lists all that is wrong: a name that two plugins serve, or none; settings that do not
 * fit; an issuer of two names. No value of the settings is repeated but issuers.
 */
export function acceptProviders(plugins: IdentityProviderRegistry, configured: ConfiguredProviders): AcceptedProvider[] {
  const problems = findTwice(listNames(plugins)).map((name) => `${name}: two plugins serve it`);
  const accepted = Object.entries(configured).flatMap(([name, { settings, ...social }]) => {
    const plugin = plugins.list().find((one) => getNames(one).includes(name));
    const parsed = plugin?.settings.safeParse(settings);
    if (plugin && parsed?.success) return [toAccepted(name, plugin, parsed.data, social)];
    const flaws = parsed?.error?.issues.map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`);
    problems.push(...(flaws ?? [`${name}: no plugin for it is installed; there are ${listNames(plugins).join(', ')}`]));
    return [];
  });
  const shared = findTwice(accepted.flatMap(({ issuers }) => [...issuers]));
  problems.push(...shared.map((issuer) => `${issuer} is the issuer of two providers`));
  if (problems.length > 0) throw new Error(`SOCIAL_PROVIDERS: ${problems.join('; ')}`);
  return accepted;
}

const toAccepted = (
  name: string,
  plugin: IdentityProviderPlugin,
  settings: unknown,
  social: SocialSettings,
): AcceptedProvider => ({
  ...{ name, plugin, settings, social },
  issuers: new Set(plugin.issuers(settings)),
});

const findTwice = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
];
