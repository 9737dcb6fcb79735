import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { IdentityVerifier, SocialIdentity, SocialSettings } from '../../core/access/login/identity.ts';
import { AppError } from '../../core/kernel/errors.ts';
import type { Log } from '../../core/kernel/ports.ts';
import { isCleanText } from '../../core/kernel/text.ts';
import { issuerKeys } from './issuer-keys.ts';

/** How to check the id tokens of one provider (OpenID Connect Core 1.0 §3.1.3.7). */
export interface OidcProvider extends SocialSettings {
  readonly issuers: readonly string[];
  /** Client ids that a token may be made for. */
  readonly audiences: readonly string[];
  /** Where the issuer's keys are, or the keys themselves. */
  readonly keys: { readonly url: string } | { readonly jwks: JSONWebKeySet };
  /** The operator's word that addresses of this issuer are verified where its tokens are silent about it. */
  readonly vouches_for_email: boolean;
}
export type OidcProviders = Readonly<Record<string, OidcProvider>>;

/** Symmetric ones have no place here: the public keys would sign. */
const ALGORITHMS = ['RS256', 'ES256', 'PS256', 'EdDSA'];
const MAX_TOKEN_CHARS = 16 * 1024;
const MAX_SUBJECT_CHARS = 255;
const LEEWAY_SECONDS = 60;
const MAX_AGE_SECONDS = 10 * 60;

/**
 * Checks id tokens by the keys of the configured issuers. Which keys count is ours to say: what a token brings along or
 * points to (`jwk`, `x5c`, `jku`) is not looked at.
 */
export class OidcIdentityVerifier implements IdentityVerifier {
  readonly #providers: ReadonlyMap<string, OidcProvider>;
  readonly #keys: ReadonlyMap<string, JWTVerifyGetKey>;

  constructor({ providers, log }: { providers: OidcProviders; log: Log }) {
    this.#providers = new Map(Object.entries(providers));
    this.#keys = new Map(Object.entries(providers).map(([name, { keys }]) => [name, getKeys(keys, log)]));
  }

  settings(provider: string): SocialSettings | undefined {
    return this.#providers.get(provider);
  }

  async verify(name: string, id_token: string): Promise<SocialIdentity | undefined> {
    const provider = this.#providers.get(name);
    const keys = this.#keys.get(name);
    if (!provider || !keys || id_token.length > MAX_TOKEN_CHARS) return undefined;
    const payload = await this.#read(id_token, provider, keys);
    return payload && isForUs(payload, provider) ? toIdentity(payload, provider) : undefined;
  }

  async #read(token: string, { issuers, audiences }: OidcProvider, keys: JWTVerifyGetKey): Promise<JWTPayload | undefined> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer: [...issuers],
        audience: [...audiences],
        algorithms: ALGORITHMS,
        clockTolerance: LEEWAY_SECONDS,
        maxTokenAge: MAX_AGE_SECONDS,
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      return isIdToken(protectedHeader.typ) ? payload : undefined;
    } catch (error) {
      if (error instanceof AppError) throw error;
      return undefined;
    }
  }
}

const getKeys = (keys: OidcProvider['keys'], log: Log): JWTVerifyGetKey =>
  'url' in keys ? issuerKeys(keys.url, log) : createLocalJWKSet(keys.jwks);

/** Access and logout tokens of the same issuer say so in their type. */
const isIdToken = (typ: string | undefined): boolean => typ === undefined || typ.toLowerCase() === 'jwt';

/** A token for several is good only when one of our clients asked for it. */
function isForUs({ aud, azp }: JWTPayload, { audiences }: OidcProvider): boolean {
  const isForOne = typeof aud === 'string' || aud?.length === 1;
  return isForOne || (typeof azp === 'string' && audiences.includes(azp));
}

function toIdentity(payload: JWTPayload, { vouches_for_email }: OidcProvider): SocialIdentity | undefined {
  const { iss, sub, exp, iat, email, email_verified, given_name, family_name } = payload;
  if (typeof iss !== 'string' || typeof sub !== 'string' || exp === undefined || iat === undefined) return undefined;
  if (sub === '' || sub.length > MAX_SUBJECT_CHARS || !isCleanText(sub)) return undefined;
  return {
    issuer: iss,
    subject: sub,
    email: toText(email),
    email_verified: email_verified === true || (vouches_for_email && email_verified === undefined),
    first_name: toText(given_name),
    last_name: toText(family_name),
    expires_at: new Date((Math.min(exp, iat + MAX_AGE_SECONDS) + LEEWAY_SECONDS) * 1000).toISOString(),
  };
}

const toText = (claim: unknown): string | null => (typeof claim === 'string' && claim !== '' ? claim : null);
