import { randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { TokenClaims, TokenIssuer } from '../../core/access/identity.ts';

const ISSUER = 'touchstone';
const AUDIENCE = 'touchstone-api';
const LIFETIME = '24h';
const LEEWAY_SECONDS = 60;

/** JSON Web Tokens signed with HS256 by one secret of at least 32 bytes (RFC 7518 §3.2). */
export class JwtTokenIssuer implements TokenIssuer {
  readonly #secret: Uint8Array;

  constructor(secret: string) {
    this.#secret = new TextEncoder().encode(secret);
    if (this.#secret.length < 32) throw new Error('the access token secret has to be at least 32 bytes');
  }

  issue({ user_id, token_version }: TokenClaims): Promise<string> {
    return new SignJWT({ tv: token_version })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(user_id)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(LIFETIME)
      .sign(this.#secret);
  }

  async verify(token: string): Promise<TokenClaims | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#secret, {
        issuer: ISSUER,
        audience: AUDIENCE,
        algorithms: ['HS256'],
        typ: 'at+jwt',
        clockTolerance: LEEWAY_SECONDS,
        requiredClaims: ['sub', 'exp', 'iat'],
      });
      if (payload.sub === undefined || typeof payload.tv !== 'number') return undefined;
      return { user_id: payload.sub, token_version: payload.tv };
    } catch {
      return undefined;
    }
  }
}
