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

/** Where a browser signs in, for which client. */
export interface SignIn {
  readonly client_id: string;
  readonly authorization_endpoint: string;
}

/** A sign-in that begins: the host makes state, nonce and the verifier of the challenge anew for each. */
export interface CodeRequest {
  /** Where the provider sends the browser back to. */
  readonly redirect_uri: string;
  readonly state: string;
  readonly nonce: string;
  /** Of the method S256 (RFC 7636). */
  readonly code_challenge: string;
}

/** Result of a sign-in, as the browser brings it back; the host has compared its state. */
export interface CodeReturn {
  readonly code: string;
  /** `iss` of the response (RFC 9207), where there was one. */
  readonly issuer?: string | undefined;
  readonly redirect_uri: string;
  readonly nonce: string;
  readonly code_verifier: string;
}

/** Authorization code flow of OAuth 2.0 with PKCE: the service exchanges the code, and no credential passes through the browser. */
export interface CodeFlow {
  /** URL that a browser is sent to; undefined where the provider gives no codes. Rejects as `identify`. */
  authorize(asked: CodeRequest, signal: AbortSignal): Promise<string | undefined>;
  /** Whose the code is. Undefined for one that is not good, or was made for another sign-in: the nonce differs. Rejects as `identify`. */
  redeem(returned: CodeReturn, signal: AbortSignal): Promise<Identity | undefined>;
}

export interface IdentityProvider {
  /**
   * Whose credential it is. Gives undefined for one that is not good: expired, made for somebody else, forged, or no credential at all.
   * Rejects with a PluginError when that cannot be told, and with the signal's reason once that is aborted.
   */
  identify(credential: string, signal: AbortSignal): Promise<Identity | undefined>;
  /** Absent, or undefined: browsers cannot be sent there. The host remembers it for some minutes. */
  signIn?(signal: AbortSignal): Promise<SignIn | undefined>;
  /**
   * Absent: browsers that are sent there come back with an id token behind `#`, by OpenID Connect's implicit flow. With it `signIn`
   * only tells that people can sign in there.
   */
  readonly codeFlow?: CodeFlow;
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
