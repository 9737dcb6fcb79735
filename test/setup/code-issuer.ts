import { createHash, randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import {
  type Answer,
  CLIENT_ID,
  type IssuerRequest,
  type ProviderFacts,
  type SigningKey,
  SocialIssuer,
} from './social-issuer.ts';

const SECRET = 'a secret: of the client & more';
const refusal = (error: string): Answer => ({ status: 400, body: JSON.stringify({ error }) });

/** A code that was given, with what it was asked by. */
interface Given {
  readonly asked: Readonly<Record<string, string>>;
  readonly claims: JWTPayload;
}

/**
 * An OpenID Connect provider for the authorization code flow with PKCE on the loopback address. It is as strict as the specifications want: a
 * code is good once, for the client, redirect address and verifier that it was asked with.
 */
export class CodeIssuer {
  readonly social: SocialIssuer;
  /** Who comes to sign in. */
  person: JWTPayload = { sub: 'person-1', email: 'ada@example.org', email_verified: true, given_name: 'Ada' };
  /** Further facts of its description. */
  facts: object = {};
  /** Replaces the reply of the token endpoint; undefined leaves it. */
  tokenReply: ((given: Given) => Answer | Promise<Answer> | undefined) | undefined;
  /** Parameters that it sends browsers back with in place of its own. */
  tampered: Readonly<Record<string, string>> = {};
  readonly #codes = new Map<string, Given>();

  private constructor(social: SocialIssuer) {
    this.social = social;
    social.answer = (url, request) => this.#answer(new URL(url, social.issuer), request);
  }

  static async start(key?: SigningKey): Promise<CodeIssuer> {
    return new CodeIssuer(await SocialIssuer.start(key));
  }

  get issuer(): string {
    return this.social.issuer;
  }

  /** How an operator sets it up: without URLs but the issuer's, which describes itself. */
  provider(facts: ProviderFacts = {}) {
    const { sign_up_domains = [], ...rest } = facts;
    return this.social.provider({ jwks_url: undefined, client_secret: SECRET, sign_up_domains, ...rest });
  }

  stop(): Promise<void> {
    return this.social.stop();
  }

  async #answer(url: URL, request: IssuerRequest): Promise<Answer> {
    if (url.pathname === '/.well-known/openid-configuration') return this.#describe();
    if (url.pathname === '/authorize') return this.#authorize(Object.fromEntries(url.searchParams));
    if (url.pathname === '/token') return this.#exchange(request);
    if (url.pathname === '/userinfo') return { body: JSON.stringify({ ...this.person }) };
    return this.social.keySet([this.social.key]);
  }

  #describe(): Answer {
    const { issuer } = this;
    const endpoints = { token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys`, userinfo_endpoint: `${issuer}/userinfo` };
    const iss = { authorization_response_iss_parameter_supported: true };
    return this.social.description({ ...endpoints, ...iss, response_types_supported: ['code'], ...this.facts });
  }

  /** Whoever comes is its person, and is sent back at once. */
  #authorize(asked: Readonly<Record<string, string>>): Answer {
    if (asked.response_type !== 'code' || asked.code_challenge_method !== 'S256' || asked.client_id !== CLIENT_ID)
      return refusal('invalid_request');
    const code = randomUUID();
    this.#codes.set(code, { asked, claims: this.person });
    const back = new URLSearchParams({ code, state: asked.state ?? '', iss: this.issuer, ...this.tampered });
    return { status: 302, headers: { location: `${asked.redirect_uri}?${back}` }, body: '' };
  }

  async #exchange({ headers, body }: IssuerRequest): Promise<Answer> {
    const form = Object.fromEntries(new URLSearchParams(body));
    const given = this.#codes.get(form.code ?? '');
    this.#codes.delete(form.code ?? '');
    const replaced = given && (await this.tokenReply?.(given));
    if (replaced) return replaced;
    if (!isClient(headers.authorization)) return { status: 401, body: JSON.stringify({ error: 'invalid_client' }) };
    const challenge = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url');
    if (form.grant_type !== 'authorization_code' || challenge !== given?.asked.code_challenge) return refusal('invalid_grant');
    if (form.redirect_uri !== given.asked.redirect_uri) return refusal('invalid_grant');
    const id_token = await this.social.token({ ...given.claims, nonce: given.asked.nonce });
    return { body: JSON.stringify({ token_type: 'Bearer', access_token: 'an-access-token', id_token }) };
  }
}

/** RFC 6749 §2.3.1: both halves are encoded as in a form before they are joined. */
function isClient(authorization = ''): boolean {
  const [id = '', secret = ''] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':');
  const decode = (text: string) => new URLSearchParams(`v=${text}`).get('v');
  return decode(id) === CLIENT_ID && decode(secret) === SECRET;
}
