import type { StoredFile } from '../../files/file.ts';
import { toFileId } from '../../files/file-id.ts';
import type { FileReference, FileStore } from '../../files/file-store.ts';
import type { DecodeBase64, InlineContent } from '../../files/inline-content.ts';
import { type FileWithContent, type KeepDeps, keepFiles } from '../../files/kept-files.ts';
import type { Sha256 } from '../../kernel/digest.ts';
import type { Clock, Log } from '../../kernel/ports.ts';
import type { Pause } from '../../kernel/slices.ts';
import { Id } from '../../kernel/text.ts';
import type { Modality } from '../../plugin-sdk/modality.ts';
import type { LogRecord } from '../record.ts';
import { mayHaveFiles, type NamedFiles, namingFiles, withFiles } from './record-files.ts';

export interface FileIntakeDeps extends KeepDeps {
  readonly fileStore: FileStore;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly decodeBase64: DecodeBase64;
  readonly pause: Pause;
  readonly log: Log;
}

/** Files of one request; content beyond stays in its record. */
const MAX_FILES = 500;

/** Takes what stands in records out of them, and keeps it as files of their project. */
export class FileIntake {
  readonly #deps: FileIntakeDeps;

  constructor(deps: FileIntakeDeps) {
    this.#deps = deps;
  }

  /** The records as they are to be stored; their files are kept, and noted as named by them. */
  async keep(project_id: string, run_id: string, records: readonly LogRecord[]): Promise<LogRecord[]> {
    const found = new FoundFiles(this.#deps, project_id);
    const named = new Map<string, NamedFiles>();
    const made: LogRecord[] = [];
    for (const record of records) {
      if (!mayHaveFiles(record)) {
        made.push(record);
        continue;
      }
      const own = withFiles(record, this.#deps.decodeBase64, found.take);
      named.set(record.id, own.named);
      made.push(own.record);
      // Each may be of megabytes.
      if (found.hasWorked()) await this.#deps.pause();
    }
    await this.#store(project_id, run_id, found.files, toReferences(named));
    return this.#describe(project_id, made, named);
  }

  /**
   * A record after a change, with what stands in it replaced by its file. What is not among the files that `kept` tells of is left where
   * it is, and given to `found`.
   */
  change(record: LogRecord, kept: ReadonlyMap<string, string | undefined>, found: () => void): LogRecord {
    const take = ({ bytes }: InlineContent): string | undefined => {
      const id = toFileId(this.#deps.sha256(bytes));
      if (!kept.has(id)) found();
      return kept.get(id);
    };
    return withFiles(record, this.#deps.decodeBase64, take).record;
  }

  /** Keeps what stands in a record; returns the ids under which it is kept. */
  async keepContent(project_id: string, run_id: string, record: LogRecord): Promise<Map<string, string>> {
    const found = new FoundFiles(this.#deps, project_id);
    const { named } = withFiles(record, this.#deps.decodeBase64, found.take);
    await this.#store(project_id, run_id, found.files, toReferences(new Map([[record.id, named]])));
    return new Map(found.files.map(({ file: { id } }) => [id, id]));
  }

  /** Notes which files stored records name. */
  async refer(project_id: string, run_id: string, records: readonly LogRecord[]): Promise<void> {
    const references = records.flatMap(({ id, attributes }) =>
      ((attributes.file_ids ?? []) as readonly string[]).filter(isId).map((file_id) => ({ record_id: id, file_id })),
    );
    if (references.length > 0) await this.#deps.fileStore.refer(project_id, run_id, references);
  }

  /** Takes back what was noted of records that were refused. A failure is logged: the refusal is what the caller has to know. */
  async forget(project_id: string, run_id: string, records: readonly LogRecord[]): Promise<void> {
    try {
      const ids = records.filter(mayHaveFiles).map(({ id }) => id);
      await this.#deps.fileStore.forget(project_id, run_id, ids);
    } catch (error) {
      this.#deps.log.warn('files of refused records stay', { project_id, error: String(error) });
    }
  }

  async #store(
    project_id: string,
    run_id: string,
    files: readonly FileWithContent[],
    references: readonly FileReference[],
  ): Promise<void> {
    const { fileStore, log } = this.#deps;
    if (references.length === 0) return;
    let refused = 0;
    await keepFiles(this.#deps, {
      project_id,
      files,
      refuse: () => {
        refused += 1;
      },
      together: () => fileStore.refer(project_id, run_id, references),
    });
    if (refused > 0) log.warn('the files of a project have no room for more', { project_id, refused });
  }

  /** With what the files hold that records name by their ids alone. */
  async #describe(
    project_id: string,
    records: readonly LogRecord[],
    named: ReadonlyMap<string, NamedFiles>,
  ): Promise<LogRecord[]> {
    const unknown = [...named.values()].flatMap((own) => [...own].filter(([id, modality]) => !modality && isId(id)));
    if (unknown.length === 0) return [...records];
    const ids = [...new Set(unknown.map(([id]) => id))];
    const known = new Map((await this.#deps.fileStore.list(project_id, ids)).map(({ id, modality }) => [id, modality]));
    const describe = ([id, modality]: [string, Modality | undefined]) => [id, modality ?? known.get(id)] as const;
    return records.map((record) => {
      const own = named.get(record.id);
      return own ? namingFiles(record, new Map([...own].map(describe))) : record;
    });
  }
}

/** The files of one request, each once, with the content that was decoded for them. */
class FoundFiles {
  readonly #files = new Map<string, FileWithContent>();
  readonly #deps: FileIntakeDeps;
  readonly #project_id: string;
  #decoded = 0;

  constructor(deps: FileIntakeDeps, project_id: string) {
    this.#deps = deps;
    this.#project_id = project_id;
  }

  /** In the order in which all who keep files of the project take them. */
  get files(): FileWithContent[] {
    return [...this.#files.values()].sort((a, b) => (a.file.id < b.file.id ? -1 : 1));
  }

  readonly take = ({ bytes, content_type, modality, filename }: InlineContent): string | undefined => {
    const { sha256, clock } = this.#deps;
    const digest = sha256(bytes);
    const id = toFileId(digest);
    this.#decoded += bytes.byteLength;
    if (this.#files.has(id)) return id;
    if (this.#files.size >= MAX_FILES) return undefined;
    const facts = {
      filename,
      content_type,
      modality,
      size_bytes: bytes.byteLength,
      sha256: digest,
      status: 'complete',
      upload_metadata: null,
    } as const;
    const file: StoredFile = {
      ...{ project_id: this.#project_id, id, ...facts },
      ...{ created_by: null, created_at: clock().toISOString() },
    };
    this.#files.set(id, { file, bytes });
    return id;
  };

  /** Whether anything was decoded since it was last asked. */
  hasWorked(): boolean {
    const has = this.#decoded > 0;
    this.#decoded = 0;
    return has;
  }
}

const isId = (id: string): boolean => Id.safeParse(id).success;

const toReferences = (named: ReadonlyMap<string, NamedFiles>): FileReference[] =>
  [...named].flatMap(([record_id, files]) => [...files.keys()].filter(isId).map((file_id) => ({ record_id, file_id })));
