// `node guide/build.js [--strict] [FOLDER]`: into guide/dist, or a folder for any static host. Plain JavaScript that any Node can read: it runs as part
// of every `npm ci`, also of one without development dependencies.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const OWN_FOLDER = join(import.meta.dirname, 'dist');
const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json']);

const { default: Eleventy } = await import('@11ty/eleventy').catch(() => ({ default: undefined }));
if (Eleventy) {
  const folder = resolve(process.argv.slice(2).find((word) => !word.startsWith('-')) ?? OWN_FOLDER);
  process.chdir(join(import.meta.dirname, '..'));
  const made = `guide/.dist-${process.pid}`;
  try {
    const eleventy = new Eleventy('guide', made, { configPath: 'guide/eleventy.config.js', source: 'script', quietMode: true });
    eleventy.disableLogger();
    await eleventy.write();
    compress(made);
    putInPlace(folder, made);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
} else {
  console.log(
    'The documentation is not built: Eleventy, a development dependency, is not installed. The service works without it.',
  );
}

/** Compressed once here instead of for every reader. */
function compress(folder) {
  for (const path of filesIn(folder)) {
    if (!COMPRESSED.has(extname(path))) continue;
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)));
  }
}

/** File by file: whoever reads meanwhile finds every page that stays. In a folder of somebody else nothing is taken away. */
function putInPlace(folder, made) {
  const files = filesIn(made).map((path) => relative(made, path));
  for (const path of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(made, path), join(folder, path));
  }
  if (folder === OWN_FOLDER)
    for (const path of filesIn(folder)) if (!files.includes(relative(folder, path))) rmSync(path, { force: true });
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
