import { OTLP_MEDIA_TYPES, type OtlpSignal } from '../../../core/otel/otlp-codec.ts';

type Json = Record<string, unknown>;

/** The standard's paths, those that exporters make of a base URL that ends in `/otel`, and the one some post to instead. */
export const OTLP_PATHS_BY_SIGNAL = {
  traces: ['/v1/traces', '/otel/v1/traces', '/otel/traces', '/api/public/otel/v1/traces'],
  logs: ['/v1/logs', '/otel/v1/logs'],
  metrics: ['/v1/metrics', '/otel/v1/metrics'],
} as const satisfies Readonly<Record<OtlpSignal, readonly string[]>>;

export const OTLP_PATHS = [
  ...OTLP_PATHS_BY_SIGNAL.traces,
  ...OTLP_PATHS_BY_SIGNAL.logs,
  ...OTLP_PATHS_BY_SIGNAL.metrics,
] as const;

type OtlpPath = (typeof OTLP_PATHS)[number];

/** The signal that a path takes. */
const signalOf = (path: string): OtlpSignal =>
  (Object.keys(OTLP_PATHS_BY_SIGNAL) as OtlpSignal[]).find((signal) =>
    (OTLP_PATHS_BY_SIGNAL[signal] as readonly string[]).includes(path),
  ) ?? 'traces';

const OPERATIONS: Readonly<Record<OtlpPath, string>> = {
  '/v1/traces': 'exportTraces',
  '/otel/v1/traces': 'exportTracesUnderOtel',
  '/otel/traces': 'exportTracesToOtel',
  '/api/public/otel/v1/traces': 'exportTracesOfLangfuse',
  '/v1/logs': 'exportLogs',
  '/otel/v1/logs': 'exportLogsUnderOtel',
  '/v1/metrics': 'exportMetrics',
  '/otel/v1/metrics': 'exportMetricsUnderOtel',
};

const object = (description: string, properties: Json): Json => ({ type: 'object', description, properties });

/** Messages of the protocol, as far as it pays to repeat what its own definition says. */
export const otlpSchemas: Json = {
  ExportTraceServiceRequest: object('Of opentelemetry.proto.collector.trace.v1, in its JSON form.', {
    resourceSpans: { type: 'array', items: { type: 'object' } },
  }),
  ExportTraceServiceResponse: object('Empty when every span was taken.', {
    partialSuccess: object('Absent when there is nothing to say.', {
      rejectedSpans: { type: 'string', description: 'How many spans were not taken; a number in digits.' },
      errorMessage: { type: 'string' },
    }),
  }),
  ExportLogsServiceRequest: object('Of opentelemetry.proto.collector.logs.v1, in its JSON form.', {
    resourceLogs: { type: 'array', items: { type: 'object' } },
  }),
  ExportLogsServiceResponse: object('Empty when every log record was taken.', {
    partialSuccess: object('Absent when there is nothing to say.', {
      rejectedLogRecords: { type: 'string', description: 'How many log records were not taken; a number in digits.' },
      errorMessage: { type: 'string' },
    }),
  }),
  ExportMetricsServiceRequest: object('Of opentelemetry.proto.collector.metrics.v1, in its JSON form.', {
    resourceMetrics: { type: 'array', items: { type: 'object' } },
  }),
  ExportMetricsServiceResponse: object('Empty when there were no data points.', {
    partialSuccess: object('Absent when there is nothing to say.', {
      rejectedDataPoints: { type: 'string', description: 'How many data points cannot be read; a number in digits.' },
      errorMessage: { type: 'string', description: 'Names the metrics, which are not kept.' },
    }),
  }),
  RpcStatus: object('google.rpc.Status.', { code: { type: 'integer' }, message: { type: 'string' } }),
};

const FAILURES: Readonly<Record<number, string>> = {
  400: 'The body cannot be decoded, or a destination is not valid.',
  401: 'Credentials are missing or refused.',
  403: 'The caller may not log to where the spans belong.',
  404: 'The project or run is unknown, or not visible to the caller.',
  409: 'It contradicts what is there.',
  408: 'The body came too slowly; the connection is closed.',
  413: 'The body is too large, or holds more spans, log records, data points or values than a request may.',
  415: 'The body is of an unsupported type or encoding.',
  429: 'Too many failed attempts; repeat after `Retry-After` seconds.',
  503: 'Overloaded or not ready; repeat after `Retry-After` seconds.',
};

const WHERE = [
  'by OTLP over HTTP, as protobuf or JSON, gzipped or not. Where they belong is told by attributes of their resources',
  'or by the headers `project`, `project-id`, `logstream`, `logstream-id` and `experimentid`.',
].join(' ');

const SIGNALS: Readonly<
  Record<OtlpSignal, { readonly message: string; readonly summary: string; readonly description: string }>
> = {
  traces: { message: 'ExportTraceService', summary: 'Log traces by OpenTelemetry.', description: `Traces ${WHERE}` },
  logs: {
    message: 'ExportLogsService',
    summary: 'Log events of spans by OpenTelemetry.',
    description: `Log records of spans ${WHERE} Messages and scores among them become those of their span, whichever comes first.`,
  },
  metrics: {
    message: 'ExportMetricsService',
    summary: 'Send metrics by OpenTelemetry, which are not kept.',
    description:
      'For senders that send metrics beside their traces. The reply names the metrics and says that they are not kept; only data points that cannot be read count as refused. Nothing is made, so a project need not be named.',
  },
};

/** Replies are in the encoding of the request. */
function content(name: string): Json {
  const binary = { type: 'string', format: 'binary' };
  const json = { $ref: `#/components/schemas/${name}` };
  return { [OTLP_MEDIA_TYPES.protobuf]: { schema: binary }, [OTLP_MEDIA_TYPES.json]: { schema: json } };
}

const responses = (name: string): Json => ({
  200: { description: 'Success; what was not taken is counted.', content: content(name) },
  ...Object.fromEntries(
    Object.entries(FAILURES).map(([status, description]) => [status, { description, content: content('RpcStatus') }]),
  ),
});

/** The operations of the endpoints, by path, for the API description. */
export const otlpPaths = (): Record<string, Json> => Object.fromEntries(OTLP_PATHS.map((path) => [path, toOperation(path)]));

function toOperation(path: OtlpPath): Json {
  const signal = signalOf(path);
  const { message, summary, description } = SIGNALS[signal];
  return {
    post: {
      operationId: OPERATIONS[path],
      summary: path === OTLP_PATHS_BY_SIGNAL[signal][0] ? summary : `The same as ${OTLP_PATHS_BY_SIGNAL[signal][0]}.`,
      description,
      tags: ['traces'],
      requestBody: { required: true, content: content(`${message}Request`) },
      responses: responses(`${message}Response`),
      security: [{ apiKey: [] }, { oauth2: [] }, { basic: [] }],
    },
  };
}
