import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { Sha256 } from '../kernel/digest.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock } from '../kernel/ports.ts';
import { isCleanText } from '../kernel/text.ts';
import { toModality } from '../plugin-sdk/modality.ts';
import { projectNotFound } from '../projects/project.ts';
import { checkContentType } from './content-type.ts';
import { fileNotFound, type ProjectFile, type StoredFile } from './file.ts';
import { toFileId } from './file-id.ts';
import { toFileName } from './file-name.ts';
import type { FileUrl, FileUrls } from './file-urls.ts';
import { type KeepDeps, keepFiles } from './kept-files.ts';

export interface FileDeps extends KeepDeps {
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly fileUrls: FileUrls;
}

export interface FileToKeep {
  readonly filename: string;
  readonly content_type: string;
  readonly bytes: Uint8Array;
}

/** A file as it is sent: its type is the one that its bytes have. */
export interface FileToSend {
  readonly filename: string;
  readonly content_type: string;
  readonly bytes: Uint8Array;
}

/** Files of a project: uploaded, and read by whoever may read its records. */
export class FileService {
  readonly #deps: FileDeps;

  constructor(deps: FileDeps) {
    this.#deps = deps;
  }

  /** The same bytes are one file: uploaded again they keep the first name, and the reply says the one of now. */
  async uploadFile(caller: Caller, project_id: string, sent: FileToKeep, upload_metadata: string): Promise<ProjectFile> {
    const { authorizer, clock, sha256 } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'update');
    const filename = displayable(sent);
    const { bytes } = sent;
    const content_type = checkContentType(bytes, sent.content_type);
    const digest = sha256(bytes);
    const file: StoredFile = {
      ...{ project_id, id: toFileId(digest), filename, content_type, modality: toModality(content_type) },
      ...{ size_bytes: bytes.byteLength, sha256: digest, status: 'complete', upload_metadata },
      ...{ created_by: caller.user_id, created_at: clock().toISOString() },
    };
    const keeping = { project_id, files: [{ file, bytes }], refuse: () => this.#refuseFull() };
    if (!(await keepFiles(this.#deps, keeping))) throw projectNotFound(project_id);
    return { file_id: file.id, filename, content_type, size_bytes: file.size_bytes };
  }

  async readFile(caller: Caller, project_id: string, id: string): Promise<FileToSend> {
    const { authorizer, fileStore, fileContents } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const [file] = await fileStore.list(project_id, [id]);
    const bytes = file?.status === 'complete' ? await fileContents.find(file) : undefined;
    if (!file || !bytes) throw fileNotFound(id);
    // Looked at again: files that were uploaded before this was done say what their senders claimed.
    const content_type = checkContentType(bytes, file.content_type);
    return { filename: toFileName(file, content_type), content_type, bytes };
  }

  /** Where the content is read by whoever is given the address: from the bucket that it is in, for a short time, or through the service. */
  async getUrl(caller: Caller, project_id: string, id: string): Promise<FileUrl> {
    const { authorizer, fileStore, fileUrls } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const urls = await fileUrls.urlsOf(project_id, await fileStore.list(project_id, [id]));
    const url = urls.get(id.toLowerCase());
    if (!url) throw fileNotFound(id);
    return url;
  }

  #refuseFull(): never {
    const msg = `the files of a project hold at most ${this.#deps.maxProjectFileBytes} bytes together`;
    throw new AppError('too_large', 'project_files_full', msg);
  }
}

/** The sender's name of a file as text that a database keeps. */
function displayable({ filename, content_type }: FileToKeep): string {
  const names = { filename: filename.toWellFormed(), content_type: content_type.toWellFormed() };
  for (const [field, text] of Object.entries(names)) {
    if (isCleanText(text)) continue;
    const issue = { loc: ['body', 'file', field], msg: 'contains a NUL', type: 'file_name_invalid' };
    throw new AppError('invalid', 'file_name_invalid', 'the name of the file contains a NUL', { issues: [issue] });
  }
  return names.filename;
}
