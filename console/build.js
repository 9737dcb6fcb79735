// Plain JavaScript that any Node can read: it runs as part of every `npm ci`, also of one without development dependencies.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const COMPRESSED = new Set(['.html', '.js', '.css', '.svg']);
const config = join(import.meta.dirname, 'vite.config.ts');

const vite = await import('vite').catch(() => undefined);
if (vite) {
  const made = join(import.meta.dirname, `.dist-${process.pid}`);
  try {
    await vite.build({ configFile: config, logLevel: 'warn', build: { outDir: made } });
    compress(made);
    replace(join(import.meta.dirname, 'dist'), made);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
} else {
  console.log('The console is not built: Vite, a development dependency, is not installed. The API works without it.');
}

/** Compressed once here instead of for every visitor. */
function compress(folder) {
  for (const path of filesIn(folder)) {
    if (!COMPRESSED.has(extname(path))) continue;
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(content));
    writeFileSync(`${path}.gz`, gzipSync(content));
  }
}

/**
 * File by file, the page last and what is no longer needed after it: whoever serves the folder meanwhile, or builds the
 * same console beside us, never sees a half.
 */
function replace(folder, made) {
  const isPage = (path) => Number(path.startsWith('index.html'));
  const files = filesIn(made).map((path) => relative(made, path));
  for (const path of files.sort((a, b) => isPage(a) - isPage(b))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    renameSync(join(made, path), join(folder, path));
  }
  for (const path of filesIn(folder)) if (!files.includes(relative(folder, path))) rmSync(path, { force: true });
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
