import { AppError, type ErrorKind } from '../kernel/errors.ts';

export interface OtlpFailure {
  readonly http: number;
  /** A code of google.rpc.Code. */
  readonly code: number;
}

/**
 * How the receivers report each kind of failure. Senders repeat a request on 429, 502, 503 and 504 alone, over gRPC on codes 1, 4, 10, 11, 14
 * and 15: a passing fault has to be `unavailable`, a body that stays bad never may be.
 */
const FAILURES: Readonly<Record<ErrorKind, OtlpFailure>> = {
  invalid: { http: 400, code: 3 },
  bad_request: { http: 400, code: 3 },
  unauthenticated: { http: 401, code: 16 },
  forbidden: { http: 403, code: 7 },
  not_found: { http: 404, code: 5 },
  conflict: { http: 409, code: 6 },
  precondition_failed: { http: 412, code: 9 },
  locked: { http: 423, code: 9 },
  timeout: { http: 408, code: 4 },
  too_large: { http: 413, code: 3 },
  too_many: { http: 429, code: 8 },
  unsupported_media: { http: 415, code: 3 },
  unavailable: { http: 503, code: 14 },
};

/** Maps an error to an OTLP response. Anything but an AppError is a bug: 500, which no exporter repeats. */
export const toOtlpFailure = (error: unknown): OtlpFailure =>
  error instanceof AppError ? FAILURES[error.kind] : { http: 500, code: 13 };
