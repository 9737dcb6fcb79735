/** Kind of an error, as far as the caller can act on it. `adapters/http/error-reply.ts` gives each kind its status. */
export type ErrorKind =
  | 'invalid'
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'locked'
  | 'timeout'
  | 'too_large'
  | 'too_many'
  | 'unsupported_media'
  | 'unavailable';

/** One problem with one value of a request: `loc` is the path to it, beginning with `body`, `query`, `path` or `header`. */
export interface Issue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

export interface AppErrorOptions extends ErrorOptions {
  /** For `invalid`: the single values that are wrong. For `conflict`: what the request collides with. */
  readonly issues?: readonly Issue[];
  /** For `unavailable` and `too_many`: whole seconds after which a repeat makes sense. */
  readonly retryAfterSeconds?: number;
}

/** A failure the caller can act on. Anything else is a bug and returns 500. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly kind: ErrorKind;
  /** Stable and searchable; every code is listed in docs/errors.md. */
  readonly code: string;
  readonly issues: readonly Issue[];
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ErrorKind, code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options);
    this.kind = kind;
    this.code = code;
    this.issues = options.issues ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
