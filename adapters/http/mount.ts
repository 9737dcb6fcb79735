import { tmpdir } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import type { Caller } from '../../core/access/caller.ts';
import { getNetwork } from '../../core/access/login/network.ts';
import { AppError, type Issue } from '../../core/kernel/errors.ts';
import { JSON_OF_RECORDS, type JsonBounds, MAX_DEPTH } from '../../core/kernel/json-scan.ts';
import { getOrigin } from './access/authenticate.ts';
import { type BodyReader, LARGE_BODY, type Sender } from './body/body-reader.ts';
import { findPollutingKeys, mayHoldPollutingKeys } from './body/prototype-pollution-guard.ts';
import { readUpload } from './body/upload-memory.ts';
import { type StreamedUpload, StreamedUploads } from './body/upload-stream.ts';
import { sendLargeJson } from './large-json.ts';
import { expressPath, FILE, type Route, sortBySpecificity, type UploadedFile } from './route.ts';
import { RouteTable } from './route-table.ts';
import { checkedJson, type StreamedReply, sendStream } from './streamed-reply.ts';
import { parsePart } from './validation.ts';
import type { WordAliases } from './word-aliases.ts';

export interface MountSettings {
  readonly words: WordAliases;
  readonly maxBodyBytes: number;
  /** Also check the replies of `bulk` routes; for tests. */
  readonly checkBulkReplies: boolean;
  /** Where files lie while they are taken in; the system's folder for such things by default. */
  readonly uploadFolder?: string;
}

const MAX_UPLOADS_AT_ONCE = 16;

interface ReadBody {
  readonly body: unknown;
  readonly mayHoldPollutingKeys?: boolean;
  readonly isLarge?: boolean;
  readonly file: UploadedFile | undefined;
  readonly upload?: StreamedUpload | undefined;
  release(): void | Promise<void>;
}

/** Readers of request bodies. */
interface BodyReaders {
  readonly gate: BodyReader;
  readonly uploads: StreamedUploads;
}

/** Adds every route with and without `/v2`, and returns 405 with `Allow` for other methods on a known path. */
export function mount(
  app: Express,
  routes: readonly Route[],
  authenticate: RequestHandler,
  gate: BodyReader,
  settings: MountSettings,
): void {
  const uploads = new StreamedUploads(
    { folder: settings.uploadFolder ?? tmpdir(), maxAtOnce: MAX_UPLOADS_AT_ONCE },
    gate.slowBodies,
  );
  const sorted = sortBySpecificity(routes);
  const shapes = sorted.map(({ path }) => path.replaceAll(/\{\w+\}/g, '{}'));
  const methods = new Map<string, Set<string>>();
  const table = new RouteTable();
  for (const [index, entry] of sorted.entries()) {
    const shape = shapes[index]!;
    methods.set(shape, (methods.get(shape) ?? new Set()).add(entry.method.toUpperCase()));
  }
  for (const [index, entry] of sorted.entries()) {
    const paths = [expressPath(entry.path), expressPath(entry.path).replace(/^\/v2/, '')];
    const guards = entry.auth === 'none' ? [] : entry.body ? [admitted(gate), authenticate] : [authenticate];
    const handler = getHandler(entry, { gate, uploads }, settings);
    for (const path of paths) table.add(path, (router) => router[entry.method](path, ...guards, handler));
    const shape = shapes[index]!;
    const isLastOfShape = shapes.lastIndexOf(shape) === index;
    // `all` of a router would add a layer for each method there is.
    if (!isLastOfShape || entry.sharesPath) continue;
    const refusal = methodNotAllowed([...methods.get(shape)!].sort());
    for (const path of paths) table.add(path, (router) => router.route(path).all(...guards, refusal));
  }
  app.use(table.handler);
}

function methodNotAllowed(allowed: readonly string[]): RequestHandler {
  return (_req, res) => {
    res.setHeader('Allow', allowed.join(', '));
    res.status(405).json({ detail: 'method not allowed', code: 'method_not_allowed', request_id: res.locals.requestId });
  };
}

