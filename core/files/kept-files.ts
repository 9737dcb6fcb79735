import type { Clock, Transactions } from '../kernel/ports.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import type { StoredFile } from './file.ts';
import type { FileContents, FileStore } from './file-store.ts';

export interface KeepDeps {
  readonly fileStore: FileStore;
  readonly fileContents: FileContents;
  readonly projectStore: Pick<ProjectStore, 'holdProject'>;
  readonly transactions: Transactions;
  readonly clock: Clock;
  /** Bytes that the files of a project may hold together. */
  readonly maxProjectFileBytes: number;
}

export interface FileWithContent {
  readonly file: StoredFile;
  readonly bytes: Uint8Array;
}

/** Files of one project, each once, and what is done about them in the same transaction, in which nobody else removes them. */
export interface FilesToKeep {
  readonly project_id: string;
  readonly files: readonly FileWithContent[];
  /** Called for those for which the project has no room: it may throw, or they are kept without content. */
  refuse?(file: StoredFile): void;
  together?(): Promise<void>;
}

const PUTS_AT_ONCE = 8;

/**
 * Keeps files with their content. Content that no transaction takes back is noted first, then put, and the note goes with the
 * transaction that stores the facts: whatever happens in between leaves a note, by which it is removed. What others keep at the same time is not counted yet, so the bound may be passed by it. Returns
 * false when there is no such project.
 */
export async function keepFiles(deps: KeepDeps, { project_id, files, refuse, together }: FilesToKeep): Promise<boolean> {
  const { fileStore, fileContents, projectStore, transactions } = deps;
  const before = fileContents.isTransactional ? undefined : await putBefore(deps, project_id, files);
  return transactions.run(async () => {
    if (!(await projectStore.holdProject(project_id))) return false;
    const wanted = await withinBound(deps, project_id, files, refuse);
    const missing = await fileStore.insertOrHold(wanted.map(({ file }) => file));
    const put = wanted.filter(({ file }) => missing.has(file.id));
    for (const { file, bytes } of put) if (!before?.has(file.id)) await fileContents.put(file, bytes);
    await together?.();
    if (before) await fileStore.settlePuts(wanted.filter(({ file }) => file.status === 'complete').map(({ file }) => file));
    // Last, since those who keep other files wait for it.
    if (put.length > 0) await fileStore.addBytes(project_id, sumOf(put));
    return true;
  });
}

/** Puts the content that the project lacks and has room for. Returns the ids of those files. */
async function putBefore(deps: KeepDeps, project_id: string, files: readonly FileWithContent[]): Promise<ReadonlySet<string>> {
  const { fileStore, fileContents, clock } = deps;
  const wanted = (await withinBound(deps, project_id, files)).filter(({ file }) => file.status === 'complete');
  const known = await listComplete(fileStore, project_id, wanted);
  const put = wanted.filter(({ file }) => !known.has(file.id));
  if (put.length === 0) return new Set();
  await fileStore.notePuts(
    put.map(({ file }) => file),
    clock().toISOString(),
  );
  for (let at = 0; at < put.length; at += PUTS_AT_ONCE)
    await Promise.all(put.slice(at, at + PUTS_AT_ONCE).map(({ file, bytes }) => fileContents.put(file, bytes)));
  return new Set(put.map(({ file }) => file.id));
}

async function listComplete(
  fileStore: FileStore,
  project_id: string,
  files: readonly FileWithContent[],
): Promise<ReadonlySet<string>> {
  const ids = files.map(({ file }) => file.id);
  const stored = await fileStore.list(project_id, ids);
  return new Set(stored.filter(({ status }) => status === 'complete').map(({ id }) => id));
}

const sumOf = (files: readonly FileWithContent[]): number => files.reduce((sum, { file }) => sum + file.size_bytes, 0);

async function withinBound(
  { fileStore, maxProjectFileBytes }: KeepDeps,
  project_id: string,
  files: readonly FileWithContent[],
  refuse?: (file: StoredFile) => void,
): Promise<FileWithContent[]> {
  let room = maxProjectFileBytes - (await fileStore.bytesIn(project_id));
  if (sumOf(files) <= room) return [...files];
  const known = await listComplete(fileStore, project_id, files);
  return files.map(({ file, bytes }) => {
    if (known.has(file.id)) return { file, bytes };
    room -= file.size_bytes;
    if (room >= 0) return { file, bytes };
    room += file.size_bytes;
    refuse?.(file);
    return { file: { ...file, status: 'failed' as const }, bytes };
  });
}
