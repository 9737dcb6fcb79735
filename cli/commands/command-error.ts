/** Ends of a command, as shells see them: `negative` where the command worked and what it found is no. */
export const EXIT = { done: 0, negative: 1, unusable: 2 } as const;

/** A failure to tell the user in words, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.unusable, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** A request that the service refused. */
export class ServiceRefusal extends CommandError {
  readonly status: number;
  /** The service's own words. */
  readonly reason: string;

  constructor(request: string, status: number, reason: string) {
    super(`${request}: ${status}, ${reason}`);
    this.status = status;
    this.reason = reason;
  }
}

/** `fetch failed` says nothing; the cause does. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const more = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : undefined;
  return error.message === 'fetch failed' && more ? more : error.message;
}
