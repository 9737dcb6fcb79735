import { createHash, createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { TokenClaims, TokenIssuer, VerifiedToken } from '../../core/access/login/identity.ts';

const ISSUER = 'touchstone';
const MIN_SECRET_BYTES = 32;
const LEEWAY_SECONDS = 60;

/**
 * Purpose of a token. Audience and type differ, so that no kind passes for another. Audience and type differ, so that
 * no kind passes for another.
 */
interface TokenKind {
  readonly audience: string;
  readonly typ: string;
  readonly lifetime: string;
}
const ACCESS: TokenKind = { audience: 'touchstone-api', typ: 'at+jwt', lifetime: '24h' };
const VERIFICATION: TokenKind = { audience: 'touchstone-email-verification', typ: 'verification+jwt', lifetime: '15m' };

interface SigningKey {
  readonly kid: string;
  readonly key: KeyObject;
}

/**
 * JSON Web Tokens signed with HS256 by secrets of at least 32 bytes (RFC 7518 §3.2). The first secret signs; tokens of
 * all are good, so that a secret can be replaced while tokens of the one before are still about.
 */
export class JwtTokenIssuer implements TokenIssuer {
  readonly #keys: readonly [SigningKey, ...SigningKey[]];

  constructor(secrets: readonly string[]) {
    const [first, ...others] = secrets.map(signingKey);
    if (!first) throw new Error('there is no secret to sign access tokens with');
    this.#keys = [first, ...others];
  }

  issue({ user_id, token_version, api_key_id, session_id }: TokenClaims & { readonly session_id?: string }): Promise<string> {
    const key = api_key_id === null ? {} : { key: api_key_id };
    const session = session_id === undefined ? {} : { sid: session_id };
    return this.#sign(ACCESS, user_id, { tv: token_version, ...key, ...session });
  }

  async verify(token: string): Promise<VerifiedToken | undefined> {
    const payload = await this.#read(ACCESS, token);
    if (payload?.sub === undefined || typeof payload.tv !== 'number') return undefined;
    const api_key_id = typeof payload.key === 'string' ? payload.key : null;
    const session_id = typeof payload.sid === 'string' ? payload.sid : payload.jti;
    return session_id === undefined ? undefined : { user_id: payload.sub, token_version: payload.tv, api_key_id, session_id };
  }

  issueForVerification(email: string): Promise<string> {
    return this.#sign(VERIFICATION, email, {});
  }

  async verifyForVerification(token: string): Promise<string | undefined> {
    return (await this.#read(VERIFICATION, token))?.sub;
  }

  #sign({ audience, typ, lifetime }: TokenKind, subject: string, claims: JWTPayload): Promise<string> {
    const [{ kid, key }] = this.#keys;
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ, kid })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setSubject(subject)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(lifetime)
      .sign(key);
  }

  async #read({ audience, typ }: TokenKind, token: string): Promise<JWTPayload | undefined> {
    const checks = {
      issuer: ISSUER,
      audience,
      typ,
      algorithms: ['HS256'],
      clockTolerance: LEEWAY_SECONDS,
      requiredClaims: ['sub', 'exp', 'iat'],
    };
    for (const { key } of this.#keysFor(token)) {
      const verified = await jwtVerify(token, key, checks).catch(() => undefined);
      if (verified) return verified.payload;
    }
    return undefined;
  }

  /** Tokens that were signed before keys had names may be of any of them. */
  #keysFor(token: string): readonly SigningKey[] {
    try {
      const { kid } = decodeProtectedHeader(token);
      return kid === undefined ? this.#keys : this.#keys.filter((one) => one.kid === kid);
    } catch {
      return [];
    }
  }
}

function signingKey(secret: string): SigningKey {
  const bytes = Buffer.from(secret, 'utf8');
  if (bytes.length < MIN_SECRET_BYTES) throw new Error(`the access token secret has to be at least ${MIN_SECRET_BYTES} bytes`);
  const kid = createHash('sha256').update('kid:').update(bytes).digest('base64url').slice(0, 16);
  return { kid, key: createSecretKey(bytes) };
}
