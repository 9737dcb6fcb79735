import { consolePages } from '../adapters/http/console-pages.ts';
import { HttpServer } from '../adapters/http/http-server.ts';
import type { Route } from '../adapters/http/route.ts';
import { buildServiceApp, listenForGrpc, openEdge, type ServiceAppDeps } from '../config/service-app.ts';
import { FIRST_ADMIN } from './first-admin.ts';
import { type OpenedServices, openServices, type ServicesSettings } from './open-services.ts';
import { type Reply, type RequestInitOfTest, sendJson } from './send-json.ts';

const MEBIBYTE = 1024 * 1024;
/** How long requests under way are waited for at the end, in milliseconds. */
const DRAIN_MS = 1_000;
const LOOPBACK = { host: '127.0.0.1', port: 0 };

export interface ServiceSettings
  extends ServicesSettings,
    Partial<ServiceAppDeps['settings']>,
    Partial<Pick<ServiceAppDeps, 'otlpMaxBodyBytes' | 'failure' | 'explainFailure'>> {
  /** Routes served in place of those of all capabilities. */
  readonly routes?: (all: readonly Route[]) => readonly Route[];
  /** Whether the console is served at `/`, where it has been built. False by default. */
  readonly console?: boolean;
  /** Whether OTLP is taken over gRPC, too. False by default. */
  readonly grpc?: boolean;
}

export interface StartedService extends OpenedServices {
  /** On loopback, at a free port: `http://127.0.0.1:49152`. */
  readonly url: string;
  /** Where OTLP over gRPC is taken, when asked for: `127.0.0.1:49153`. */
  readonly grpcTarget: string | undefined;
  /** The key of the first administrator, for clients. */
  readonly apiKey: string;
  /** Sends JSON with that key, unless `init` says otherwise. */
  request(method: string, path: string, body?: unknown, init?: RequestInitOfTest): Promise<Reply>;
}

/** The whole service over HTTP, on memory adapters, wired and working as in production. Every reply is checked by its schema. */
export async function startService(settings: ServiceSettings = {}): Promise<StartedService> {
  const { otlpMaxBodyBytes = 64 * MEBIBYTE, failure, explainFailure, routes, console = false, grpc = false, ...rest } = settings;
  const opened = await openServices(rest);
  const deps: ServiceAppDeps = {
    settings: {
      apiKeyHeaders: ['Service-API-Key'],
      wordAliases: {},
      trustedProxies: false,
      maxBodyBytes: 25 * MEBIBYTE,
      maxBytesInFlight: 128 * MEBIBYTE,
      checkBulkReplies: true,
      ...rest,
    },
    otlpMaxBodyBytes,
    servesApi: true,
    pages: console ? consolePages() : undefined,
    log: opened.log,
    ready: async () => true,
    ...(routes && { routes: routes(opened.services.routes) }),
    ...(failure && { failure }),
    ...(explainFailure && { explainFailure }),
  };
  const edge = openEdge(opened.services, deps.settings);
  const server = await HttpServer.listen(buildServiceApp(opened.services, edge, deps), LOOPBACK);
  const grpcServer = grpc ? await listenForGrpc(opened.services, edge, deps, LOOPBACK) : undefined;
  const close = async () => {
    await grpcServer?.drain({ limitMs: DRAIN_MS });
    await server.drain({ leaveMs: 0, idleMs: 0, limitMs: DRAIN_MS });
    await opened.close();
  };
  return {
    ...opened,
    url: server.url,
    grpcTarget: grpcServer?.target,
    apiKey: FIRST_ADMIN.api_key,
    request: (method, path, body, init) => sendJson(server.url + path, method, body, init),
    close,
    [Symbol.asyncDispose]: close,
  };
}
