/** Raised when the contract changes in a way a plugin can notice. */
export const SDK_VERSION = 1;

export type Stability = 'experimental' | 'stable' | 'deprecated';

/** What every plugin says of itself. */
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
  readonly fetch: typeof globalThis.fetch;
  readonly clock: () => Date;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

export type PluginFailure = 'credentials_rejected' | 'rate_limited' | 'unavailable' | 'bad_reply' | 'unsupported';

/** The only error a plugin may throw. Messages MUST NOT repeat a secret or the far side's reply. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
  readonly failure: PluginFailure;

  constructor(failure: PluginFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }

  /** Whether the same call may succeed later without a change of settings. */
  get retryable(): boolean {
    return this.failure === 'rate_limited' || this.failure === 'unavailable';
  }

  /** Reads an HTTP status of the far side: 401 and 403, 408, 429, 5xx; anything else is a reply we cannot use. */
  static fromStatus(status: number, who: string): PluginError {
    if (status === 401 || status === 403) return new PluginError('credentials_rejected', `${who}: credentials were refused`);
    if (status === 429) return new PluginError('rate_limited', `${who}: too many requests`);
    if (status === 408 || status >= 500) return new PluginError('unavailable', `${who}: answered ${status}`);
    return new PluginError('bad_reply', `${who}: answered ${status}`);
  }
}
