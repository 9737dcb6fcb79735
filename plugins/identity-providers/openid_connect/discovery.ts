import { type HttpClient, PluginError, type PluginHost, z } from '../../../core/plugin-sdk/index.ts';
import { boundedText, RETRY_SECONDS } from './bounded-text.ts';
import { isSafeUrl, type Settings, toDescribedIssuer } from './settings.ts';
import { untilAborted } from './until-aborted.ts';

const TIMEOUT_MS = 5_000;
const FRESH_MS = 10 * 60_000;

const SafeUrl = z.url().refine((url) => isSafeUrl(new URL(url)), { message: 'has to be https' });

/** Relevant part of an issuer's description of itself (OpenID Connect Discovery 1.0 §3). */
const Description = z.object({
  issuer: z.string(),
  authorization_endpoint: SafeUrl,
  token_endpoint: SafeUrl.optional(),
  userinfo_endpoint: SafeUrl.optional(),
  jwks_uri: SafeUrl.optional(),
  response_types_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});
export type Description = z.output<typeof Description>;

interface Found {
  readonly description: Description;
  readonly at: number;
}

/** Reads what an issuer says of itself, and remembers it for ten minutes. One that fails is asked again after five seconds. */
export class Discovery {
  readonly #host: PluginHost;
  readonly #client: HttpClient;
  readonly #issuer: string | undefined;
  #last: Found | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<Description> | undefined;

  constructor(host: PluginHost, client: HttpClient, settings: Settings) {
    this.#host = host;
    this.#client = client;
    this.#issuer = toDescribedIssuer(settings);
  }

  /** Undefined where no issuer is a URL. All who ask at the same time wait for one request; an abort ends the waiting alone. */
  async read(signal: AbortSignal): Promise<Description | undefined> {
    signal.throwIfAborted();
    if (this.#issuer === undefined) return undefined;
    const now = this.#host.clock().getTime();
    if (this.#last && now <= this.#last.at + FRESH_MS) return this.#last.description;
    if (now < this.#failedAt + RETRY_SECONDS * 1000) throw unavailable();
    this.#looking ??= this.#look(this.#issuer).finally(() => {
      this.#looking = undefined;
    });
    return untilAborted(signal, this.#looking);
  }

  async #look(issuer: string): Promise<Description> {
    try {
      const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
      const description = parse(await boundedText(this.#client, url, { signal: AbortSignal.timeout(TIMEOUT_MS) }));
      if (description.issuer !== issuer)
        throw new PluginError('bad_reply', 'openid_connect: the issuer gives itself another name');
      this.#last = { description, at: this.#host.clock().getTime() };
      return description;
    } catch (error) {
      this.#failedAt = this.#host.clock().getTime();
      throw error instanceof PluginError ? error : unavailable();
    }
  }
}

function parse(text: string): Description {
  try {
    return Description.parse(JSON.parse(text));
  } catch {
    throw new PluginError('bad_reply', 'openid_connect: the issuer describes itself in an unknown shape');
  }
}

const unavailable = (): PluginError =>
  new PluginError('unavailable', 'openid_connect: the issuer cannot be reached now', { retry_after_seconds: RETRY_SECONDS });
