import type { JWTPayload } from 'jose';
import { type CodeFlow, type CodeReturn, type HttpClient, PluginError, z } from '../../../core/plugin-sdk/index.ts';
import type { Description, Discovery } from './discovery.ts';
import { readIdToken, type TokenCheck, toIdentity } from './id-token.ts';
import { type Settings, toList } from './settings.ts';
import { untilAborted } from './until-aborted.ts';

const SCOPE = 'openid email profile';
const Tokens = z.object({ id_token: z.string(), access_token: z.string().optional() });
const UserInfo = z.looseObject({ sub: z.string() });
/** Claims of a person that some issuers tell at their userinfo endpoint alone. */
const PERSONAL = ['email', 'email_verified', 'given_name', 'family_name'];

export interface CodeFlowParts {
  readonly client: HttpClient;
  readonly discovery: Discovery;
  readonly settings: Settings;
  readonly toCheck: () => TokenCheck;
}

/** Authorization code flow with PKCE (OpenID Connect Core 1.0 §3.1, RFC 7636), at the endpoints that the issuer's description names. */
export const codeFlow = (parts: CodeFlowParts): CodeFlow => ({
  async authorize({ redirect_uri, state, nonce, code_challenge }, signal) {
    const description = await parts.discovery.read(signal);
    if (!description || !givesCodes(description)) return undefined;
    const url = new URL(description.authorization_endpoint);
    const asked = { response_type: 'code', scope: SCOPE, client_id: clientIdIn(parts.settings), redirect_uri, state, nonce };
    const proof = { code_challenge, code_challenge_method: 'S256' };
    for (const [name, value] of Object.entries({ ...asked, ...proof })) url.searchParams.set(name, value);
    return url.href;
  },

  async redeem(returned, signal) {
    const description = await parts.discovery.read(signal);
    if (!description?.token_endpoint || !isFromIssuer(returned, description)) return undefined;
    const tokens = await exchange(parts, description.token_endpoint, returned, signal);
    const payload = await untilAborted(signal, readIdToken(tokens.id_token, parts.toCheck()));
    if (!payload || payload.nonce !== returned.nonce || !isForClient(payload, parts.settings)) return undefined;
    const told = await withUserInfo(parts, description, payload, tokens.access_token, signal);
    return toIdentity(told, parts.settings);
  },
});

export const clientIdIn = ({ audience }: Settings): string => toList(audience)[0] ?? '';

const givesCodes = ({ token_endpoint, response_types_supported: types }: Description): boolean =>
  token_endpoint !== undefined && (types === undefined || types.includes('code'));

/** Authorization server issuer identification (RFC 9207): a code that another server sent along is not handed to this one. */
function isFromIssuer({ issuer }: CodeReturn, description: Description): boolean {
  if (issuer === undefined) return description.authorization_response_iss_parameter_supported !== true;
  return issuer === description.issuer;
}

const isForClient = ({ aud }: JWTPayload, settings: Settings): boolean => [aud].flat().includes(clientIdIn(settings));

async function exchange(
  { client, discovery, settings }: CodeFlowParts,
  url: string,
  { code, code_verifier, redirect_uri }: CodeReturn,
  signal: AbortSignal,
): Promise<z.output<typeof Tokens>> {
  const methods = (await discovery.read(signal))?.token_endpoint_auth_methods_supported;
  const proof = proveClient(settings, methods);
  const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier, ...proof.form };
  return client.json(Tokens, url, { method: 'POST', headers: proof.headers, body: new URLSearchParams(form), signal });
}

/** How the client proves itself (RFC 6749 §2.3.1): by HTTP Basic unless the issuer takes the form alone; a public client says who it is. */
function proveClient(
  settings: Settings,
  methods: readonly string[] = ['client_secret_basic'],
): { readonly headers: Record<string, string>; readonly form: Record<string, string> } {
  const { client_secret } = settings;
  const client_id = clientIdIn(settings);
  if (client_secret === undefined) return { headers: {}, form: { client_id } };
  if (!methods.includes('client_secret_basic') && methods.includes('client_secret_post'))
    return { headers: {}, form: { client_id, client_secret } };
  const pair = [client_id, client_secret].map((text) => new URLSearchParams({ v: text }).toString().slice(2)).join(':');
  return { headers: { authorization: `Basic ${btoa(pair)}` }, form: {} };
}

/** Claims of the token, with those that it is silent about as the issuer tells them to the bearer of the access token. */
async function withUserInfo(
  { client }: CodeFlowParts,
  { userinfo_endpoint }: Description,
  payload: JWTPayload,
  access_token: string | undefined,
  signal: AbortSignal,
): Promise<JWTPayload> {
  if (payload.email !== undefined || userinfo_endpoint === undefined || access_token === undefined) return payload;
  const headers = { authorization: `Bearer ${access_token}` };
  const info = await client.json(UserInfo, userinfo_endpoint, { headers, signal });
  if (info.sub !== payload.sub) throw new PluginError('bad_reply', 'openid_connect: the userinfo is of another person');
  return { ...Object.fromEntries(PERSONAL.map((name) => [name, info[name]])), ...payload };
}
