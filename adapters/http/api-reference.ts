import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { Router } from 'express';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Touchstone API</title>
    <link rel="stylesheet" href="assets/swagger-ui.css">
    <link rel="icon" href="assets/favicon-32x32.png">
  </head>
  <body>
    <div id="reference"></div>
    <script src="assets/swagger-ui-bundle.js"></script>
    <script src="reference.js"></script>
  </body>
</html>
`;

/** A browsable reference of the API. Everything comes from this server: the page works without a network. */
export function apiReference(documentPath: string): Router {
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const script = `SwaggerUIBundle({ url: ${JSON.stringify(documentPath)}, dom_id: '#reference', deepLinking: true, docExpansion: 'none', filter: true, persistAuthorization: true });\n`;
  const router = Router();
  router.use((_req, res, next) => {
    res.setHeader('Content-Security-Policy', POLICY);
    next();
  });
  // The page's addresses are relative, so that it works under any path that a proxy serves it under.
  router.get('/', (req, res) => {
    if (req.originalUrl.split('?')[0]!.endsWith('/')) res.type('html').send(page);
    else res.redirect('docs/');
  });
  router.get('/reference.js', (_req, res) => void res.type('js').send(script));
  router.use('/assets', express.static(assets, { index: false, maxAge: '1h' }));
  return router;
}
