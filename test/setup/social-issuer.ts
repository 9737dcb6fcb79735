import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { ConfiguredProvider } from '../../core/identity/configured-provider.ts';

export const CLIENT_ID = 'touchstone-test';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

export async function signingKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** Settings of a provider by its operator: settings of the plugin, and how people of it get accounts. */
export type ProviderFacts = Partial<Omit<ConfiguredProvider, 'settings'>> & Readonly<Record<string, unknown>>;

export interface IssuerRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

/** An issuer of id tokens on the loopback address, with its keys behind a real socket. */
export class SocialIssuer {
  readonly issuer: string;
  readonly key: SigningKey;
  /** Addresses asked for, in order. */
  readonly asked: string[] = [];
  /** Response to any URL, the keys of the issuer; a test may replace it. */
  answer: (url: string, request: IssuerRequest) => Answer | Promise<Answer>;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>, key: SigningKey) {
    this.#server = server;
    this.key = key;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.answer = () => this.keySet([key]);
    server.on('request', async (req, res) => {
      this.asked.push(req.url ?? '');
      const sent = Buffer.concat(await req.toArray()).toString();
      const { status = 200, headers = {}, body } = await this.answer(req.url ?? '', { headers: req.headers, body: sent });
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  }

  /** Making a key takes a while: tests that start many issuers bring their own. */
  static async start(key?: SigningKey): Promise<SocialIssuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SocialIssuer(server, key ?? (await signingKey('key-1')));
  }

  /** Description of the issuer; `facts` in place of what is true. */
  description(facts: object = {}): Answer {
    const { issuer } = this;
    return { body: JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize`, ...facts }) };
  }

  keySet(keys: readonly SigningKey[]): Answer {
    return { body: JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) }) };
  }

  provider({ sign_up_domains = null, single_use = false, ...facts }: ProviderFacts = {}): ConfiguredProvider {
    const keys = 'jwks' in facts ? {} : { jwks_url: `${this.issuer}/keys` };
    return { sign_up_domains, single_use, settings: { issuer: this.issuer, audience: CLIENT_ID, ...keys, ...facts } };
  }

  /** Claims of a good token, issued `ago` seconds ago for ten minutes. */
  claims(facts: JWTPayload = {}, ago = 0): JWTPayload {
    const iat = Math.floor(Date.now() / 1000) - ago;
    return { iss: this.issuer, aud: CLIENT_ID, sub: 'person-1', iat, exp: iat + 600, ...facts };
  }

  token(facts: JWTPayload = {}, header: object = {}, key = this.key): Promise<string> {
    return new SignJWT(this.claims(facts)).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