function getHandler(entry: Route, doors: BodyReaders, settings: MountSettings): RequestHandler {
  const check = !entry.bulk || settings.checkBulkReplies;
  const { words } = settings;
  // Settings of a provider are parsed by its service: the route knows them from the document alone.
  const spoken = entry.bodyFormat?.startsWith('multipart') ? entry.body : (entry.documentedBody ?? entry.body);
  return async (req: Request, res: Response, next: NextFunction) => {
    const read = await readBody(entry, req, res, doors, settings);
    try {
      if (read.isLarge) await nextTurn();
      const issues: Issue[] = [];
      const body = spoken ? words.inward(spoken, read.body) : read.body;
      const input = {
        params: entry.params ? parsePart(entry.params, words.inward(entry.params, req.params), 'path', issues) : undefined,
        query: entry.query ? parsePart(entry.query, words.inward(entry.query, req.query), 'query', issues) : undefined,
        body: entry.body ? parsePart(entry.body, body, 'body', issues) : undefined,
        file: read.file,
        upload: read.upload,
        caller: res.locals.caller as Caller,
        origin: getOrigin(req, res),
        headers: req.headers,
        res,
      };
      if (read.mayHoldPollutingKeys && issues.length === 0) issues.push(...findPollutingKeys(body, input.body));
      if (issues.length > 0) throw new AppError('invalid', 'request_invalid', 'the request is not valid', { issues });
      if (read.isLarge) await nextTurn();
      const reply = await entry.handle(input);
      if (res.headersSent) return;
      if (entry.streams) {
        // A file may take minutes: what was read of the request is not held that long.
        await read.release();
        const streamed = reply as StreamedReply;
        const isChecked = entry.response !== FILE && settings.checkBulkReplies;
        const chunks = isChecked ? checkedJson(streamed.chunks, entry.response) : streamed.chunks;
        return await sendStream(res, { ...streamed, chunks });
      }
      if (entry.status === 204) res.status(204).end();
      else {
        const shown = words.outward(entry.response, check ? entry.response.parse(reply) : reply, res);
        if (entry.bulk) await sendLargeJson(res, shown);
        else res.status(200).json(shown);
      }
    } catch (error) {
      next(error);
    } finally {
      await read.release();
    }
  };
}

/** Of what is no record: the longest text that any field takes, a million characters, in any script. */
const MAX_PLAIN_BODY_BYTES = 3 * 1024 * 1024;

/** Of one operation, after inflating. */
export function maxBodyBytesOf({ maxBodyBytes, holdsRecords }: Route, settings: Pick<MountSettings, 'maxBodyBytes'>): number {
  return maxBodyBytes ?? (holdsRecords ? settings.maxBodyBytes : Math.min(settings.maxBodyBytes, MAX_PLAIN_BODY_BYTES));
}

const PLAIN_BOUNDS: JsonBounds = { maxDepth: MAX_DEPTH, maxNames: 10_000, maxValues: 200_000, maxForms: 20_000 };

/** Returns the bounds of a JSON body of one operation. */
export function jsonBoundsOf({ holdsRecords, maxNames }: Route): JsonBounds {
  const bounds = holdsRecords ? JSON_OF_RECORDS : PLAIN_BOUNDS;
  return maxNames === undefined ? bounds : { ...bounds, maxNames };
}

const nothing = (): void => {};

async function readBody(
  entry: Route,
  req: Request,
  res: Response,
  { gate, uploads }: BodyReaders,
  settings: MountSettings,
): Promise<ReadBody> {
  if (!entry.body) return { body: undefined, file: undefined, release: nothing };
  const maxBytes = maxBodyBytesOf(entry, settings);
  const sender = senderOf(req, res);
  if (entry.bodyFormat === 'multipart_stream') {
    const { fields, upload, release } = await uploads.read(req, maxBytes, sender);
    return { body: fields, file: undefined, upload, release };
  }
  if (entry.bodyFormat === 'multipart') {
    const { body, release } = await readUpload(req, maxBytes, gate, sender);
    return { body: body.fields, file: body.file, release };
  }
  const { body: bytes, release } = await gate.read(req, maxBytes, sender);
  try {
    return {
      body: await parseBody(entry, req, bytes, gate),
      mayHoldPollutingKeys: mayHoldPollutingKeys(bytes),
      isLarge: bytes.length > LARGE_BODY,
      file: undefined,
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Refuses a body for which there is no room before its sender is looked up. */
export function admitted(gate: BodyReader): RequestHandler {
  return (req, _res, next) => {
    gate.admit(req);
    next();
  };
}

/** On whose account the bytes of a request are held. */
export const senderOf = (req: Request, res: Response): Sender => ({
  user_id: (res.locals.caller as Caller | undefined)?.user_id,
  network: getNetwork(getOrigin(req, res).address),
});

async function parseBody(entry: Route, req: Request, bytes: Buffer, gate: BodyReader): Promise<unknown> {
  if (bytes.length === 0) return entry.bodyOptional ? {} : undefined;
  const type = req.headers['content-type'];
  if (entry.bodyFormat === 'form' && req.is('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  }
  if (type !== undefined && !req.is(['json', '+json'])) throw unsupported('application/json');
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type ?? '')?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) throw unsupported('application/json in UTF-8');
  const body = await gate.parseJson(bytes, jsonBoundsOf(entry));
  return body === null && entry.bodyOptional ? {} : body;
}

const unsupported = (wanted: string): AppError =>
  new AppError('unsupported_media', 'content_type_unsupported', `the body has to be ${wanted}`);
