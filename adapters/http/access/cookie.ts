import type { Response } from 'express';
import { REFRESH_DAYS } from '../../../core/access/login/login-service.ts';

const REFRESH_TOKEN = 'refresh_token';
const MAX_AGE_SECONDS = REFRESH_DAYS * 24 * 60 * 60;

/**
 * Hands out the refresh token where scripts and other sites do not reach it. `Path=/`, because the operation is served
 * under two paths. `Secure` only over TLS: a client on plain HTTP, as on the loopback address of a default start, would
 * drop the cookie or not send it back. Behind a proxy that ends TLS, `trust proxy` decides whether it is TLS.
 */
export const setRefreshCookie = (res: Response, token: string): void => setCookie(res, token, MAX_AGE_SECONDS);

export const dropRefreshCookie = (res: Response): void => setCookie(res, '', 0);

function setCookie(res: Response, token: string, maxAge: number): void {
  const secure = res.req.secure ? '; Secure' : '';
  res.append('Set-Cookie', `${REFRESH_TOKEN}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAge}${secure}`);
}

/** The refresh token that a request carries; undefined when there is none. */
export function getRefreshToken(cookies: string | undefined): string | undefined {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
  const pair = pairs.find((one) => one.startsWith(`${REFRESH_TOKEN}=`));
  return pair?.slice(REFRESH_TOKEN.length + 1).replace(/^"(.*)"$/, '$1') || undefined;
}
