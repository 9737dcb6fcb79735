import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { type Identity, PluginError } from '../../../core/plugin-sdk/index.ts';
import { type Settings, toList } from './settings.ts';

/** Symmetric ones have no place here: the public keys would sign. */
const ALGORITHMS = ['RS256', 'ES256', 'PS256', 'EdDSA'];
const LEEWAY_SECONDS = 60;
const MAX_AGE_SECONDS = 10 * 60;

/** A way to check id tokens: by whose keys, for whom, and at what time. */
export interface TokenCheck {
  readonly keys: JWTVerifyGetKey;
  readonly settings: Settings;
  readonly now: Date;
}

/** Claims of a good id token for one of our clients; undefined for any other. Rejects with a PluginError where that cannot be told. */
export async function readIdToken(token: string, check: TokenCheck): Promise<JWTPayload | undefined> {
  const { issuer, audience } = check.settings;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, check.keys, {
      issuer: [...toList(issuer)],
      audience: [...toList(audience)],
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_SECONDS,
      maxTokenAge: MAX_AGE_SECONDS,
      requiredClaims: ['exp', 'iat', 'sub'],
      currentDate: check.now,
    });
    return isIdToken(protectedHeader.typ) && isForUs(payload, check.settings) ? payload : undefined;
  } catch (error) {
    if (error instanceof PluginError) throw error;
    return undefined;
  }
}

/** Access and logout tokens of the same issuer say so in their type. */
const isIdToken = (typ: string | undefined): boolean => typ === undefined || typ.toLowerCase() === 'jwt';

/** A token for several is good only when one of our clients asked for it. */
function isForUs({ aud, azp }: JWTPayload, { audience }: Settings): boolean {
  const isForOne = typeof aud === 'string' || aud?.length === 1;
  return isForOne || (typeof azp === 'string' && toList(audience).includes(azp));
}

export function toIdentity(payload: JWTPayload, { vouches_for_email }: Settings): Identity | undefined {
  const { iss, sub, exp, iat, email, email_verified, given_name, family_name } = payload;
  if (typeof iss !== 'string' || typeof sub !== 'string' || exp === undefined || iat === undefined) return undefined;
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
