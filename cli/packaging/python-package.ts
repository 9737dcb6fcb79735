import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENT = 'clients/python';
/** Parts of the wheel; tests stay here. */
const SOURCES = ['pyproject.toml', 'README.md', 'touchstone_client'];

/**
 * Builds the wheel of the client for Python by pip, numbered like the release it belongs to. Needs Python 3.10 or newer with pip, and the build backend
 * that pyproject.toml names, which pip fetches. Returns the path of the wheel in `out`.
 */
export async function packPythonClient(out: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-python-'));
  try {
    const isSource = (path: string) => !path.includes('__pycache__');
    for (const name of SOURCES) cpSync(join(ROOT, CLIENT, name), join(folder, name), { recursive: true, filter: isSource });
    for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(ROOT, name), join(folder, name));
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const project = readFileSync(join(folder, 'pyproject.toml'), 'utf8');
    writeFileSync(join(folder, 'pyproject.toml'), project.replace(/^version = ".*"$/m, `version = "${version}"`));
    mkdirSync(out, { recursive: true });
    const args = [
      '-m',
      'pip',
      'wheel',
      '--quiet',
      '--disable-pip-version-check',
      '--no-deps',
      '--wheel-dir',
      resolve(out),
      folder,
    ];
    await promisify(execFile)('python3', args).catch((error: Error & { stderr?: string }) => {
      throw new Error(`the wheel of the Python client cannot be built:\n${error.stderr || error.message}`, { cause: error });
    });
    return join(resolve(out), `touchstone_client-${version}-py3-none-any.whl`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
