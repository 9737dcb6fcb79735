import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import {
  defineIdentityProvider,
  type HttpClient,
  httpClient,
  type Identity,
  PluginError,
  type PluginHost,
  type SignIn,
  z,
} from '../../../core/plugin-sdk/index.ts';
import { boundedText, issuerKeys } from './keys.ts';
import { isSafeUrl, Settings, toList } from './settings.ts';

/** Symmetric ones have no place here: the public keys would sign. */
const ALGORITHMS = ['RS256', 'ES256', 'PS256', 'EdDSA'];
const LEEWAY_SECONDS = 60;
const MAX_AGE_SECONDS = 10 * 60;

/** Relevant part of an issuer's description of itself (OpenID Connect Discovery 1.0 §3). */
const Description = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url().refine((url) => isSafeUrl(new URL(url)), { message: 'has to be https' }),
  response_types_supported: z.array(z.string()).default(['id_token']),
});

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
    const keys = issuerKeys(host, client, settings);
    return {
      async identify(credential, signal) {
        signal.throwIfAborted();
        // Keys are fetched for all who wait for them: an abort ends the waiting alone.
        const payload = await untilAborted(signal, readToken(host, credential, settings, keys));
        return payload && isForUs(payload, settings) ? toIdentity(payload, settings) : undefined;
      },
      signIn: (signal) => findSignIn(client, settings, signal),
    };
  },
});

async function readToken(
  { clock }: PluginHost,
  token: string,
  { issuer, audience }: Settings,
  keys: JWTVerifyGetKey,
): Promise<JWTPayload | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: [...toList(issuer)],
      audience: [...toList(audience)],
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_SECONDS,
      maxTokenAge: MAX_AGE_SECONDS,
      requiredClaims: ['exp', 'iat', 'sub'],
      currentDate: clock(),
    });
    return isIdToken(protectedHeader.typ) ? payload : undefined;
  } catch (error) {
    if (error instanceof PluginError) throw error;
    return undefined;
  }
}

/** Access and logout tokens of the same issuer say so in their type. */
const isIdToken = (typ: string | undefined): boolean => typ === undefined || typ.toLowerCase() === 'jwt';

/** A token for several is good only when one of our clients asked for it. */
function isForUs({ aud, azp }: JWTPayload, { audience }: Settings): boolean {
  const isForOne = typeof aud === 'string' || aud?.length === 1;
  return isForOne || (typeof azp === 'string' && toList(audience).includes(azp));
}

function toIdentity(payload: JWTPayload, { vouches_for_email }: Settings): Identity | undefined {
  const { iss, sub, exp, iat, email, email_verified, given_name, family_name } = payload;
  if (typeof iss !== 'string' || typeof sub !== 'string' || exp === undefined || iat === undefined) return undefined;
  return {
    issuer: iss,
    subject: sub,
    email: toText(email),
    email_verified: email_verified === true || (vouches_for_email && email_verified === undefined),
    first_name: toText(given_name),
    last_name: toText(family_name),
    expires_at: new Date((Math.min(exp, iat + MAX_AGE_SECONDS) + LEEWAY_SECONDS) * 1000).toISOString(),
  };
}

const untilAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });

const toText = (claim: unknown): string | null => (typeof claim === 'string' && claim !== '' ? claim : null);

/** Undefined where no issuer is a URL, or it gives no id tokens to browsers, as those for machines. */
async function findSignIn(client: HttpClient, { issuer, audience }: Settings, signal: AbortSignal): Promise<SignIn | undefined> {
  const asked = toList(issuer).find((one) => URL.canParse(one) && isSafeUrl(new URL(one)));
  if (asked === undefined) return undefined;
  const text = await boundedText(client, `${asked.replace(/\/$/, '')}/.well-known/openid-configuration`, { signal });
  const description = readDescription(text);
  if (description.issuer !== asked) throw new PluginError('bad_reply', 'openid_connect: the issuer gives itself another name');
  if (!description.response_types_supported.includes('id_token')) return undefined;
  return { client_id: toList(audience)[0] ?? '', authorization_endpoint: description.authorization_endpoint };
}

function readDescription(text: string): z.output<typeof Description> {
  try {
    return Description.parse(JSON.parse(text));
  } catch {
    throw new PluginError('bad_reply', 'openid_connect: the issuer describes itself in an unknown shape');
  }
}
