import type { ModelParameter } from './model-parameters.ts';

/** Raised when the contract changes in a way a plugin can notice. */
export const SDK_VERSION = 1;

export type Stability = 'experimental' | 'stable' | 'deprecated';

/** Head of every plugin. */
export interface PluginHead {
  /** `lower_snake_case`, unique within its kind. */
  readonly id: string;
  /** The SDK version it was written for. */
  readonly sdk: number;
  readonly stability: Stability;
  /** One sentence. */
  readonly summary: string;
}

/** All that a plugin may use of the outside world. */
export interface PluginHost {
  /**
   * The only egress. The host refuses addresses that it does not allow, at connect time too, by throwing a PluginError,
   * which a plugin MUST let pass. Most plugins use it through `httpClient`.
   */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: () => Date;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Operator's setting for plugins, such as the service's own identity on a cloud; undefined when not set. */
  readonly operatorSetting?: (name: string) => string | undefined;
}

export const PLUGIN_FAILURES = ['credentials_rejected', 'rate_limited', 'unavailable', 'bad_reply', 'unsupported'] as const;
export type PluginFailure = (typeof PLUGIN_FAILURES)[number];

export interface PluginErrorOptions extends ErrorOptions {
  /** The HTTP status of the upstream service, where there was one. */
  readonly status?: number;
  /** How long the upstream service asked to be left alone. */
  readonly retry_after_seconds?: number;
  /** Of `unsupported`: the parameter that the model does not take, which users are told. */
  readonly parameter?: ModelParameter;
}

/** In the registry of symbols, which all copies of the SDK in a process share. */
const BRAND = Symbol.for('touchstone.PluginError');

/**
 * The only error a plugin may throw. Neither message nor cause may repeat a secret or the upstream service's reply.
 *
 * `instanceof PluginError` goes by a brand, not by the class: a plugin that bundles the SDK throws errors of a class of its own.
 */
export class PluginError extends Error {
  override readonly name = 'PluginError';
  readonly failure: PluginFailure;
  readonly status: number | undefined;
  readonly retry_after_seconds: number | undefined;
  readonly parameter: ModelParameter | undefined;

  constructor(failure: PluginFailure, message: string, options: PluginErrorOptions = {}) {
    super(message, options);
    this.failure = failure;
    this.status = options.status;
    this.retry_after_seconds = options.retry_after_seconds;
    this.parameter = options.parameter;
    Object.defineProperty(this, BRAND, { value: SDK_VERSION });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: classes that extend this one inherit the method, and are told by their class
    const asked: unknown = this;
    if (asked !== PluginError) return Reflect.apply(Function.prototype[Symbol.hasInstance], asked, [value]);
    return value instanceof Error && BRAND in value;
  }

  /** Whether the same call may succeed later without a change of settings. */
  get retryable(): boolean {
    return this.failure === 'rate_limited' || this.failure === 'unavailable';
  }

  /**
   * Reads an HTTP status of the upstream service: 401 and 403, 429, what may pass by itself (408, 409, 5xx), what the upstream service does
   * not take (other 4xx: an unknown model, too long a prompt); anything else is a reply we cannot use.
   */
  static fromStatus(status: number, who: string, retry_after_seconds?: number): PluginError {
    const fail = (failure: PluginFailure, what: string) =>
      new PluginError(failure, `${who}: ${what}`, { status, ...(retry_after_seconds !== undefined && { retry_after_seconds }) });
    if (status === 401 || status === 403) return fail('credentials_rejected', 'credentials were refused');
    if (status === 429) return fail('rate_limited', 'too many requests');
    if (status === 408 || status === 409 || status >= 500) return fail('unavailable', `answered ${status}`);
    if (status >= 400) return fail('unsupported', `answered ${status}`);
    return fail('bad_reply', `answered ${status}`);
  }
}
