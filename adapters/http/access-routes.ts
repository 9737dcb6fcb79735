import { z } from 'zod';
import type { LoginService } from '../../core/access/login-service.ts';
import { cleanText } from '../../core/kernel/text.ts';
import { type Route, route } from './route.ts';

const Token = z.object({ access_token: z.string(), token_type: z.literal('bearer') }).meta({ id: 'Token' });
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

const bearer = (access_token: string): z.output<typeof Token> => ({ access_token, token_type: 'bearer' });

export const accessRoutes = ({ loginService }: { loginService: LoginService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/login',
    operationId: 'login',
    summary: 'Exchange e-mail and password for an access token (OAuth 2.0 password flow).',
    tag: 'access',
    auth: 'none',
    bodyFormat: 'form',
    maxBodyBytes: MAX_LOGIN_BYTES,
    body: PasswordLogin,
    response: Token,
    handle: async ({ body }) => bearer(await loginService.loginWithPassword(body.username, body.password)),
  }),
  route({
    method: 'post',
    path: '/v2/login/api_key',
    operationId: 'loginWithApiKey',
    summary: 'Exchange an API key for an access token.',
    tag: 'access',
    auth: 'none',
    maxBodyBytes: MAX_LOGIN_BYTES,
    body: ApiKeyLogin,
    response: Token,
    handle: async ({ body }) => bearer(await loginService.loginWithApiKey(body.api_key)),
  }),
];
