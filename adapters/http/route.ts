import type { Response } from 'express';
import { z } from 'zod';
import type { Caller, Origin } from '../../core/access/caller.ts';
import { tolerant } from '../../core/kernel/tolerant.ts';
import type { StreamedUpload } from './body/upload-stream.ts';
import type { StreamedReply } from './streamed-reply.ts';

type Schema = z.ZodType | undefined;
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A file of a multipart body, held in memory. `filename` is what the sender called it: for display only. */
export interface UploadedFile {
  readonly filename: string;
  readonly content_type: string;
  readonly bytes: Uint8Array;
}

/**
 * How the body travels. `form` takes urlencoded fields or JSON; `multipart` takes text parts and one part `file`, in memory;
 * `multipart_stream` takes the same with the file on disk, for `maxBodyBytes` beyond what memory is there for.
 */
export type BodyFormat = 'json' | 'form' | 'multipart' | 'multipart_stream';

export interface RouteHead {
  readonly method: Method;
  /** As in the OpenAPI document: `/v2/projects/{project_id}`. Served without `/v2` too. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  /** Default: any of the three schemes. `none`: no credentials are asked for or looked at. */
  readonly auth?: 'none';
  readonly bodyFormat?: BodyFormat;
  /** An absent body stands for `{}`. */
  readonly bodyOptional?: boolean;
  /** Largest body after inflating, in bytes; default is `MAX_PLAIN_BODY_BYTES`, or less where the edge's general limit is. */
  readonly maxBodyBytes?: number;
  /** The body holds records or rows, and may be as large as the edge's general limit lets it. */
  readonly holdsRecords?: boolean;
  /** Names that one object of the body may have, where that is less than in others of its kind. */
  readonly maxNames?: number;
  readonly status?: 200 | 204;
  readonly deprecated?: boolean;
  /** Extensions of the operation in the OpenAPI document, where OpenAPI has no field for it. */
  readonly extensions?: Readonly<Record<`x-${string}`, unknown>>;
  /** For a path of fixed words: other methods on it are left to routes with a parameter in the place of a word. */
  readonly sharesPath?: boolean;
  /** Statuses of refusals beyond those that follow from the rest of the entry; for the document. */
  readonly errors?: readonly number[];
  /** Headers that the operation reads, and what they mean; for the document. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Headers of its successful replies, and what they mean; for the document. */
  readonly replyHeaders?: Readonly<Record<string, string>>;
  /** Replies are large: their check against the schema is left to the tests. */
  readonly bulk?: boolean;
  /** The reply is of one of these media types and is sent while it is made; see `fileRoute` and `streamedRoute`. */
  readonly streams?: readonly string[];
}

export interface RouteInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly file: UploadedFile | undefined;
  /** The file of a `multipart_stream` body; gone once the handle has answered, unless it is kept. */
  readonly upload: StreamedUpload | undefined;
  readonly caller: Caller;
  readonly origin: Origin;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** For the few replies that need more than a body: a cookie, an ETag. */
  readonly res: Response;
}

export interface Route extends RouteHead {
  readonly params?: z.ZodType | undefined;
  readonly query?: z.ZodType | undefined;
  readonly body?: z.ZodType | undefined;
  readonly documentedBody?: z.ZodType | undefined;
  readonly response: z.ZodType;
  handle(input: RouteInput): Promise<unknown>;
}

/**
 * One row of the API: the same entry parses the request, checks the reply and prints the OpenAPI operation. Bodies are taken with
 * null for every optional field and with unknown fields, whatever their schemas say.
 */
export function route<
  R extends z.ZodType,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
>(
  spec: RouteHead & {
    params?: P;
    query?: Q;
    body?: B;
    /** Printed in the document in place of `body`, where the service checks parts of the body by other means. */
    documentedBody?: z.ZodType;
    response: R;
    handle(
      input: Omit<RouteInput, 'params' | 'query' | 'body'> & { params: Parsed<P>; query: Parsed<Q>; body: Parsed<B> },
    ): Promise<z.input<R>>;
  },
): Route {
  return withTolerantBody(spec) as unknown as Route;
}

/** A row whose reply is a file: what the handle returns is sent chunk by chunk, no faster than it is read. */
export function fileRoute<P extends Schema = undefined, Q extends Schema = undefined, B extends Schema = undefined>(
  spec: RouteHead & {
    streams: readonly [string, ...string[]];
    params?: P;
    query?: Q;
    body?: B;
    handle(
      input: Omit<RouteInput, 'params' | 'query' | 'body'> & { params: Parsed<P>; query: Parsed<Q>; body: Parsed<B> },
    ): Promise<StreamedReply>;
  },
): Route {
  return { ...withTolerantBody(spec), response: FILE } as unknown as Route;
}

/** The response of routes whose reply is a file. */
export const FILE = z.string().meta({ format: 'binary' });

/** A row whose reply is JSON of the given schema, too large to be held: sent chunk by chunk, no faster than it is read. */
export function streamedRoute<
  R extends z.ZodType,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
>(
  spec: Omit<RouteHead, 'streams'> & {
    params?: P;
    query?: Q;
    body?: B;
    response: R;
    handle(
      input: Omit<RouteInput, 'params' | 'query' | 'body'> & { params: Parsed<P>; query: Parsed<Q>; body: Parsed<B> },
    ): Promise<AsyncIterable<string>>;
  },
): Route {
  const content_type = 'application/json; charset=utf-8';
  const handle = async (input: RouteInput): Promise<StreamedReply> => ({
    content_type,
    chunks: await spec.handle(input as Parameters<typeof spec.handle>[0]),
  });
  return { ...withTolerantBody(spec), streams: ['application/json'], handle } as unknown as Route;
}

/** Parts of a form are texts: there is no null among them to be documented. */
function withTolerantBody<E extends RouteHead & { body?: Schema; documentedBody?: z.ZodType }>(entry: E): E {
  const { body, documentedBody = body } = entry;
  if (!body || !documentedBody) return entry;
  const documented = entry.bodyFormat?.startsWith('multipart') ? documentedBody : tolerant(documentedBody);
  return { ...entry, body: tolerant(body), documentedBody: documented };
}

/** Express's spelling of a path: `{id}` becomes `:id`. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/**
 * Static segments win over parameters, whatever order the routes were listed in; routes alike in that keep their order,
 * so those listed first are found first.
 */
export function sortBySpecificity<R extends Pick<Route, 'path'>>(routes: readonly R[]): R[] {
  const ranked = routes.map((route) => ({ route, shape: getShape(route) }));
  ranked.sort(({ shape: left }, { shape: right }) => (left < right ? -1 : left > right ? 1 : 0));
  return ranked.map(({ route }) => route);
}

const getShape = ({ path }: Pick<Route, 'path'>): string =>
  path.replaceAll(/\/(\{)?[^/]*/g, (_, isParam) => (isParam ? '1' : '0'));
