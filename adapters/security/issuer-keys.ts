import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { AppError } from '../../core/kernel/errors.ts';
import type { Log } from '../../core/kernel/ports.ts';
import { boundedText } from './bounded-text.ts';

const TIMEOUT_MS = 5_000;
/** An unknown key id makes us look for new keys, at most this often. */
const COOLDOWN_MS = 30_000;
const FRESH_MS = 10 * 60_000;
/** Without the issuer, its last keys serve for this long. */
const STALE_MS = 24 * 60 * 60_000;
const RETRY_MS = 5_000;

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

interface Fetched {
  readonly text: string;
  readonly at: number;
}

/**
 * The keys of an issuer at an address, fetched when first needed and kept for ten minutes. While the issuer cannot be
 * reached its last keys serve; where there are none, looking one up rejects with AppError `unavailable`.
 */
export function issuerKeys(url: string, log: Log): JWTVerifyGetKey {
  const source = new KeySource(url, log);
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: FRESH_MS,
    [customFetch]: async (address, init) => new Response(await source.read(address, init)),
  });
}

class KeySource {
  readonly #url: string;
  readonly #log: Log;
  #last: Fetched | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
  }

  async read(address: string, init: RequestInit): Promise<string> {
    if (!this.#last && Date.now() < this.#failedAt + RETRY_MS) throw unavailable();
    try {
      const text = await fetchKeys(address, init);
      this.#last = { text, at: Date.now() };
      return text;
    } catch (cause) {
      this.#failedAt = Date.now();
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.#log.warn('keys for social login cannot be had', {
        url: this.#url,
        error: reason,
        have_old_ones: this.#last !== undefined,
      });
      if (this.#last && Date.now() < this.#last.at + STALE_MS) return this.#last.text;
      throw unavailable(cause);
    }
  }
}

async function fetchKeys(address: string, init: RequestInit): Promise<string> {
  const text = await boundedText(address, init);
  KeySet.parse(JSON.parse(text));
  return text;
}

const unavailable = (cause?: unknown): AppError =>
  new AppError('unavailable', 'identity_provider_unavailable', 'the keys of the identity provider cannot be had now', {
    cause,
    retryAfterSeconds: RETRY_MS / 1000,
  });
