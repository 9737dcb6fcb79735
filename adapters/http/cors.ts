import type { RequestHandler } from 'express';
import { OTLP_PATHS } from './otel/otlp-openapi.ts';

/** How long browsers keep the reply to a preflight request; Chromium keeps none for longer. */
const MAX_AGE_SECONDS = 7_200;
const METHODS = 'GET, POST, PUT, PATCH, DELETE';
/** Headers that operations read, beside those of API keys. */
const HEADERS = [
  ...['authorization', 'content-type', 'content-encoding', 'x-request-id', 'x-service-sdk', 'traceparent', 'tracestate'],
  ...['idempotency-key', 'if-match', 'if-none-match'],
  ...['project', 'project-id', 'logstream', 'logstream-id', 'experimentid'],
];
/** Headers of replies that pages may read, beside those that every page may. */
const EXPOSED = 'X-Request-Id, Retry-After, ETag, Idempotency-Replayed, Content-Disposition';
const API = new Set<string>(OTLP_PATHS);
/** Who signs in does so on the pages of the service itself: these operations give and take cookies. */
const SIGN_IN = /^\/v2\/(login|refresh_token|logout)(\/|$)/i;

const isShared = (path: string): boolean => (path.startsWith('/v2/') && !SIGN_IN.test(path)) || API.has(path);

/**
 * Lets pages of the given origins call the operations of the API (the CORS protocol of the Fetch standard): by keys and tokens in headers, never by cookies, so
 * `Access-Control-Allow-Credentials` is never sent. Pages of other origins get no header, and their browser keeps replies from them.
 */
export function shareWithOrigins(origins: readonly string[], apiKeyHeaders: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  const headers = [...apiKeyHeaders.map((name) => name.toLowerCase()), ...HEADERS].join(', ');
  return (req, res, next) => {
    if (!isShared(req.path)) return next();
    // A cache must not keep a reply without the header for a page that may have it.
    res.vary('Origin');
    const origin = req.get('origin');
    if (origin === undefined || !allowed.has(origin)) return next();
    res.setHeader('Access-Control-Allow-Origin', origin);
    if (req.method !== 'OPTIONS' || req.get('access-control-request-method') === undefined) {
      res.setHeader('Access-Control-Expose-Headers', EXPOSED);
      return next();
    }
    res.vary('Access-Control-Request-Method');
    res.setHeader('Access-Control-Allow-Methods', METHODS);
    res.setHeader('Access-Control-Allow-Headers', headers);
    res.setHeader('Access-Control-Max-Age', String(MAX_AGE_SECONDS));
    res.status(204).end();
  };
}

/**
 * Makes nothing of the cookies of a request that a page of another origin has sent: `SameSite=Strict` holds them back from other sites, but not from
 * other origins of the same site. Browsers say by `Sec-Fetch-Site` where a request comes from, and pages cannot set it.
 */
export const ignoreForeignCookies: RequestHandler = (req, _res, next) => {
  const from = req.get('sec-fetch-site');
  if (from === 'same-site' || from === 'cross-site') delete req.headers.cookie;
  next();
};
