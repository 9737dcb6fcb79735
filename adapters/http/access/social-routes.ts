import { z } from 'zod';
import type { LoginService } from '../../../core/access/login/login-service.ts';
import { SocialSignIn } from '../../../core/access/login/social-sign-in.ts';
import { type IdentityProviderRegistry, listNames } from '../../../core/identity/configured-provider.ts';
import { IdentityProviderList, identityProviderView } from '../../../core/identity/identity-provider-view.ts';
import { type Route, route } from '../route.ts';
import { Token, tokenReply } from './token-reply.ts';

interface Deps {
  readonly loginService: LoginService;
  readonly identityProviderPlugins: IdentityProviderRegistry;
}

/** Larger than any credential that is looked at, so that a long one is refused as a bad one is. */
const MAX_SOCIAL_LOGIN_BYTES = 65_536;

/** Logging in by others' word, and which others that may be: the names that the installed plugins serve. */
export function socialRoutes({ loginService, identityProviderPlugins }: Deps): Route[] {
  const provider = z.enum(listNames(identityProviderPlugins));
  const SocialLoginRequest = z.object({ id_token: z.string().min(1), provider });
  const SignIn = SocialSignIn.extend({ provider }).meta({ id: 'SocialSignIn' });
  const SocialProviders = z.object({ providers: z.array(SignIn) }).meta({ id: 'SocialProviders' });
  return [
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
      method: 'get',
      path: '/v2/identity_providers',
      operationId: 'listIdentityProviders',
      summary: 'The installed identity providers, whether they are set up or not.',
      tag: 'access',
      response: IdentityProviderList,
      handle: async () => ({ identity_providers: identityProviderPlugins.list().map(identityProviderView) }),
    }),
  ];
}
