import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compile, packFolder } from '../../plugin-kit/sdk-package.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENT = 'clients/typescript';
/** Of the package, and what is imported by conditions: the compiler follows the one of Node alone. */
const ENTRIES = ['index', 'vitest', 'node-context', 'web-context'];

/** Packs the client for TypeScript, numbered like the release it belongs to. Returns the path of the tarball in `out`. */
export async function packClient(out: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-client-'));
  try {
    await compile(
      folder,
      ENTRIES.map((name) => `${CLIENT}/src/${name}.ts`),
    );
    renameSync(join(folder, CLIENT, 'src'), join(folder, 'dist'));
    rmSync(join(folder, 'clients'), { recursive: true });
    // Types that were generated are declarations already; the compiler leaves them where they are.
    copyFileSync(join(ROOT, CLIENT, 'src/api.d.ts'), join(folder, 'dist/api.d.ts'));
    for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(ROOT, name), join(folder, name));
    copyFileSync(join(ROOT, CLIENT, 'README.md'), join(folder, 'README.md'));
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const source = readFileSync(join(ROOT, CLIENT, 'package.json'), 'utf8');
    const manifest = JSON.parse(source.replaceAll(/\.\/src\/([\w-]+)\.ts/g, './dist/$1.js'));
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`);
    return await packFolder(folder, out);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
