import type { Response } from 'express';
import { REFRESH_DAYS } from '../../../core/access/login/login-service.ts';
import { SIGN_IN_MINUTES } from '../../../core/identity/code-sign-in-service.ts';

const REFRESH_TOKEN = 'refresh_token';
const SIGN_IN = 'sign_in';
const MAX_AGE_SECONDS = REFRESH_DAYS * 24 * 60 * 60;

/**
 * Hands out the refresh token where scripts and other sites do not reach it. `Path=/`, because the operation is served
 * under two paths. `Secure` only over TLS: a client on plain HTTP, as on the loopback address of a default start, would
 * drop the cookie or not send it back. Behind a proxy that ends TLS, `trust proxy` decides whether it is TLS.
 */
export const setRefreshCookie = (res: Response, token: string): void => setCookie(res, REFRESH_TOKEN, token, MAX_AGE_SECONDS);

export const dropRefreshCookie = (res: Response): void => setCookie(res, REFRESH_TOKEN, '', 0);

/** The refresh token that a request carries; undefined when there is none. */
export const getRefreshToken = (cookies: string | undefined): string | undefined => getCookie(cookies, REFRESH_TOKEN);

/**
 * Binds a sign-in by a code to the browser that begins it. `SameSite=Strict` will do: the page that the provider sends the browser back to
 * asks for the rest by itself. Over TLS the name has the prefix `__Host-`, so that no other host of the domain plants one.
 */
export const setSignInCookie = (res: Response, sealed: string): void =>
  setCookie(res, getSignInName(res), sealed, SIGN_IN_MINUTES * 60);

export const dropSignInCookie = (res: Response): void => setCookie(res, getSignInName(res), '', 0);

/** The sealed sign-in that a request carries; undefined when there is none. */
export const getSignIn = (res: Response, cookies: string | undefined): string | undefined =>
  getCookie(cookies, getSignInName(res));

const getSignInName = (res: Response): string => (res.req.secure ? `__Host-${SIGN_IN}` : SIGN_IN);

function setCookie(res: Response, name: string, value: string, maxAge: number): void {
  const secure = res.req.secure ? '; Secure' : '';
  res.append('Set-Cookie', `${name}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAge}${secure}`);
}

function getCookie(cookies: string | undefined, name: string): string | undefined {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
  const pair = pairs.find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1).replace(/^"(.*)"$/, '$1') || undefined;
}
