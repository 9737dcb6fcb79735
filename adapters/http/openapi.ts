import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { FILE, type Route } from './route.ts';

type Json = Record<string, unknown>;
type Io = 'input' | 'output';

const HTTP_ERROR = 'HTTPError';
const VALIDATION_ERROR = 'HTTPValidationError';

const errorSchemas: Json = {
  [VALIDATION_ERROR]: {
    type: 'object',
    required: ['detail'],
    properties: {
      detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' } },
      code: { type: 'string' },
      request_id: { type: 'string' },
    },
  },
  ValidationError: {
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      msg: { type: 'string' },
      type: { type: 'string' },
      input: {},
      ctx: { type: 'object' },
    },
  },
  [HTTP_ERROR]: {
    type: 'object',
    required: ['detail'],
    properties: { detail: { type: 'string' }, code: { type: 'string' }, request_id: { type: 'string' } },
  },
};

/** Paths that are no routes, described by hand. */
export interface OtherPaths {
  readonly paths: Readonly<Record<string, Json>>;
  readonly schemas: Json;
}

/** The OpenAPI 3.1 document of the given routes, from the schemas that also parse the requests and check the replies. */
export function openapi(routes: readonly Route[], version: string, apiKeyHeader: string, others?: OtherPaths): Json {
  const requests = new Components('input');
  const replies = new Components('output');
  const paths: Record<string, Json> = { ...others?.paths };
  for (const entry of routes) {
    paths[entry.path] = { ...paths[entry.path], [entry.method]: operation(entry, requests, replies) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Touchstone',
      version,
      description: 'Evaluation and observability backend for applications that call language models.',
    },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: sorted({ ...errorSchemas, ...others?.schemas, ...withoutClash(replies.schemas(), requests.schemas()) }),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: apiKeyHeader },
        oauth2: { type: 'oauth2', flows: { password: { tokenUrl: '/login', scopes: {} } } },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
  };
}

function operation(entry: Route, requests: Components, replies: Components): Json {
  const name = entry.operationId[0]!.toUpperCase() + entry.operationId.slice(1);
  const hasInput = entry.params || entry.query || entry.body;
  return {
    operationId: entry.operationId,
    summary: entry.summary,
    tags: [entry.tag],
    ...(entry.deprecated ? { deprecated: true } : {}),
    ...entry.extensions,
    ...(hasInput
      ? {
          parameters: [
            ...parameters(entry.params, 'path'),
            ...parameters(entry.query, 'query'),
            ...headerParameters(entry.requestHeaders),
          ],
        }
      : {}),
    ...(entry.body
      ? { requestBody: requestBody(entry, requests.add(entry.documentedBody ?? entry.body, `${name}Request`)) }
      : {}),
    responses: {
      ...(entry.status === 204
        ? { 204: { description: 'Done; the reply has no body.', ...replyHeaders(entry.replyHeaders) } }
        : {
            200: { description: 'Success', ...replyHeaders(entry.replyHeaders), content: successContent(entry, name, replies) },
          }),
      ...Object.fromEntries(
        Object.entries(toErrors(entry)).map(([status, schema]) => [
          status,
          { description: reason(status), content: json(ref(schema)) },
        ]),
      ),
    },
    ...(entry.auth === 'none' ? { security: [] } : { security: [{ apiKey: [] }, { oauth2: [] }, { basic: [] }] }),
  };
}

function successContent(entry: Route, name: string, replies: Components): Json {
  if (entry.streams && entry.response === FILE)
    return Object.fromEntries(entry.streams.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
  return json(replies.add(entry.response, `${name}Response`));
}

/** Returns the error responses of an operation. Who asks is checked first, so every operation with credentials refuses alike. */
function toErrors({ auth, method, params, query, body, errors = [] }: Route): Record<string, string> {
  const text = (...statuses: readonly number[]) => Object.fromEntries(statuses.map((status) => [status, HTTP_ERROR]));
  return {
    ...(auth === 'none' ? {} : text(401, 403, 429)),
    // Bodies name things, too.
    ...(params || body ? text(404) : {}),
    ...(auth !== 'none' && body && method !== 'get' ? text(409) : {}),
    ...(body ? text(408, 413, 415) : {}),
    ...text(...errors),
    ...(params || query || body ? { 422: VALIDATION_ERROR } : {}),
    ...text(503),
  };
}

function parameters(schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const printed = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { properties?: Json; required?: string[] };
  return Object.entries(printed.properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || (printed.required ?? []).includes(name),
    schema: property,
  }));
}

const headerParameters = (headers: Readonly<Record<string, string>> = {}): Json[] =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));

function replyHeaders(headers: Readonly<Record<string, string>> | undefined): Json {
  if (!headers) return {};
  const shown = Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]);
  return { headers: Object.fromEntries(shown) };
}

function requestBody(entry: Route, schema: Json): Json {
  const forms: Record<string, string> = {
    form: 'application/x-www-form-urlencoded',
    multipart: 'multipart/form-data',
    multipart_stream: 'multipart/form-data',
  };
  const type = forms[entry.bodyFormat ?? ''] ?? 'application/json';
  return { required: !entry.bodyOptional, content: { [type]: { schema } } };
}

const reasons: Readonly<Record<string, string>> = {
  400: 'The request cannot be served here as it is.',
  401: 'Credentials are missing or refused.',
  403: 'The caller sees it, and may not do this.',
  404: 'Unknown, or not visible to the caller.',
  409: 'It contradicts what is there, as a name that is taken.',
  408: 'The body came too slowly; the connection is closed.',
  413: 'The body is too large.',
  415: 'The body is of an unsupported type.',
  422: 'The request is not valid.',
  429: 'Too many failed attempts; repeat after `Retry-After` seconds.',
  503: 'Overloaded or not ready; repeat after `Retry-After` seconds.',
};
const reason = (status: string): string => reasons[status] ?? 'Error';
const json = (schema: Json): Json => ({ 'application/json': { schema } });
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const sorted = (schemas: Json): Json => Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Collects the schemas of one direction under names that are unique in the document. */
class Components {
  readonly #io: Io;
  readonly #collected: Json = {};

  constructor(io: Io) {
    this.#io = io;
  }

  /** Prints a schema and returns a reference to it; named schemas inside it are lifted beside it. */
  add(schema: z.ZodType, fallbackName: string): Json {
    const name = (schema.meta()?.id as string | undefined) ?? fallbackName;
    const printed = z.toJSONSchema(schema, { io: this.#io, unrepresentable: 'any', reused: 'inline' }) as Json;
    const { $defs, $schema: _dialect, id: _id, ...own } = printed;
    const lifted = ($defs ?? {}) as Record<string, Json>;
    for (const [key, definition] of Object.entries(lifted)) this.#put(key, definition);
    // A named schema prints as a reference to its own definition.
    if (!(name in lifted)) this.#put(name, own);
    return ref(name);
  }

  schemas(): Json {
    return this.#collected;
  }

  #put(name: string, schema: Json): void {
    const { id: _id, ...rest } = schema;
    this.#collected[name] = relinked(rest);
  }
}

/** Requests and replies share one set of names: a name that means two things is a mistake in the shapes. */
function withoutClash(replies: Json, requests: Json): Json {
  const clash = Object.keys(requests).find((name) => name in replies && !isDeepStrictEqual(requests[name], replies[name]));
  if (clash !== undefined) throw new Error(`the schema "${clash}" of a request is another one in replies; name one of them anew`);
  return { ...replies, ...requests };
}

/** `#/$defs/X` becomes `#/components/schemas/X`. */
function relinked(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(relinked);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : relinked(value),
    ]),
  );
}
