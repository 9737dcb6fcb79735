import type { Express } from 'express';
import { buildApp, type HttpDeps, type HttpSettings } from '../adapters/http/app.ts';
import type { GaugeSource } from '../adapters/http/metrics.ts';
import type { Cradle } from './cradle.ts';

export interface ServiceAppDeps extends Pick<HttpDeps, 'log' | 'pages' | 'ready' | 'failure' | 'explainFailure'> {
  readonly settings: Omit<HttpSettings, 'version' | 'presetNames'>;
  /** The largest body of OpenTelemetry, after inflating. */
  readonly otlpMaxBodyBytes: number;
  /** False: only its health and its metrics are served. */
  readonly servesApi: boolean;
  /** In place of the routes of all capabilities. */
  readonly routes?: HttpDeps['routes'];
}

/** The HTTP edge of a service that has been wired. */
export const buildServiceApp = (
  cradle: Cradle,
  { settings, otlpMaxBodyBytes, servesApi, pages, routes = cradle.routes, ...rest }: ServiceAppDeps,
): Express =>
  buildApp({
    ...rest,
    settings: { ...settings, version: cradle.version, presetNames: cradle.scorerKinds.presets.map(({ name }) => name) },
    workContext: cradle.workContext,
    accessService: cradle.accessService,
    routes: servesApi ? routes : [],
    otlp: servesApi ? { service: cradle.otlpService, codec: cradle.otlpCodec, maxBodyBytes: otlpMaxBodyBytes } : undefined,
    mcp: servesApi ? cradle.mcpServer : undefined,
    pages: servesApi ? pages : undefined,
    gauges: gauges(cradle),
  });

const gauges = (cradle: Cradle): GaugeSource[] => [
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
];
