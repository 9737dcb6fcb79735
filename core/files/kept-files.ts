import type { Transactions } from '../kernel/ports.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import type { StoredFile } from './file.ts';
import type { FileContents, FileStore } from './file-store.ts';

export interface KeepDeps {
  readonly fileStore: FileStore;
  readonly fileContents: FileContents;
  readonly projectStore: Pick<ProjectStore, 'holdProject'>;
  readonly transactions: Transactions;
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

/**
 * Keeps files with their content. What others keep at the same time is not counted yet, so the bound may be passed by it. Returns
 * false when there is no such project.
 */
export function keepFiles(deps: KeepDeps, { project_id, files, refuse, together }: FilesToKeep): Promise<boolean> {
  const { fileStore, fileContents, projectStore, transactions } = deps;
  return transactions.run(async () => {
    if (!(await projectStore.holdProject(project_id))) return false;
    const wanted = await withinBound(deps, project_id, files, refuse);
    const missing = await fileStore.insertOrHold(wanted.map(({ file }) => file));
    const put = wanted.filter(({ file }) => missing.has(file.id));
    for (const { file, bytes } of put) await fileContents.put(file, bytes);
    await together?.();
    // Last, since those who keep other files wait for it.
    if (put.length > 0) await fileStore.addBytes(project_id, sumOf(put));
    return true;
  });
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
  const ids = files.map(({ file }) => file.id);
  const known = new Set(
    (await fileStore.list(project_id, ids)).filter(({ status }) => status === 'complete').map(({ id }) => id),
  );
  return files.map(({ file, bytes }) => {
    if (known.has(file.id)) return { file, bytes };
    room -= file.size_bytes;
    if (room >= 0) return { file, bytes };
    room += file.size_bytes;
    refuse?.(file);
    return { file: { ...file, status: 'failed' as const }, bytes };
  });
}
