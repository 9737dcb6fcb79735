import { randomUUID } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Caller } from '../../core/access/caller.ts';
import { AppError } from '../../core/kernel/errors.ts';
import type { Log, WorkContext } from '../../core/kernel/ports.ts';
import type { SelfTracer } from '../../core/kernel/self-tracer.ts';
import { type Authentication, authenticate } from './access/authenticate.ts';
import { apiReference } from './api-reference.ts';
import type { BodyReader } from './body/body-reader.ts';
import type { SlowBodyLimits } from './body/slow-body.ts';
import { ignoreForeignCookies, shareWithOrigins } from './cors.ts';
import { errorReply } from './error-reply.ts';
import { guidePages } from './guide-pages.ts';
import { type McpEndpoint, mcpEndpoint } from './mcp-endpoint.ts';
import { type GaugeSource, Metrics } from './metrics.ts';
import { mount } from './mount.ts';
import { openapi } from './openapi.ts';
import { type OtlpEndpoint, otlpEndpoint } from './otel/otlp-endpoint.ts';
import { otlpPaths, otlpSchemas } from './otel/otlp-openapi.ts';
import type { Route } from './route.ts';
import { type ScimEndpoint, scimEndpoint } from './scim-endpoint.ts';
import { refuseOwnSpans, traceRequests } from './self-trace.ts';
import { WordAliases } from './word-aliases.ts';

export interface HttpSettings {
  readonly version: string;
  readonly apiKeyHeaders: readonly string[];
  /** Other spellings of the words of the interface: alias to the specification's word; see `WordAliases`. */
  readonly wordAliases: Readonly<Record<string, string>>;
  /** Whose endings have second spellings, too. */
  readonly presetNames: readonly string[];
  /** Whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: a number of hops, networks, or nobody's. */
  readonly trustedProxies: number | readonly string[] | false;
  /** Origins whose pages may call the API; undefined: none. */
  readonly corsOrigins?: readonly string[];
  readonly maxBodyBytes: number;
  readonly maxBytesInFlight: number;
  /** Who is cut off for sending a body too slowly; for tests. */
  readonly slowBodyLimits?: SlowBodyLimits;
  readonly checkBulkReplies: boolean;
  /** Where large files lie while they are taken in; the system's folder for such things by default. */
  readonly uploadFolder?: string;
}

