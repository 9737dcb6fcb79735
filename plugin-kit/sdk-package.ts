import { execFile } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const BIN = 'plugin-kit/check-plugin.js';
const ENTRIES = ['core/plugin-sdk/index.ts', 'plugin-kit/index.ts', 'plugin-kit/check-plugin.ts', 'plugin-kit/check-child.ts'];
const run = promisify(execFile);

/** Packs the SDK and the kit as the package that authors of plugins compile against. Returns the path of the tarball in `out`. */
export async function packSdk(out: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-sdk-'));
  try {
    await compile(folder, ENTRIES);
    for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(ROOT, name), join(folder, name));
    copyFileSync(join(ROOT, 'docs/plugins.md'), join(folder, 'README.md'));
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(head(), undefined, 2)}\n`);
    const bin = join(folder, BIN);
    writeFileSync(bin, `#!/usr/bin/env node\n${readFileSync(bin, 'utf8')}`, { mode: 0o755 });
    return await packFolder(folder, out);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Packs a folder that has a package.json. Returns the path of the tarball in `out`. */
export async function packFolder(folder: string, out: string): Promise<string> {
  mkdirSync(out, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(out)], {
    cwd: folder,
  });
  return join(resolve(out), tarballIn(JSON.parse(stdout)));
}

/** npm 10 and 11 print a list, npm 12 an object by names of packages. */
function tarballIn(packed: unknown): string {
  const [{ filename = '' } = {}] = Object.values(Object(packed)) as { filename?: string }[];
  return filename.replace('@', '').replace('/', '-');
}

/** Declarations of all exports of the SDK, with all types and without comments: they must not change unnoticed. */
export async function readSdkSurface(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-sdk-'));
  try {
    await compile(folder, [ENTRIES[0] ?? ''], { removeComments: true, emitDeclarationOnly: true });
    const paths = globSync('**/*.d.ts', { cwd: join(folder, 'core/plugin-sdk') }).sort();
    return paths.map((path) => `// ${path}\n${readFileSync(join(folder, 'core/plugin-sdk', path), 'utf8')}`).join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Compiles sources and what they import to JavaScript with declarations. Rejects with what the compiler says. */
export async function compile(outDir: string, files: readonly string[], more: object = {}): Promise<void> {
  const config = join(outDir, 'tsconfig.json');
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, rewriteRelativeImportExtensions: true },
    ...{ rootDir: ROOT, outDir, typeRoots: [join(ROOT, 'node_modules/@types')] },
    ...more,
  };
  const paths = files.map((file) => join(ROOT, file));
  writeFileSync(config, JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: [], files: paths }));
  await run(process.execPath, [TSC, '-p', config]).catch((error: { stdout?: string }) => {
    throw new Error(`the package does not compile:\n${error.stdout}`, { cause: error });
  });
  rmSync(config);
  // The compiler leaves the extensions in declarations as they are.
  for (const path of globSync('**/*.d.ts', { cwd: outDir })) {
    const text = readFileSync(join(outDir, path), 'utf8');
    writeFileSync(join(outDir, path), text.replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'));
  }
}

/** Of the package: named and numbered like the release it belongs to. */
function head(): object {
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const entry = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });
  return {
    name: own.name,
    version: own.version,
    description: 'What plugins of Touchstone are written and tested with',
    license: own.license,
    type: 'module',
    engines: own.engines,
    exports: { './plugin-sdk': entry('core/plugin-sdk/index'), './plugin-kit': entry('plugin-kit/index') },
    bin: { 'touchstone-plugin-check': `./${BIN}` },
    dependencies: { '@types/node': own.devDependencies['@types/node'], zod: own.dependencies.zod },
  };
}
