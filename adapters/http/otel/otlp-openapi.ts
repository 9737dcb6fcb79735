import { OTLP_MEDIA_TYPES } from '../../../core/otel/otlp-codec.ts';

type Json = Record<string, unknown>;

/** The standard's path, the one exporters make of a base URL that ends in `/otel`, and the one some post to instead. */
export const OTLP_PATHS = ['/v1/traces', '/otel/v1/traces', '/otel/traces'] as const;

const OPERATIONS: Readonly<Record<(typeof OTLP_PATHS)[number], string>> = {
  '/v1/traces': 'exportTraces',
  '/otel/v1/traces': 'exportTracesUnderOtel',
  '/otel/traces': 'exportTracesToOtel',
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
  RpcStatus: object('google.rpc.Status.', { code: { type: 'integer' }, message: { type: 'string' } }),
};

const FAILURES: Readonly<Record<number, string>> = {
  400: 'The body cannot be decoded, or a destination is not valid.',
  401: 'Credentials are missing or refused.',
  403: 'The caller may not log to where the spans belong.',
  404: 'The project or run is unknown, or not visible to the caller.',
  409: 'It contradicts what is there.',
  408: 'The body came too slowly; the connection is closed.',
  413: 'The body is too large, or holds more spans or values than a request may.',
  415: 'The body is of an unsupported type or encoding.',
  429: 'Too many failed attempts; repeat after `Retry-After` seconds.',
  503: 'Overloaded or not ready; repeat after `Retry-After` seconds.',
};

const DESCRIPTION = [
  'Traces by OTLP over HTTP, as protobuf or JSON, gzipped or not. Where spans belong is told by attributes of their resources',
  'or by the headers `project`, `project-id`, `logstream`, `logstream-id` and `experimentid`.',
].join(' ');

/** Replies are in the encoding of the request. */
function content(name: string): Json {
  const binary = { type: 'string', format: 'binary' };
  const json = { $ref: `#/components/schemas/${name}` };
  return { [OTLP_MEDIA_TYPES.protobuf]: { schema: binary }, [OTLP_MEDIA_TYPES.json]: { schema: json } };
}

const responses: Json = {
  200: { description: 'Success; spans that were not taken are counted.', content: content('ExportTraceServiceResponse') },
  ...Object.fromEntries(
    Object.entries(FAILURES).map(([status, description]) => [status, { description, content: content('RpcStatus') }]),
  ),
};

/** The operations of the trace endpoint, by path, for the API description. */
export const otlpPaths = (): Record<string, Json> =>
  Object.fromEntries(
    OTLP_PATHS.map((path) => [
      path,
      {
        post: {
          operationId: OPERATIONS[path],
          summary: path === OTLP_PATHS[0] ? 'Log traces by OpenTelemetry.' : `The same as ${OTLP_PATHS[0]}.`,
          description: DESCRIPTION,
          tags: ['traces'],
          requestBody: { required: true, content: content('ExportTraceServiceRequest') },
          responses,
          security: [{ apiKey: [] }, { oauth2: [] }, { basic: [] }],
        },
      },
    ]),
  );
