import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { ProcessWall } from '../process-wall.ts';
import type { SandboxSettings } from '../sandbox-settings.ts';

const MAX_BYTES = 60 * 2 ** 20;
const MAKE_MS = 120_000;

let made: Promise<Buffer> | undefined;

/**
 * The memory of an interpreter before any program: what all others are started from, in a fraction of the time. Made in a process of its
 * own behind the same walls, only when it is needed, and kept beside the packages where that folder can be written. Rejects when the
 * process fails; the next call tries again.
 */
export function pythonImage(wall: ProcessWall, settings: SandboxSettings): Promise<Buffer> {
  if (!made) {
    const making = findOrMake(wall, settings);
    made = making;
    making.catch(() => {
      if (made === making) made = undefined;
    });
  }
  return made;
}

async function findOrMake(wall: ProcessWall, settings: SandboxSettings): Promise<Buffer> {
  const path = cachePath();
  const found = read(path);
  if (found) return found;
  const image = await make(wall, settings);
  keep(path, image);
  return image;
}

/** Of what the image depends on; whoever may write here may change the packages themselves. */
function cachePath(): string {
  const hash = createHash('sha256').update(process.version).update(process.arch);
  const pyodide = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
  const own = extname(import.meta.filename);
  const ours = ['preload.py', `interpreter${own}`, `isolate-environment${own}`].map((file) => join(import.meta.dirname, file));
  for (const file of [...ours, join(pyodide, 'package.json')]) hash.update(readFileSync(file));
  return join(pyodide, '../.cache/touchstone', `python-${hash.digest('hex').slice(0, 32)}.image`);
}

/** Its hash stands behind it: half a file is none. */
function read(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const image = bytes.subarray(0, -HASH_BYTES);
    return toHash(image).equals(bytes.subarray(-HASH_BYTES)) ? image : undefined;
  } catch {
    return undefined;
  }
}

function keep(path: string, image: Buffer): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, Buffer.concat([image, toHash(image)]), { mode: 0o600 });
    renameSync(unfinished, path);
  } catch {
    // The folder is not ours to write: the image stays in memory, and is made again after the next start.
  }
}

const HASH_BYTES = 32;
const toHash = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

function make(wall: ProcessWall, settings: SandboxSettings): Promise<Buffer> {
  const { file, args } = wall.command('image', settings, []);
  const child = spawn(file, args, {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: MAKE_MS,
    killSignal: 'SIGKILL',
  });
  const pieces: Buffer[] = [];
  let bytes = 0;
  let errors = '';
  child.stdout.on('data', (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_BYTES) child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(0, 2_000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0 && bytes <= MAX_BYTES) resolve(Buffer.concat(pieces));
      else reject(new Error(`the image of the interpreter was not made: ${errors || 'no reason given'}`));
    });
  });
}
