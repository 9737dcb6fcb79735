import type { Response } from 'express';
import { z } from 'zod';
import type { LoginService, LoginTokens } from '../../../core/access/login/login-service.ts';
import { SocialProvider } from '../../../core/access/login/social-login.ts';
import { SocialSignIn } from '../../../core/access/login/social-sign-in.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { cleanText } from '../../../core/kernel/text.ts';
import { parseBearer } from '../bearer.ts';
import { type Route, route } from '../route.ts';
import { dropRefreshCookie, getRefreshToken, setRefreshCookie } from './cookie.ts';

const Token = z.object({ access_token: z.string(), token_type: z.literal('bearer') }).meta({ id: 'Token' });
const LoggedOut = z.object({ message: z.string() }).meta({ id: 'LoggedOut' });
const PasswordLogin = z.object({
  username: cleanText(1, 320),
  password: z.string().min(1).max(1024),
  grant_type: z.string().nullish(),
  scope: z.string().nullish(),
  client_id: z.string().nullish(),
  client_secret: z.string().nullish(),
});
const ApiKeyLogin = z.object({ api_key: z.string().min(1).max(1024) });
const SocialProviders = z.object({ providers: z.array(SocialSignIn) }).meta({ id: 'SocialProviders' });
const SocialLoginRequest = z.object({ id_token: z.string().min(1), provider: SocialProvider });
const MAX_LOGIN_BYTES = 16_384;
/** Larger than any id token that is looked at, so that a long one is refused as a bad one is. */
const MAX_SOCIAL_LOGIN_BYTES = 65_536;

function tokenReply(res: Response, { access_token, refresh_token }: LoginTokens): z.output<typeof Token> {
  setRefreshCookie(res, refresh_token);
  return { access_token, token_type: 'bearer' };
}

export const accessRoutes = ({ loginService }: { loginService: LoginService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/login',
    operationId: 'login',
    errors: [401, 429],
    summary: 'Exchange e-mail and password for an access token (OAuth 2.0 password flow).',
    tag: 'access',
    auth: 'none',
    bodyFormat: 'form',
    maxBodyBytes: MAX_LOGIN_BYTES,
    body: PasswordLogin,
    response: Token,
    handle: async ({ body, origin, res }) =>
      tokenReply(res, await loginService.loginWithPassword(body.username, body.password, origin)),
  }),
  route({
    method: 'post',
    path: '/v2/login/api_key',
    operationId: 'loginWithApiKey',
    errors: [401, 429],
    summary: 'Exchange an API key for an access token.',
    tag: 'access',
    auth: 'none',
    maxBodyBytes: MAX_LOGIN_BYTES,
    body: ApiKeyLogin,
    response: Token,
    handle: async ({ body, origin, res }) => tokenReply(res, await loginService.loginWithApiKey(body.api_key, origin)),
  }),
  route({
    method: 'post',
    path: '/v2/login/social',
    operationId: 'loginWithSocial',
    errors: [400, 401],
    summary: 'Exchange an id token of a configured provider for an access token.',
    tag: 'access',
    auth: 'none',
    maxBodyBytes: MAX_SOCIAL_LOGIN_BYTES,
    body: SocialLoginRequest,
    response: Token,
    handle: async ({ body, origin, res }) =>
      tokenReply(res, await loginService.loginWithSocial(body.provider, body.id_token, origin)),
  }),
  route({
    method: 'get',
    path: '/v2/login/social/providers',
    operationId: 'listSocialProviders',
    summary: 'The configured providers, and where a browser gets an id token of each by the implicit flow of OpenID Connect.',
    tag: 'access',
    auth: 'none',
    response: SocialProviders,
    handle: async () => ({ providers: await loginService.listSocialProviders() }),
  }),
  route({
    method: 'post',
    path: '/v2/refresh_token',
    operationId: 'refreshToken',
    errors: [401],
    summary: 'Exchange the cookie `refresh_token` for a new access token and the next cookie.',
    tag: 'access',
    auth: 'none',
    response: Token,
    handle: async ({ headers, res }) => tokenReply(res, await loginService.refresh(requireRefreshToken(headers.cookie))),
  }),
  route({
    method: 'post',
    path: '/v2/logout',
    operationId: 'logout',
    errors: [],
    summary:
      'End the login of the cookie `refresh_token`, of the bearer token, or of both, with all their tokens, and take the cookie back; without either there is nothing to end.',
    tag: 'access',
    auth: 'none',
    response: LoggedOut,
    handle: async ({ headers, res }) => {
      const refresh_token = getRefreshToken([headers.cookie].flat().join(';'));
      const access_token = parseBearer(headers);
      await loginService.logout({ ...(refresh_token && { refresh_token }), ...(access_token && { access_token }) });
      dropRefreshCookie(res);
      return { message: 'logged out' };
    },
  }),
];

function requireRefreshToken(cookies: string | string[] | undefined): string {
  const token = getRefreshToken([cookies].flat().join(';'));
  if (token === undefined) throw new AppError('unauthenticated', 'refresh_missing', 'there is no cookie refresh_token');
  return token;
}
