import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { Caller } from '../../core/access/caller.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { stackOf } from '../../core/kernel/failure.ts';
import type { Log } from '../../core/kernel/ports.ts';
import type { BodyReader } from './body/body-reader.ts';
import { challenge, STATUS } from './error-reply.ts';
import { admitted, senderOf } from './mount.ts';

/** SCIM, as far as HTTP is concerned. */
export interface ScimEndpoint {
  readonly server: {
    handle(
      caller: Caller,
      request: { method: string; path: string; query: URLSearchParams; body: unknown; base: string },
    ): Promise<{ status: number; body?: object; headers?: Readonly<Record<string, string>> }>;
  };
  toError(status: number, error: AppError | undefined): object;
  /** Where the service is reached from outside, without a slash at the end. */
  readonly publicUrl: string | undefined;
}

export interface ScimEndpointDeps {
  readonly authenticate: RequestHandler;
  readonly gate: BodyReader;
  readonly log: Log;
  explainFailure?: ((error: unknown) => AppError | undefined) | undefined;
}

export const SCIM_PATH = '/scim/v2';
const MEDIA_TYPE = 'application/scim+json; charset=utf-8';
/** Ten thousand members of a group. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const BOUNDS = { maxDepth: 20, maxNames: 2_000, maxValues: 60_000, maxForms: 20_000 };
const WITH_BODY = ['POST', 'PUT', 'PATCH'];

/** Serves SCIM 2.0 for the provisioning of users and groups. What goes wrong is told in the form of that protocol. */
export function scimEndpoint({ server, toError, publicUrl }: ScimEndpoint, around: ScimEndpointDeps): Router {
  const router = Router();
  router.use(SCIM_PATH, admitted(around.gate), around.authenticate, async (req, res) => {
    const { body, release } = await readBody(req, res, around.gate);
    try {
      const base = `${publicUrl ?? `${req.protocol}://${req.get('host')}`}${SCIM_PATH}`;
      const [, query = ''] = req.url.split(/\?(.*)/s);
      const path = decodeURIComponent(req.path).replace(/^\//, '').replace(/\/$/, '');
      const request = { method: req.method, path, query: new URLSearchParams(query), body, base };
      const reply = await server.handle(res.locals.caller as Caller, request);
      res.status(reply.status).setHeader('Content-Type', MEDIA_TYPE);
      for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value);
      if (reply.status === 405) res.end(JSON.stringify(toError(405, methodNotAllowed())));
      else if (reply.body) res.end(JSON.stringify(reply.body));
      else res.end();
    } finally {
      release();
    }
  });
  router.use(SCIM_PATH, failureReply(toError, around));
  return router;
}

async function readBody(req: Request, res: Response, gate: BodyReader): Promise<{ body: unknown; release(): void }> {
  if (!WITH_BODY.includes(req.method)) return { body: undefined, release: () => {} };
  const type = req.headers['content-type'];
  if (type !== undefined && !req.is(['json', '+json']))
    throw new AppError('unsupported_media', 'content_type_unsupported', 'the body has to be application/scim+json');
  const { body, release } = await gate.read(req, MAX_BODY_BYTES, senderOf(req, res));
  try {
    return { body: await gate.parseJson(body, BOUNDS), release };
  } catch (error) {
    release();
    throw error;
  }
}

function failureReply(
  toError: ScimEndpoint['toError'],
  { log, explainFailure }: Pick<ScimEndpointDeps, 'log' | 'explainFailure'>,
): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const known = error instanceof AppError ? error : error instanceof URIError ? malformed() : explainFailure?.(error);
    if (!known) log.error('request failed', { request_id: res.locals.requestId, path: req.path, error: stackOf(error) });
    if (res.headersSent) return void res.destroy();
    // RFC 7644, table 9: what is wrong with a request that can be read is 400.
    const status = known ? (known.kind === 'invalid' ? 400 : STATUS[known.kind]) : 500;
    if (known?.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(known.retryAfterSeconds));
    if (status === 401) challenge(res);
    if (status === 408) res.setHeader('Connection', 'close');
    res.status(status).setHeader('Content-Type', MEDIA_TYPE);
    res.end(JSON.stringify(toError(status, known)));
  };
}

const methodNotAllowed = (): AppError => new AppError('bad_request', 'method_not_allowed', 'method not allowed');

const malformed = (): AppError => new AppError('bad_request', 'path_malformed', 'the path has a malformed percent escape');
