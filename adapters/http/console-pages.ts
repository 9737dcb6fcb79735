import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import sirv from 'sirv';

/** Where `npm ci` puts the built console. */
export const CONSOLE_FOLDER = join(import.meta.dirname, '../../console/dist');

/**
 * Everything comes from this server, nothing is evaluated, nothing is framed. Styles that scripts set on elements do not
 * need `unsafe-inline`. Pictures, sound and video may be data: the style sheet holds its icons that way, and the files of
 * records are fetched with credentials.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_BUILT =
  'The console is not built: run "npm run console:build" where the development dependencies are installed. The API is at /v2, its reference at /docs.\n';

/**
 * The console at `/`. All its addresses are relative and its state stands behind `#`, so a proxy may serve it under any
 * path that ends with a slash. Files whose names hold a digest of their content are kept by browsers, the page is not.
 */
export function consolePages(folder: string = CONSOLE_FOLDER): RequestHandler {
  const router = Router();
  if (!existsSync(join(folder, 'index.html'))) {
    router.get('/', (_req, res) => void res.status(404).type('text').send(NOT_BUILT));
    return router;
  }
  // `dev` looks for the file at each request: a list made at the start would name what an upgrade has taken away, and the
  // stream of a file that is gone ends the process.
  const files = sirv(folder, { dev: true, brotli: true, gzip: true, etag: true, setHeaders: (res, path) => keep(res, path) });
  router.get(['/', '/index.html', '/icon.svg', '/console/{*file}'], (req, res, next) => {
    res.setHeader('Content-Security-Policy', POLICY);
    files(req, res, next);
  });
  return router;
}

function keep(res: { setHeader(name: string, value: string): unknown }, path: string): void {
  const named = path.startsWith('/console/');
  res.setHeader('Cache-Control', named ? 'public, max-age=31536000, immutable' : 'no-cache');
}
