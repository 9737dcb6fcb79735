// Plain JavaScript that any Node can read: it runs as part of every `npm ci`, also of one without development dependencies.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const COMPRESSED = new Set(['.html', '.js', '.css', '.svg']);
const config = join(import.meta.dirname, 'vite.config.ts');

const vite = await import('vite').catch(() => undefined);
if (vite) {
  await vite.build({ configFile: config, logLevel: 'warn' });
  compress(join(import.meta.dirname, 'dist'));
} else {
  console.log('The console is not built: Vite, a development dependency, is not installed. The API works without it.');
}

/** Compressed once here instead of for every visitor. */
function compress(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSED.has(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(content));
    writeFileSync(`${path}.gz`, gzipSync(content));
  }
}
