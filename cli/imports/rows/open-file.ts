import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type FileSource, toChunks } from '../../../core/datasets/files/file-source.ts';
import { CommandError } from '../../commands/command-error.ts';

/** A file of an export as it lies on the disk. */
export interface ExportFile {
  /** As the user named it. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

/** Files that lie in folders beside exports. */
const IGNORED = /^\.|^(_SUCCESS|_committed_.*|_started_.*)$|\.(md|txt|crc)$/i;

/** The files that are named, and those in the folders that are named, in the order of their names. */
export async function listFiles(paths: readonly string[]): Promise<ExportFile[]> {
  const files: ExportFile[] = [];
  for (const path of paths) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(`${path} cannot be read: ${error.message}`);
    });
    if (!found.isDirectory()) files.push({ name: path, path, bytes: found.size });
    else {
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      const inside = entries.filter((entry) => entry.isFile() && !IGNORED.test(entry.name));
      const names = inside.map((entry) => join(entry.parentPath, entry.name)).sort();
      for (const name of names) files.push({ name, path: name, bytes: (await stat(name)).size });
    }
  }
  return files;
}

const GZIP = [0x1f, 0x8b];

/** The file itself, or, of one that is gzipped, what is in it: written to the folder, since some formats are read from their end. */
export async function inflated(file: ExportFile, folder: string): Promise<ExportFile> {
  const handle = await open(file.path);
  const head = new Uint8Array(2);
  await handle.read(head, 0, 2, 0);
  await handle.close();
  if (!GZIP.every((byte, at) => head[at] === byte)) return file;
  const path = join(folder, `inflated-${basename(file.name).replace(/\.gz$/i, '')}`);
  await pipeline(createReadStream(file.path), createGunzip(), createWriteStream(path, { mode: 0o600 })).catch((error: Error) => {
    throw new CommandError(`${file.name} is not a whole gzip file: ${error.message}`);
  });
  return { name: file.name, path, bytes: (await stat(path)).size };
}

/** Runs `work` on the bytes of a file, which is open as long as that takes. */
export async function* withSource<T>(
  { path, bytes: size }: ExportFile,
  work: (source: FileSource) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const handle = await open(path);
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const buffer = new Uint8Array(Math.max(0, Math.min(end, size) - start));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    return buffer.subarray(0, bytesRead);
  };
  const source = { size, read };
  try {
    yield* work({ ...source, chunks: (start) => toChunks(source, start) });
  } finally {
    await handle.close();
  }
}
