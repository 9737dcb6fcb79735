import type { Response } from 'express';
import { z } from 'zod';
import type { LoginTokens } from '../../../core/access/login/login-service.ts';
import { setRefreshCookie } from './cookie.ts';

export const Token = z.object({ access_token: z.string(), token_type: z.literal('bearer') }).meta({ id: 'Token' });

/** Reply of a login: the access token in the body, the refresh token in its cookie. */
export function tokenReply(res: Response, { access_token, refresh_token }: LoginTokens): z.output<typeof Token> {
  setRefreshCookie(res, refresh_token);
  return { access_token, token_type: 'bearer' };
}
