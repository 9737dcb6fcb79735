import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { type HttpClient, PluginError, type PluginHost, z } from '../../../core/plugin-sdk/index.ts';
import { boundedText, RETRY_SECONDS } from './bounded-text.ts';
import type { Discovery } from './discovery.ts';
import type { Settings } from './settings.ts';

const TIMEOUT_MS = 5_000;
/** An unknown key id makes us look for new keys, at most this often. */
const COOLDOWN_MS = 30_000;
const FRESH_MS = 10 * 60_000;
/** Without the issuer, its last keys serve for this long. */
const STALE_MS = 24 * 60 * 60_000;

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/**
 * The keys of an issuer: given beforehand, or fetched when first needed and kept for ten minutes. While the issuer cannot be reached its last
 * keys serve; where there are none, looking one up rejects with a PluginError `unavailable`.
 */
export function issuerKeys(
  host: PluginHost,
  client: HttpClient,
  { jwks, jwks_url }: Settings,
  discovery: Discovery,
): JWTVerifyGetKey {
  if (jwks !== undefined) return createLocalJWKSet(jwks as unknown as JSONWebKeySet);
  if (jwks_url !== undefined) return remoteKeys(host, client, jwks_url);
  return discoveredKeys(discovery, (url) => remoteKeys(host, client, url));
}

function remoteKeys(host: PluginHost, client: HttpClient, url: string): JWTVerifyGetKey {
  const source = new KeySource(host, client);
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: FRESH_MS,
    [customFetch]: async (address, init) => new Response(await source.read(address, init)),
  });
}

/** Keys at the URL that the issuer names; the last URL serves while its description cannot be read. */
function discoveredKeys(discovery: Discovery, open: (url: string) => JWTVerifyGetKey): JWTVerifyGetKey {
  let last: { readonly url: string; readonly keys: JWTVerifyGetKey } | undefined;
  return async (...asked) => {
    const description = await discovery.read(new AbortController().signal).catch((error: unknown) => {
      if (!last) throw error;
    });
    const url = description?.jwks_uri ?? last?.url;
    if (url === undefined) throw new PluginError('bad_reply', 'openid_connect: the issuer does not say where its keys are');
    if (last?.url !== url) last = { url, keys: open(url) };
    return last.keys(...asked);
  };
}

interface Fetched {
  readonly text: string;
  readonly at: number;
}

class KeySource {
  readonly #host: PluginHost;
  readonly #client: HttpClient;
  #last: Fetched | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(host: PluginHost, client: HttpClient) {
    this.#host = host;
    this.#client = client;
  }

  async read(url: string, init: RequestInit): Promise<string> {
    if (!this.#last && this.#now() < this.#failedAt + RETRY_SECONDS * 1000) throw unavailable();
    try {
      const text = await boundedText(this.#client, url, init);
      KeySet.parse(JSON.parse(text));
      this.#last = { text, at: this.#now() };
      return text;
    } catch (error) {
      this.#failedAt = this.#now();
      const why = error instanceof PluginError ? error.message : 'the reply is no set of keys';
      this.#host.log('keys for social login cannot be had', { url, error: why, have_old_ones: this.#last !== undefined });
      if (this.#last && this.#now() < this.#last.at + STALE_MS) return this.#last.text;
      throw unavailable();
    }
  }

  #now(): number {
    return this.#host.clock().getTime();
  }
}

const unavailable = (): PluginError =>
  new PluginError('unavailable', 'openid_connect: the keys of the issuer cannot be had now', {
    retry_after_seconds: RETRY_SECONDS,
  });
