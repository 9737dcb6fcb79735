import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import sirv from 'sirv';

/** Where `npm ci` puts the built documentation. */
const GUIDE_FOLDER = join(import.meta.dirname, '../../guide/dist');
export const GUIDE_PATH = '/docs/guide';

/** Everything comes from this server, and nothing but files of it is run or applied. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_BUILT =
  'The documentation is not built: run "npm run docs:build" where the development dependencies are installed. It is in the folder docs, too.\n';

/** The documentation at `/docs/guide/`, as it was built. All its addresses are relative, so a proxy may serve it under any path. */
export function guidePages(folder: string = GUIDE_FOLDER): RequestHandler {
  const router = Router();
  if (!existsSync(join(folder, 'index.html'))) {
    router.get(`${GUIDE_PATH}{/*page}`, (_req, res) => void res.status(404).type('text').send(NOT_BUILT));
    return router;
  }
  // Looked for at each request, as the files of the console are; see there.
  const files = sirv(folder, {
    dev: true,
    gzip: true,
    etag: true,
    setHeaders: (res) => res.setHeader('Cache-Control', 'no-cache'),
  });
  router.use(GUIDE_PATH, (req, res, next) => {
    if (req.originalUrl.split('?')[0]!.endsWith(GUIDE_PATH)) return void res.redirect('guide/');
    res.setHeader('Content-Security-Policy', POLICY);
    files(req, res, () => next());
  });
  return router;
}