export interface HttpDeps {
  readonly settings: HttpSettings;
  readonly log: Log;
  readonly workContext: WorkContext;
  readonly selfTracer: SelfTracer;
  /** Name of all instances on one database. */
  installation(): Promise<string>;
  readonly authentication: Authentication;
  /** Admission control of request bodies, which all that take such share. */
  readonly gate: BodyReader;
  readonly routes: readonly Route[];
  /** Undefined: traces by OpenTelemetry are not taken. */
  readonly otlp?: OtlpEndpoint | undefined;
  /** Undefined: the Model Context Protocol is not served. */
  readonly mcp?: McpEndpoint | undefined;
  /** Undefined: users and groups are not provisioned by SCIM. */
  readonly scim?: ScimEndpoint | undefined;
  /** Pages shown to people at `/`; undefined: nothing is served there. */
  readonly pages?: RequestHandler | undefined;
  readonly gauges: readonly GaugeSource[];
  /** Whether requests that need the database make sense now. */
  ready(): Promise<boolean>;
  /** Why every request that needs the database would fail now, when that is known beforehand. */
  failure?(): AppError | undefined;
  /** Reads failures of the adapters behind the services; what it does not know stays an internal error. */
  explainFailure?(error: unknown): AppError | undefined;
}

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/** The whole HTTP edge. Order matters: what is cheap and refuses early comes first. */
export function buildApp({
  settings,
  log,
  workContext,
  selfTracer,
  installation,
  authentication,
  gate,
  routes,
  otlp,
  mcp,
  scim,
  pages,
  gauges,
  ready,
  failure,
  explainFailure,
}: HttpDeps): Express {
  const inFlight = { name: 'touchstone_body_bytes_in_flight', help: 'Request bytes held.', read: () => gate.bytesInFlight };
  const metrics = new Metrics([inFlight, ...gauges]);
  const app = express();
  app.set('etag', false);
  app.set('trust proxy', settings.trustedProxies);
  app.disable('x-powered-by');
  app.use(requestId(workContext));
  app.use(metrics.observe());
  app.use(traceRequests(selfTracer));
  app.use(requestLog(log));
  app.use(gate.slowBodies.afterReply());
  app.use(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] } },
      strictTransportSecurity: false,
    }),
  );
  if (settings.corsOrigins?.length) app.use(shareWithOrigins(settings.corsOrigins, settings.apiKeyHeaders));
  app.use(ignoreForeignCookies);
  const words = new WordAliases(settings.wordAliases, settings.apiKeyHeaders.slice(1), settings.presetNames);
  app.use(words.handler);

  const guard = authenticate(authentication);
  app.get('/healthz', (_req, res) => void res.json({ status: 'alive' }));
  app.get('/readyz', async (_req, res) => {
    const isReady = await ready();
    if (!isReady) res.setHeader('Retry-After', '1');
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready' });
  });
  const able = whileAble(failure);
  app.get('/metrics', able, guard, async (_req, res) => {
    if ((res.locals.caller as Caller).project_id !== null)
      throw new AppError('forbidden', 'role_too_low', 'this API key is made for one project');
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  const others = otlp && { paths: otlpPaths(), schemas: otlpSchemas };
  // Printing some hundred schemas would be a good part of every start.
  let document: object | undefined;
  app.get(['/v2/openapi.json', '/openapi.json'], (_req, res) => {
    document ??= openapi(routes, settings.version, settings.apiKeyHeaders[0]!, others);
    res.json(document);
  });
  app.use(guidePages());
  app.use('/docs', apiReference('../v2/openapi.json'));
  if (pages) app.use(pages);

  app.use(able);
  app.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.use(refuseOwnSpans(installation));
  if (otlp) app.use(otlpEndpoint(otlp, { authenticate: guard, gate, log, explainFailure }));
  if (mcp) app.use(mcpEndpoint(mcp, guard, gate));
  if (scim)
    app.use(scimEndpoint(scim, { authenticate: authenticate(authentication, 'provisioning'), gate, log, explainFailure }));
  mount(app, routes, guard, gate, { ...settings, words });
  app.use((_req, res) => {
    res.status(404).json({ detail: 'no such path', code: 'path_not_found', request_id: res.locals.requestId });
  });
  app.use(errorReply(log, explainFailure));
  return app;
}

/** Keeps a well-formed id of the sender or of a proxy, so that one request can be followed through. */
function requestId(workContext: WorkContext): RequestHandler {
  return (req, res, next) => {
    const given = req.get('x-request-id');
    const id = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
    res.locals.requestId = id;
    res.setHeader('X-Request-Id', id);
    workContext.run({ request_id: id }, next);
  };
}

/** Refuses at once what would only wait to be refused. */
function whileAble(failure: HttpDeps['failure']): RequestHandler {
  return (_req, _res, next) => next(failure?.());
}

/** One line a request, without query, headers or body: each may hold a secret. */
function requestLog(log: Log): RequestHandler {
  return (req, res, next) => {
    const started = Date.now();
    res.once('close', () => {
      const fields = {
        request_id: res.locals.requestId,
        method: req.method,
        path: req.path.slice(0, 300),
        status: res.statusCode,
        ms: Date.now() - started,
        client: req.get('x-service-sdk')?.slice(0, 100),
        ...(res.writableFinished ? {} : { aborted: true }),
      };
      if (res.statusCode >= 500) log.warn('request', fields);
      else log.info('request', fields);
    });
    next();
  };
}
