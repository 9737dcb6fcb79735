import { fileURLToPath } from 'node:url';

// Plain JavaScript that any Node can read: it only says what is wrong when the Node at hand is too old for the rest.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 12)) {
  console.error(
    `touchstone cannot start: it needs Node 24.12 or newer, this is ${process.version}. "npm start" brings its own Node, after "npm ci" with the development dependencies.`,
  );
  process.exit(1);
}
// Node's compiled modules are kept beside the packages, where nobody writes but who may change the source as well: the next start is
// quicker by as much. A folder that cannot be written is no failure.
const { enableCompileCache, flushCompileCache } = await import('node:module');
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/touchstone', import.meta.url)));
await import('./main.ts');
flushCompileCache();
