import { z } from 'zod';
import type { Clock } from '../kernel/ports.ts';
import type { ReadSigner } from '../object-storage/read-signer.ts';
import { toDisposition } from './content-disposition.ts';
import { isShownInPlace, OCTETS, SERVED_TYPES } from './content-type.ts';
import type { FileKey, StoredFile } from './file.ts';
import { toFileName } from './file-name.ts';
import type { DatabaseFileContents } from './file-store.ts';
import { toObjectKey } from './object-file-contents.ts';

/** Where the content of a file is read: signed for a time, or from the service, by a key that may read the record. */
export const FileUrl = z.object({ file_id: z.string(), url: z.string(), url_expires_at: z.string().nullable() }).meta({
  id: 'FileUrl',
  description: 'Where the content of a file is read; without an expiry it is the service, which asks for a key.',
});
export type FileUrl = z.output<typeof FileUrl>;

/** Whether the files of a record that is read are to have addresses. */
export interface FileAddressing {
  readonly include_presigned_urls?: boolean | undefined;
}

/** Makes addresses of content for callers who may read it. */
export interface FileUrls {
  /** By the id of each file whose content is kept. */
  urlsOf(project_id: string, files: readonly StoredFile[]): Promise<ReadonlyMap<string, FileUrl>>;
}

export interface FileUrlDeps {
  readonly databaseFileContents: Pick<DatabaseFileContents, 'listHeld'>;
  /** How addresses of the bucket are made, and for how long they hold; undefined: content is read through the service alone. */
  readonly fileUrlSigning: { readonly signer: ReadSigner; readonly seconds: number } | undefined;
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
}

/** Addresses that are signed for one reply; the files beyond are read through the service. */
const MAX_SIGNED = 500;

/**
 * Content that is in the bucket has a signed address of there, which forces the type that was found when the content was kept. What the
 * database has, while it is moved too, has the path of the service.
 */
export class SignedFileUrls implements FileUrls {
  readonly #deps: FileUrlDeps;

  constructor(deps: FileUrlDeps) {
    this.#deps = deps;
  }

  async urlsOf(project_id: string, files: readonly StoredFile[]): Promise<ReadonlyMap<string, FileUrl>> {
    const kept = files.filter(({ status }) => status === 'complete');
    const urls = new Map(kept.map((file) => [file.id, this.#ownUrl(file)]));
    const { databaseFileContents, fileUrlSigning, clock } = this.#deps;
    if (!fileUrlSigning) return urls;
    const signed = kept.slice(0, MAX_SIGNED);
    const inDatabase = await databaseFileContents.listHeld(
      project_id,
      signed.map(({ id }) => id),
    );
    const { signer, seconds } = fileUrlSigning;
    const at = clock();
    const url_expires_at = new Date(at.getTime() + seconds * 1_000).toISOString();
    for (const file of signed) {
      if (inDatabase.has(file.id)) continue;
      const url = await signer.signRead(toObjectKey(file), { ...toReading(file), at, seconds });
      urls.set(file.id, { file_id: file.id, url, url_expires_at });
    }
    return urls;
  }

  #ownUrl({ project_id, id }: FileKey): FileUrl {
    const url = `${this.#deps.publicUrl ?? ''}/v2/projects/${project_id}/files/${id}`;
    return { file_id: id, url, url_expires_at: null };
  }
}

/** Files without a hash are from a time when senders said what type they are; nobody looks into them here, so they are saved as octets. */
function toReading(file: StoredFile): { readonly content_type: string; readonly disposition: string } {
  const isChecked = file.sha256 !== null && SERVED_TYPES.includes(file.content_type);
  const content_type = isChecked ? file.content_type : OCTETS;
  return { content_type, disposition: toDisposition(toFileName(file, content_type), isShownInPlace(content_type)) };
}
