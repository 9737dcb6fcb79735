import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Caller } from '../../core/access/caller.ts';
import type { BodyReader } from './body/body-reader.ts';
import { admitted, senderOf } from './mount.ts';

/** The Model Context Protocol, as far as HTTP is concerned. */
export interface McpEndpoint {
  /** One POST whose body has been parsed, for the caller of it. */
  handle(caller: Caller, request: globalThis.Request, parsedBody: unknown): Promise<globalThis.Response>;
}

export const MCP_PATHS = ['/mcp', '/v2/mcp'] as const;
const MAX_BODY_BYTES = 1024 * 1024;
const BOUNDS = { maxDepth: 50, maxNames: 1_000, maxValues: 20_000, maxForms: 20_000 };

/** Serves the Model Context Protocol by streamable HTTP: one POST a message, no sessions, so that GET and DELETE are 405. */
export function mcpEndpoint(endpoint: McpEndpoint, authenticate: RequestHandler, gate: BodyReader): Router {
  const router = Router();
  router.post([...MCP_PATHS], admitted(gate), authenticate, async (req, res) => {
    const { body, release } = await gate.read(req, MAX_BODY_BYTES, senderOf(req, res));
    try {
      const parsed = await gate.parseJson(body, BOUNDS);
      await send(res, await endpoint.handle(res.locals.caller as Caller, toWebRequest(req), parsed));
    } finally {
      release();
    }
  });
  router.all([...MCP_PATHS], authenticate, (_req, res) => {
    res.setHeader('Allow', 'POST');
    res.status(405).json({ detail: 'method not allowed', code: 'method_not_allowed', request_id: res.locals.requestId });
  });
  return router;
}

/** Its body has been read, and goes beside it. */
function toWebRequest(req: Request): globalThis.Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) for (const one of [value ?? []].flat()) headers.append(name, one);
  return new globalThis.Request(new URL(req.path, 'http://localhost'), { method: 'POST', headers });
}

async function send(res: Response, { status, headers, body }: globalThis.Response): Promise<void> {
  res.status(status).setHeaders(headers);
  if (body) await pipeline(Readable.fromWeb(body), res);
  else res.end();
}
