import { z } from 'zod';
import type { LoginService } from '../../../core/access/login/login-service.ts';
import { SocialSignIn } from '../../../core/access/login/social-sign-in.ts';
import { type IdentityProviderRegistry, listNames } from '../../../core/identity/configured-provider.ts';
import { IdentityProviderList, identityProviderView } from '../../../core/identity/identity-provider-view.ts';
import { type Route, route } from '../route.ts';
import { dropSignInCookie, getSignIn, setSignInCookie } from './cookie.ts';
import { Token, tokenReply } from './token-reply.ts';

interface Deps {
  readonly loginService: LoginService;
  readonly identityProviderPlugins: IdentityProviderRegistry;
}

/** Larger than any credential that is looked at, so that a long one is refused as a bad one is. */
const MAX_SOCIAL_LOGIN_BYTES = 65_536;

const BegunSignIn = z.object({ authorization_url: z.url() }).meta({ id: 'BegunSignIn' });
const CodeLogin = z.object({
  code: z.string().min(1).max(16_384),
  state: z.string().min(1).max(1_024),
  iss: z.string().max(2_048).nullish().describe('Who sent the browser back, where the response says so (RFC 9207).'),
});

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
      method: 'post',
      path: '/v2/login/social/authorize',
      operationId: 'beginSocialSignIn',
      errors: [400],
      summary:
        'Begin a sign-in by the authorization code flow with PKCE: where to send the browser, which keeps the cookie `sign_in` meanwhile. The provider sends it back to PUBLIC_URL.',
      tag: 'access',
      auth: 'none',
      maxBodyBytes: MAX_SOCIAL_LOGIN_BYTES,
      body: z.object({ provider }),
      response: BegunSignIn,
      handle: async ({ body, res }) => {
        const { authorization_url, sealed } = await loginService.beginSignIn(body.provider);
        setSignInCookie(res, sealed);
        return { authorization_url };
      },
    }),
    route({
      method: 'post',
      path: '/v2/login/social/code',
      operationId: 'loginWithSocialCode',
      errors: [401, 429],
      summary:
        'End a sign-in in the browser that began it: exchange what the provider sent it back with, and the cookie `sign_in`, for an access token.',
      tag: 'access',
      auth: 'none',
      maxBodyBytes: MAX_SOCIAL_LOGIN_BYTES,
      body: CodeLogin,
      response: Token,
      handle: async ({ body, headers, origin, res }) => {
        dropSignInCookie(res);
        const sealed = getSignIn(res, [headers.cookie].flat().join(';'));
        return tokenReply(res, await loginService.loginWithCode(sealed, body, origin));
      },
    }),
    route({
      method: 'get',
      path: '/v2/login/social/providers',
      operationId: 'listSocialProviders',
      summary: 'The configured providers that a browser can sign in at now, and by which flow.',
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
