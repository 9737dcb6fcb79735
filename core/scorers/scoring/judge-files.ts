import { checkContentType } from '../../files/content-type.ts';
import type { StoredFile } from '../../files/file.ts';
import type { FileContents, FileStore } from '../../files/file-store.ts';
import { Id } from '../../kernel/text.ts';
import type { QuestionFile } from '../../models/model-call.ts';
import { type JudgeFile, PluginError } from '../../plugin-sdk/index.ts';

/** Of one call, whatever a scorer asks for: what vendors take at most. */
const MAX_FILES = 100;
const MAX_BYTES = 25_000_000;

export interface JudgeFilesDeps {
  readonly fileStore: Pick<FileStore, 'list'>;
  readonly fileContents: Pick<FileContents, 'find'>;
}

/** Files of records as judges are told of them, and sent them. Each project has its own. */
export class JudgeFiles {
  readonly #deps: JudgeFilesDeps;

  constructor(deps: JudgeFilesDeps) {
    this.#deps = deps;
  }

  /** Those of the ids that have content in the project, in no order. */
  async describe(project_id: string, ids: readonly string[]): Promise<JudgeFile[]> {
    return (await this.#list(project_id, ids)).map(({ id, modality, content_type, size_bytes, sha256 }) => ({
      ...{ id, modality, media_type: content_type, size_bytes, sha256 },
    }));
  }

  /**
   * In the order of the ids. Rejects with a PluginError when one has no content in the project, or none any more, and when they are too
   * many or too large for one call.
   */
  async open(project_id: string, ids: readonly string[]): Promise<QuestionFile[]> {
    const files = new Map((await this.#list(project_id, ids)).map((file) => [file.id, file]));
    const bytes = ids.reduce((sum, id) => sum + (files.get(id)?.size_bytes ?? 0), 0);
    if (ids.length > MAX_FILES || bytes > MAX_BYTES)
      throw new PluginError('unsupported', `a call takes at most ${MAX_FILES} files of ${MAX_BYTES} bytes together`);
    return ids.map((id) => {
      const file = files.get(id);
      if (!file) throw gone(id);
      // Where no hash is known, the id stands for the content: nothing changes it within a project.
      return { media_type: file.content_type, digest: file.sha256 ?? id, read: () => this.#read(file) };
    });
  }

  async #list(project_id: string, ids: readonly string[]): Promise<StoredFile[]> {
    const own = [...new Set(ids)].filter((id) => Id.safeParse(id).success);
    if (own.length === 0) return [];
    return (await this.#deps.fileStore.list(project_id, own)).filter(({ status }) => status === 'complete');
  }

  async #read(file: StoredFile): Promise<Uint8Array> {
    const bytes = await this.#deps.fileContents.find(file);
    if (!bytes) throw gone(file.id);
    // Files that were uploaded before this was looked at say what their senders claimed.
    if (checkContentType(bytes, file.content_type) === file.content_type) return bytes;
    throw new PluginError('unsupported', `file ${file.id} of the record is not of the type that its sender named`);
  }
}

const gone = (id: string): PluginError => new PluginError('unsupported', `file ${id} of the record is not there any more`);
