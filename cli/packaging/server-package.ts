import { chmodSync, cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { compile, packFolder } from '../../plugin-kit/sdk-package.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Modules that nothing imports: programs, and what child processes run. The compiler follows the rest. */
const ENTRIES = [
  'cli/*.ts',
  'cli/commands/main.ts',
  'config/main.ts',
  'adapters/sandbox/child-main.ts',
  'adapters/sandbox/python/{python,image}-main.ts',
  'plugins/code-languages/*/prepare.ts',
];
/** With declarations, for authors of plugins. */
const TYPED = ['core/plugin-sdk/index.ts', 'plugin-kit/index.ts', 'plugin-kit/check-plugin.ts', 'plugin-kit/check-child.ts'];
/** Launchers that any Node can read. */
const LAUNCHERS = ['cli/touchstone.js', 'config/start.js'];
/** Files that are read, not imported. Programs of presets are what the sandbox is given, and stay as they are. */
const FILES = [
  'adapters/sandbox/python/*.py',
  'config/prices/*.json',
  'plugins/scorer-kinds/registered/presets/programs/*.ts',
  'plugins/scorer-kinds/registered/presets/python-programs/*.py',
  'console/dist/**/*',
  'guide/dist/**/*',
  'docs/cli.md',
  'LICENSE',
  'NOTICE',
  'README.md',
];

/** Files that have to be built before, by these commands. */
const BUILT = { 'console/dist/index.html': 'console:build', 'guide/dist/index.html': 'docs:build' };

/** Packs the service, the console as it was built, and the program `touchstone`, as JavaScript. Returns the path of the tarball in `out`. */
export async function packServer(out: string): Promise<string> {
  for (const [built, command] of Object.entries(BUILT))
    if (!existsSync(join(ROOT, built))) throw new Error(`${built} is not built: npm run ${command}`);
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-server-'));
  try {
    const isTest = (path: string) => path.endsWith('.test.ts');
    const entries = globSync(ENTRIES, { cwd: ROOT, exclude: isTest });
    // Types are checked by `npm run check`; here they would only be taken out more slowly.
    await compile(folder, entries, { declaration: false, removeComments: true, noCheck: true });
    await compile(folder, TYPED);
    for (const path of globSync(FILES, { cwd: ROOT, exclude: isTest })) copy(path, folder);
    for (const path of LAUNCHERS) writeLauncher(path, folder);
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
    return await packFolder(folder, out);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function copy(path: string, folder: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

function writeLauncher(path: string, folder: string): void {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const compiled = text.replace(/import\('(\.\/.+)\.ts'\)/, "import('$1.js')");
  if (compiled === text) throw new Error(`${path} starts no module`);
  writeFileSync(join(folder, path), compiled);
  chmodSync(join(folder, path), 0o755);
}

/** Of the package: all that the service needs, without what develops it. */
function manifest(): object {
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const entry = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });
  return {
    ...{ name: own.name, version: own.version, description: own.description, license: own.license, type: 'module' },
    engines: own.engines,
    bin: { touchstone: './cli/touchstone.js', 'touchstone-plugin-check': './plugin-kit/check-plugin.js' },
    exports: { './plugin-sdk': entry('core/plugin-sdk/index'), './plugin-kit': entry('plugin-kit/index') },
    dependencies: { ...own.dependencies, '@types/node': own.devDependencies['@types/node'] },
    optionalDependencies: own.optionalDependencies,
  };
}
