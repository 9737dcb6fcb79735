import { Id } from '../kernel/text.ts';
import { type FileView, toFileView, unknownFileView } from './file.ts';
import type { FileStore } from './file-store.ts';
import type { FileUrls } from './file-urls.ts';

/**
 * Returns the files of the given ids as records show them: null for a record that names none. One look-up for all, or none. They have
 * addresses where `fileUrls` is given.
 */
export async function fileViews(
  fileStore: FileStore,
  project_id: string,
  ids: readonly string[],
  fileUrls?: FileUrls,
): Promise<(ids: readonly string[]) => Readonly<Record<string, FileView>> | null> {
  const wanted = [...new Set(ids)].filter((id) => Id.safeParse(id).success);
  const stored = wanted.length > 0 ? await fileStore.list(project_id, wanted) : [];
  const urls = await fileUrls?.urlsOf(project_id, stored);
  const views = new Map(stored.map((file) => [file.id, { ...toFileView(file), ...urls?.get(file.id) }]));
  const viewOf = (id: string): FileView => views.get(id.toLowerCase()) ?? unknownFileView(id);
  return (own) => (own.length > 0 ? Object.fromEntries(own.map((id) => [id, viewOf(id)])) : null);
}
