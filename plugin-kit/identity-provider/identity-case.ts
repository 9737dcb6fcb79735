import type { Identity, IdentityProviderPlugin, SignIn, z } from '../../core/plugin-sdk/index.ts';
import type { Fixed } from '../check.ts';
import type { SeenRequest } from '../fake-provider.ts';

/** A sign-in as the kit begins it (RFC 7636, Appendix B). */
export const SAMPLE_SIGN_IN = {
  redirect_uri: 'https://touchstone.example/',
  state: 'state-of-the-sign-in',
  nonce: 'nonce-of-the-sign-in',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
} as const;

/** Credentials that are not good, each for one reason alone. */
export const BAD_CREDENTIALS = [
  'expired',
  'not_yet_good',
  'of_another_audience',
  'of_another_issuer',
  'unsigned',
  'of_another_key',
  'changed',
  'without_subject',
  'of_another_kind',
] as const;
export type BadCredential = (typeof BAD_CREDENTIALS)[number];

/** Credentials that the kit tries a provider with. The clock of its host stands at 2026-01-01T00:00:00Z. */
export interface Credentials {
  readonly good: string;
  /** Of another person. */
  readonly other: string;
  /** Good, and silent about whether the address is verified. */
  readonly silent_about_email: string;
  readonly bad: Partial<Readonly<Record<BadCredential, string>>>;
}

/** The case that the kit tries an identity provider with. */
export interface IdentityProviderCase<S extends z.ZodType> {
  readonly plugin: IdentityProviderPlugin<S>;
  /** Settings that the schema accepts. Whatever stands in their secrets must show up nowhere. */
  readonly settings: Fixed<z.input<S>>;
  /** For which the good credential is of another audience. */
  readonly otherSettings: Fixed<z.input<S>>;
  /** The plugin's folder. */
  readonly folder: string;
  readonly credentials: () => Promise<Credentials>;
  /** Reply of the service behind the provider, as JSON; undefined is 404. */
  readonly upstream: (request: SeenRequest) => unknown;
  /** Of `good`. */
  readonly expected: Identity;
  /** Where browsers are sent; absent where they cannot be. */
  readonly signIn?: SignIn;
  /** Codes of a provider with a `codeFlow`: one for whom `good` is of, made for `SAMPLE_SIGN_IN`, and others that nobody logs in by. */
  readonly codes?: { readonly good: string; readonly bad: readonly string[] };
  /** The reasons for which no credential of this provider can be bad. */
  readonly lacks?: readonly BadCredential[];
  /** Says that the settings hold no secret, on purpose. */
  readonly keyless?: boolean;
}
