import type { ErrorRequestHandler, Response } from 'express';
import { AppError, type ErrorKind, type Issue } from '../../core/kernel/errors.ts';
import { stackOf } from '../../core/kernel/failure.ts';
import type { Log } from '../../core/kernel/ports.ts';

/** Status of a reply by the kind of error. */
export const STATUS: Record<ErrorKind, number> = {
  invalid: 422,
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  locked: 423,
  timeout: 408,
  too_large: 413,
  too_many: 429,
  unsupported_media: 415,
  unavailable: 503,
};

/**
 * The one place that turns a failure into a reply. 422 carries the specification's list of issues; every other status
 * carries `detail` as text, which clients show and retry on, with the error code and the request id beside it.
 */
export function errorReply(log: Log, explain: (error: unknown) => AppError | undefined = () => undefined): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    if (res.headersSent) {
      // Too late for a reply: a connection that breaks off is the only way left to say that something is missing.
      log.error('reply broken off', { request_id: res.locals.requestId, path: req.path, error: stackOf(error) });
      return void res.destroy();
    }
    const known = asAppError(error) ?? explain(error);
    if (known) return reply(res, known);
    log.error('request failed', { request_id: res.locals.requestId, path: req.path, error: stackOf(error) });
    res.status(500).json({ detail: 'internal error', code: 'internal_error', request_id: res.locals.requestId });
  };
}

/** Says by which schemes credentials are taken. */
export const challenge = (res: Response): void =>
  void res.setHeader('WWW-Authenticate', 'Bearer realm="touchstone", Basic realm="touchstone"');

function reply(res: Response, error: AppError): void {
  if (error.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(error.retryAfterSeconds));
  if (error.kind === 'unauthenticated') challenge(res);
  if (error.kind === 'timeout') res.setHeader('Connection', 'close');
  res.status(STATUS[error.kind]);
  if (error.kind === 'invalid') res.json({ detail: toIssues(error), code: error.code, request_id: res.locals.requestId });
  else res.json({ detail: error.message, code: error.code, request_id: res.locals.requestId, ...getCollisions(error) });
}

/** Beside the text, for whoever wants to show what stands in the way. */
const getCollisions = ({ kind, issues }: AppError): { conflicts?: readonly Issue[] } =>
  kind === 'conflict' && issues.length > 0 ? { conflicts: issues } : {};

const toIssues = (error: AppError): readonly Issue[] =>
  error.issues.length > 0 ? error.issues : [{ loc: ['body'], msg: error.message, type: error.code }];

/** Errors of Express's own making (a bad percent escape in a path) carry a status below 500: the caller's fault. */
function asAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (error instanceof URIError) {
    return new AppError('invalid', 'path_malformed', 'the path has a malformed percent escape', {
      issues: [{ loc: ['path'], msg: 'malformed percent escape', type: 'path_malformed' }],
    });
  }
  return undefined;
}
