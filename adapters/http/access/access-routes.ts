import { z } from 'zod';
import type { LoginService } from '../../../core/access/login/login-service.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { cleanText } from '../../../core/kernel/text.ts';
import { parseBearer } from '../bearer.ts';
import { type Route, route } from '../route.ts';
import { dropRefreshCookie, getRefreshToken } from './cookie.ts';
import { Token, tokenReply } from './token-reply.ts';

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
const MAX_LOGIN_BYTES = 16_384;

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
