import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
const FILE = 'sbom.cdx.json';
const MAX_BYTES = 64 * 1024 * 1024;

interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}
interface Bill {
  readonly components: Component[];
}

/** Makes the list of all that the server is made of, as CycloneDX. */
export async function makeBillOfMaterials(): Promise<Bill> {
  // By the npm that runs this, where one does.
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const args = [...first, 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'];
  const { stdout } = await promisify(execFile)(command, args, { cwd: ROOT, maxBuffer: MAX_BYTES });
  const bill = JSON.parse(stdout) as Bill;
  const listed = new Set(bill.components.map(({ purl }) => purl));
  const left = (await listLocked()).filter(({ purl }) => !listed.has(purl));
  return { ...bill, components: [...bill.components, ...left] };
}

/** Writes it beside the packages, and returns the path. */
export async function writeBillOfMaterials(folder: string): Promise<string> {
  const path = join(folder, FILE);
  await mkdir(folder, { recursive: true });
  await writeFile(path, `${JSON.stringify(await makeBillOfMaterials(), null, 2)}\n`);
  return path;
}

/** Packages of the lock file that are needed at run time. npm lists one version of a name alone, so others would be missing. */
async function listLocked(): Promise<Component[]> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<
      string,
      { readonly name?: string; readonly version: string; readonly dev?: true; readonly devOptional?: true }
    >;
  };
  const byRef = new Map<string, Component>();
  for (const [path, { name = path.replace(/^.*node_modules\//, ''), version, dev, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev || devOptional) continue;
    const ref = `${name}@${version}`;
    byRef.set(ref, { 'bom-ref': ref, type: 'library', name, version, purl: `pkg:npm/${ref.replace(/^@/, '%40')}` });
  }
  return [...byRef.values()];
}
