import type { z } from 'zod';
import type { PluginHead, PluginHost } from './plugin.ts';

/** A person as an identity provider knows them. */
export interface Identity {
  /** Who says so: one of the plugin's `issuers`. With the subject it names the person for good. */
  readonly issuer: string;
  /** The issuer's id of the person, the same at every login: never a name or an address that may change hands. */
  readonly subject: string;
  readonly email: string | null;
  /** True only where the issuer says that the address is the person's; false where it is silent. */
  readonly email_verified: boolean;
  readonly first_name: string | null;
  readonly last_name: string | null;
  /** When the credential is of no more use, in ISO 8601. */
  readonly expires_at: string;
}

/** Where a browser gets a credential, by OpenID Connect's implicit flow. */
export interface SignIn {
  readonly client_id: string;
  readonly authorization_endpoint: string;
}

export interface IdentityProvider {
  /**
   * Whose credential it is. Gives undefined for one that is not good: expired, made for somebody else, forged, or no credential at all.
   * Rejects with a PluginError when that cannot be told, and with the signal's reason once that is aborted.
   */
  identify(credential: string, signal: AbortSignal): Promise<Identity | undefined>;
  /** Absent, or undefined: browsers cannot be sent there. The host remembers it for some minutes. */
  signIn?(signal: AbortSignal): Promise<SignIn | undefined>;
}

/** A way to learn who somebody is, whom others know: what `POST /login/social` takes credentials of. */
export interface IdentityProviderPlugin<S extends z.ZodType = z.ZodType> extends PluginHead {
  readonly kind: 'identity_provider';
  /** The name to show. */
  readonly label: string;
  /** The values of `provider` that it serves, each with settings of its own; its id where absent. */
  readonly names?: readonly [string, ...string[]];
  /**
   * Settings of the operator for one name. Marks secrets by `secret`, and prints as JSON Schema. The host's `fetch` calls the hosts of URLs
   * in it, and nothing that is not public besides.
   */
  readonly settings: S;
  /** Whose word it takes: the host refuses identities of others, and settings in which two names share one. */
  issuers(settings: z.output<S>): readonly string[];
  /** Makes no request. */
  create(host: PluginHost, settings: z.output<S>): IdentityProvider;
}

export function defineIdentityProvider<S extends z.ZodType>(
  plugin: Omit<IdentityProviderPlugin<S>, 'kind'>,
): IdentityProviderPlugin<S> {
  return Object.freeze({ ...plugin, kind: 'identity_provider' as const });
}
