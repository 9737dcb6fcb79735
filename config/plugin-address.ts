import { readFileSync, statSync } from 'node:fs';
import { findPackageJSON, registerHooks } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sdkFlaw } from '../core/kernel/plugin-shape.ts';

const ENTRIES = ['index.js', 'index.mjs', 'index.ts'];
/** The sources here, JavaScript in the package that authors of plugins install. */
const OWN = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const toOwn = (path: string) => new URL(`../${path}.${OWN}`, import.meta.url).href;
const PROVIDED = new Map([
  ['touchstone/plugin-sdk', toOwn('core/plugin-sdk/index')],
  ['touchstone/plugin-kit', toOwn('plugin-kit/index')],
]);

let isProvided = false;
/** The package that is being resolved by its own name. */
let itself: string | undefined;
/** The modules that were asked for as plugins. */
const entries = new Set<string>();

/** The file URL of a plugin module. Throws when there is none, or its package is for another version of the SDK. */
export function locate(specifier: string): string {
  provideSdk();
  const url = import.meta.resolve(toAddress(specifier));
  const manifest = url.startsWith('file:') ? readManifest(findPackageJSON(url)) : undefined;
  const { sdk } = Object(manifest?.touchstone);
  const flaw = sdk === undefined ? undefined : sdkFlaw(sdk);
  if (flaw !== undefined) throw new Error(`its package.json says that it was ${flaw}`);
  entries.add(url);
  return url;
}

/** Turns a module's name into a specifier for `import`: paths are relative to the folder the process was started in. */
function toAddress(specifier: string): string {
  if (!/^(\.{1,2}(\/|$)|\/|file:)/.test(specifier)) return specifier;
  const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(specifier);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? entryOf(path) : pathToFileURL(path).href;
}

/** Returns the entry that a folder's `package.json` names, else the first file called index. */
function entryOf(folder: string): string {
  const manifest = readManifest(join(folder, 'package.json'));
  if (typeof manifest?.name === 'string' && manifest.exports !== undefined) return resolveItself(manifest.name, folder);
  if (typeof manifest?.main === 'string') return pathToFileURL(join(folder, manifest.main)).href;
  const isFile = (entry: string) => statSync(join(folder, entry), { throwIfNoEntry: false })?.isFile();
  return pathToFileURL(join(folder, ENTRIES.find(isFile) ?? 'index.js')).href;
}

/** A package may import itself by its name: Node reads what it exports. */
function resolveItself(name: string, folder: string): string {
  itself = pathToFileURL(join(folder, 'package.json')).href;
  try {
    return import.meta.resolve(name);
  } finally {
    itself = undefined;
  }
}

interface Manifest {
  readonly name?: unknown;
  readonly main?: unknown;
  readonly exports?: unknown;
  readonly touchstone?: { readonly sdk?: unknown };
}

function readManifest(path: string | undefined): Manifest | undefined {
  // Where no folder above a file has one, Node names the file itself.
  if (path === undefined || basename(path) !== 'package.json' || !statSync(path, { throwIfNoEntry: false })?.isFile())
    return undefined;
  const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return typeof read === 'object' && read !== null ? read : undefined;
}

/**
 * Modules from anywhere import the SDK by its name and get the one the service runs on, whatever is installed beside them, so that
 * plugins are as new as the service. CommonJS is refused by its name, as half of it would work.
 */
function provideSdk(): void {
  if (isProvided) return;
  isProvided = true;
  const started = pathToFileURL(join(process.cwd(), '/')).href;
  registerHooks({
    resolve(specifier, context, next) {
      const provided = PROVIDED.get(specifier);
      if (provided !== undefined) return next(provided, context);
      if (context.parentURL !== import.meta.url || specifier.startsWith('file:')) return next(specifier, context);
      if (itself !== undefined) return next(specifier, { ...context, parentURL: itself });
      try {
        return next(specifier, { ...context, parentURL: started });
      } catch {
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
    load(url, context, next) {
      const loaded = next(url, context);
      if (entries.has(url) && loaded.format?.startsWith('commonjs'))
        throw new Error(
          `it is a CommonJS module, and plugins are ES modules: write "type": "module" into ${join(dirname(fileURLToPath(url)), 'package.json')}, ` +
            'export by "export" and import by "import"',
        );
      return loaded;
    },
  });
}
