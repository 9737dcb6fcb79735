import { z } from 'zod';
import { SocialProvider } from '../../core/access/login/social-login.ts';
import type { SocialDirectory, SocialSignIn } from '../../core/access/login/social-sign-in.ts';
import type { Log } from '../../core/kernel/ports.ts';
import { boundedText } from './bounded-text.ts';
import type { OidcProvider, OidcProviders } from './oidc-identity-verifier.ts';
import { isSafeAddress } from './safe-address.ts';

const TIMEOUT_MS = 3_000;
const FRESH_MS = 10 * 60_000;
/** Without the issuer, what it said last serves for this long. */
const STALE_MS = 24 * 60 * 60_000;
/** Anybody may ask for the list: an issuer that fails is not asked more often than this. */
const RETRY_MS = 30_000;

/** Relevant part of an issuer's description of itself (OpenID Connect Discovery 1.0 §3). */
const Description = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url().refine((url) => isSafeAddress(new URL(url)), { message: 'has to be https' }),
  response_types_supported: z.array(z.string()).default(['id_token']),
});

interface Found {
  /** Undefined when the issuer gives no id tokens to browsers, as those for machines. */
  readonly endpoint: string | undefined;
  readonly at: number;
}

/** Finds where the configured issuers sign people in, by their own descriptions, and remembers it. */
export class OidcDirectory implements SocialDirectory {
  readonly #entries: readonly Entry[];

  constructor({ providers, log }: { providers: OidcProviders; log: Log }) {
    this.#entries = Object.entries(providers).map(([name, provider]) => new Entry(SocialProvider.parse(name), provider, log));
  }

  async list(): Promise<SocialSignIn[]> {
    const listed = await Promise.all(this.#entries.map((entry) => entry.signIn()));
    return listed.flatMap((one) => one ?? []);
  }
}

class Entry {
  readonly #provider: SocialProvider;
  readonly #issuer: string | undefined;
  readonly #client_id: string;
  readonly #log: Log;
  #last: Found | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(provider: SocialProvider, { issuers, audiences }: OidcProvider, log: Log) {
    this.#provider = provider;
    this.#issuer = issuers.find((issuer) => URL.canParse(issuer) && isSafeAddress(new URL(issuer)));
    this.#client_id = audiences[0] ?? '';
    this.#log = log;
  }

  /** Those who ask at the same time wait for one and the same look. */
  async signIn(): Promise<SocialSignIn | undefined> {
    if (this.#issuer !== undefined && this.#isDue()) {
      this.#looking ??= this.#look(this.#issuer).finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
    if (!this.#last?.endpoint || Date.now() > this.#last.at + STALE_MS) return undefined;
    return { provider: this.#provider, client_id: this.#client_id, authorization_endpoint: this.#last.endpoint };
  }

  #isDue(): boolean {
    return Date.now() > (this.#last?.at ?? 0) + FRESH_MS && Date.now() > this.#failedAt + RETRY_MS;
  }

  async #look(issuer: string): Promise<void> {
    try {
      this.#last = { endpoint: await authorizationEndpoint(issuer), at: Date.now() };
    } catch (error) {
      this.#failedAt = Date.now();
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn('a provider of social login does not say where people sign in', { provider: this.#provider, error: reason });
    }
  }
}

async function authorizationEndpoint(issuer: string): Promise<string | undefined> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const text = await boundedText(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const description = Description.parse(JSON.parse(text));
  if (description.issuer !== issuer) throw new Error(`it calls itself ${description.issuer.slice(0, 200)}`);
  return description.response_types_supported.includes('id_token') ? description.authorization_endpoint : undefined;
}
