import { defineIdentityProvider, httpClient, type SignIn } from '../../../core/plugin-sdk/index.ts';
import { clientIdIn, codeFlow } from './code-flow.ts';
import { Discovery } from './discovery.ts';
import { readIdToken, type TokenCheck, toIdentity } from './id-token.ts';
import { issuerKeys } from './keys.ts';
import { Settings, toList, usesCode } from './settings.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * Checks id tokens by the keys of the configured issuers. Which keys count is ours to say: what a token brings along or points to (`jwk`,
 * `x5c`, `jku`) is not looked at.
 */
export const openidConnect = defineIdentityProvider({
  id: 'openid_connect',
  sdk: 1,
  stability: 'stable',
  label: 'OpenID Connect',
  summary: 'Knows people by the id tokens of an OpenID Connect issuer.',
  names: ['google', 'github', 'okta', 'azure-ad', 'custom', 'saml'],
  settings: Settings,
  issuers: ({ issuer }) => toList(issuer),
  create(host, settings) {
    const client = httpClient(host, 'openid_connect');
    const discovery = new Discovery(host, client, settings);
    const keys = issuerKeys(host, client, settings, discovery);
    const toCheck = (): TokenCheck => ({ keys, settings, now: host.clock() });
    return {
      async identify(credential, signal) {
        signal.throwIfAborted();
        // Keys are fetched for all who wait for them: an abort ends the waiting alone.
        const payload = await untilAborted(signal, readIdToken(credential, toCheck()));
        return payload && toIdentity(payload, settings);
      },
      signIn: (signal) => findSignIn(discovery, settings, signal),
      ...(usesCode(settings) && { codeFlow: codeFlow({ client, discovery, settings, toCheck }) }),
    };
  },
});

/** Undefined where no issuer is a URL, or it gives browsers nothing to sign in by, as those for machines. */
async function findSignIn(discovery: Discovery, settings: Settings, signal: AbortSignal): Promise<SignIn | undefined> {
  const description = await discovery.read(signal);
  const type = usesCode(settings) ? 'code' : 'id_token';
  if (!description || description.response_types_supported?.includes(type) === false) return undefined;
  return { client_id: clientIdIn(settings), authorization_endpoint: description.authorization_endpoint };
}
