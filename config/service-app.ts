import type { Express } from 'express';
import { OtlpGrpcServer } from '../adapters/grpc/otlp-grpc-server.ts';
import { type Authentication, authentication } from '../adapters/http/access/authenticate.ts';
import { buildApp, type HttpDeps, type HttpSettings } from '../adapters/http/app.ts';
import { BodyReader } from '../adapters/http/body/body-reader.ts';
import type { GaugeSource } from '../adapters/http/metrics.ts';
import { toScimError } from '../adapters/scim/scim-failure.ts';
import type { Cradle } from './cradle.ts';

export interface ServiceAppDeps extends Pick<HttpDeps, 'log' | 'pages' | 'ready' | 'failure' | 'explainFailure'> {
  readonly settings: Omit<HttpSettings, 'version' | 'presetNames'>;
  /** The largest body of OpenTelemetry, after inflating. */
  readonly otlpMaxBodyBytes: number;
  /** False: only its health and its metrics are served. */
  readonly servesApi: boolean;
  /** Figures of the storage and the process, beside those of the services. */
  readonly gauges?: readonly GaugeSource[];
  /** In place of the routes of all capabilities. */
  readonly routes?: HttpDeps['routes'];
}

/** Shared by HTTP and gRPC: the proof of credentials, and the admission control of bodies. */
export interface Edge {
  readonly authentication: Authentication;
  readonly gate: BodyReader;
}

export const openEdge = ({ accessService }: Cradle, settings: ServiceAppDeps['settings']): Edge => ({
  authentication: authentication(accessService, settings.apiKeyHeaders),
  gate: new BodyReader(settings),
});

/** OTLP over gRPC, of a service that has been wired. Rejects with a readable Error when the address cannot be had. */
export const listenForGrpc = (
  { otlpService, otlpCodec, workContext }: Cradle,
  { authentication, gate }: Edge,
  {
    otlpMaxBodyBytes,
    log,
    failure,
    explainFailure,
  }: Pick<ServiceAppDeps, 'otlpMaxBodyBytes' | 'log' | 'failure' | 'explainFailure'>,
  address: { readonly host: string; readonly port: number },
): Promise<OtlpGrpcServer> =>
  OtlpGrpcServer.listen(
    {
      service: otlpService,
      codec: otlpCodec,
      maxMessageBytes: Math.min(otlpMaxBodyBytes, MAX_GRPC_MESSAGE),
      authenticate: authentication,
      hold: (sender, bytes) => gate.hold(sender, bytes),
      ...{ log, workContext, failure, explainFailure },
    },
    address,
  );

/** Messages have no announced length, so room for the largest is kept while one is read. */
const MAX_GRPC_MESSAGE = 16 * 1024 * 1024;

/** The HTTP edge of a service that has been wired. */
export const buildServiceApp = (
  cradle: Cradle,
  { authentication, gate }: Edge,
  { settings, otlpMaxBodyBytes, servesApi, pages, gauges = [], routes = cradle.routes, ...rest }: ServiceAppDeps,
): Express =>
  buildApp({
    ...rest,
    settings: { ...settings, version: cradle.version, presetNames: cradle.scorerKinds.presets.map(({ name }) => name) },
    workContext: cradle.workContext,
    selfTracer: cradle.selfTracer,
    installation: () => cradle.installation,
    authentication,
    gate,
    routes: servesApi ? routes : [],
    otlp: servesApi ? { service: cradle.otlpService, codec: cradle.otlpCodec, maxBodyBytes: otlpMaxBodyBytes } : undefined,
    mcp: servesApi ? cradle.mcpServer : undefined,
    scim: servesApi ? { server: cradle.scimServer, toError: toScimError, publicUrl: cradle.publicUrl } : undefined,
    pages: servesApi ? pages : undefined,
    gauges: [...serviceGauges(cradle), ...gauges],
  });

const serviceGauges = (cradle: Cradle): GaugeSource[] => [
  { name: 'touchstone_scoring_jobs', help: 'Scoring jobs waiting or under way.', read: () => cradle.scoringQueue.depth() },
  {
    name: 'touchstone_model_scoring_jobs',
    help: 'Jobs of judges waiting, for a model too, or under way.',
    read: () => cradle.modelScoringQueue.depth(),
  },
  {
    name: 'touchstone_tripped_circuits',
    help: 'Integrations whose circuit breaker is open or half open in this process.',
    read: async () => cradle.providerCalls.tripped(),
  },
  { name: 'touchstone_jobs', help: 'Other jobs waiting or under way.', read: () => cradle.jobQueue.depth() },
  {
    name: 'touchstone_write_queue_bytes',
    help: 'Bytes of records waiting to be written.',
    read: async () => cradle.writeQueue.queuedBytes,
  },
  { name: 'touchstone_index_backlog', help: 'Changes of records not indexed yet.', read: () => cradle.recordIndex.backlog() },
  {
    name: 'touchstone_export_backlog',
    help: 'Changed records not exported yet.',
    read: async () => (await cradle.dataExportStore.summary()).num_waiting,
  },
  {
    name: 'touchstone_export_lag_seconds',
    help: 'Age of the oldest change not exported yet.',
    read: async () => {
      const { waiting_since } = await cradle.dataExportStore.summary();
      return waiting_since === null ? 0 : Math.max(0, (Date.now() - Date.parse(waiting_since)) / 1_000);
    },
  },
  {
    name: 'touchstone_export_failing_projects',
    help: 'Projects whose export failed the last time.',
    read: async () => (await cradle.dataExportStore.summary()).num_failing,
  },
];
