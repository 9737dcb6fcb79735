import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { FileSource } from '../../core/datasets/files/file-source.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { SpooledFile } from './spooled-file.ts';

const MEBIBYTE = 1024 * 1024;
const MAX_FIELDS = 20;
/** A sender from whom nothing comes for so long is gone. */
const SILENT_MS = 60_000;
const MAX_NAME_CHARS = 100;
const MAX_FILENAME_CHARS = 200;
/** Text parts and what separates the parts. */
const MAX_BYTES_BESIDE_FILE = (MAX_FIELDS + 1) * MEBIBYTE;

/** A file of a multipart body, held on disk. `filename` is what the sender called it: for display only. */
export interface StreamedUpload {
  readonly filename: string;
  readonly content_type: string;
  readonly file: FileSource;
  /** The file outlives the request from here on: whoever keeps it has to close it. */
  keep(): { close(): Promise<void> };
}

export interface StreamedBody {
  readonly fields: Readonly<Record<string, string | string[]>>;
  readonly upload: StreamedUpload | undefined;
  /** Closes the file, unless somebody keeps it. */
  release(): Promise<void>;
}

export interface UploadSettings {
  readonly folder: string;
  /** Uploads that may be under way at once; more are refused with 503. */
  readonly maxAtOnce: number;
}

/** Takes in multipart bodies with a large file, which goes to disk no faster than the disk takes it. */
export class StreamedUploads {
  readonly #settings: UploadSettings;
  #underWay = 0;

  constructor(settings: UploadSettings) {
    this.#settings = settings;
  }

  /** Text parts and at most one part `file`, in any order. Whatever is wrong with the body is refused as 4xx. */
  async read(req: IncomingMessage, maxFileBytes: number): Promise<StreamedBody> {
    if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw new AppError('unsupported_media', 'content_encoding_unknown', 'a multipart body comes without Content-Encoding');
    }
    if (Number(req.headers['content-length'] ?? 0) > maxFileBytes + MAX_BYTES_BESIDE_FILE) throw tooLarge(maxFileBytes);
    if (this.#underWay >= this.#settings.maxAtOnce) {
      throw new AppError('unavailable', 'overloaded', 'too many files are being uploaded', { retryAfterSeconds: 5 });
    }
    this.#underWay += 1;
    try {
      return await new Reception(req, maxFileBytes, this.#settings.folder).run();
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** One body on its way in. */
class Reception {
  readonly #req: IncomingMessage;
  readonly #maxFileBytes: number;
  readonly #folder: string;
  readonly #fields = Object.create(null) as Record<string, string | string[]>;
  readonly #end = Promise.withResolvers<void>();
  #spool: SpooledFile | undefined;
  #head: Pick<StreamedUpload, 'filename' | 'content_type'> | undefined;
  #spooling: Promise<void> = Promise.resolve();

  constructor(req: IncomingMessage, maxFileBytes: number, folder: string) {
    this.#req = req;
    this.#maxFileBytes = maxFileBytes;
    this.#folder = folder;
  }

  async run(): Promise<StreamedBody> {
    const parser = this.#parser();
    const fail = (): void => this.#end.reject(incomplete());
    const closed = (): void => {
      if (!this.#req.complete) fail();
    };
    this.#req.once('error', fail).once('close', closed);
    this.#req.setTimeout(SILENT_MS, fail);
    try {
      this.#req.pipe(parser);
      await this.#end.promise;
      await this.#spooling;
    } catch (error) {
      this.#req.unpipe(parser);
      parser.destroy();
      // Most clients read the answer once they have sent all of their body; how long that may take is limited elsewhere.
      this.#req.resume();
      await this.#spooling.catch(() => {});
      await this.#spool?.close();
      throw error;
    } finally {
      this.#req.off('close', closed);
      this.#req.setTimeout(0);
    }
    return this.#body();
  }

  #parser(): busboy.Busboy {
    const parser = openParser(this.#req, this.#maxFileBytes);
    parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
      if (nameTruncated || valueTruncated) this.#end.reject(malformed('a field is too long'));
      else this.#addField(name, value);
    });
    parser.on('file', (name, stream, info) => this.#take(name, stream, info));
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.once(limit, () => this.#end.reject(malformed('there are too many parts')));
    }
    // Not once: what breaks off in a file is told twice, and an error that nobody hears ends the process.
    parser.on('error', (error: unknown) => this.#end.reject(malformed(messageOf(error), 'multipart_invalid', error)));
    parser.once('close', () => this.#end.resolve());
    return parser;
  }

  /** Named fields only: a bracketed name asks for a structure, and there is none. */
  #addField(name: string | undefined, value: string): void {
    if (!name || name.length > MAX_NAME_CHARS || name.includes('[') || name === '__proto__') {
      this.#end.reject(malformed('field names are short and flat', 'part_unexpected'));
      return;
    }
    const before = this.#fields[name];
    this.#fields[name] = before === undefined ? value : [...(typeof before === 'string' ? [before] : before), value];
  }

  #take(name: string | undefined, stream: Readable, info: busboy.FileInfo): void {
    stream.on('error', () => {});
    if (name !== 'file' || this.#head) {
      stream.resume();
      this.#end.reject(malformed('one part called file is expected', 'part_unexpected'));
      return;
    }
    this.#head = {
      filename: (info.filename ?? '').slice(0, MAX_FILENAME_CHARS),
      content_type: info.mimeType.slice(0, MAX_FILENAME_CHARS),
    };
    stream.once('limit', () => this.#end.reject(tooLarge(this.#maxFileBytes)));
    this.#spooling = this.#keepOnDisk(stream);
    this.#spooling.catch((error) => this.#end.reject(error));
  }

  async #keepOnDisk(stream: Readable): Promise<void> {
    try {
      this.#spool = await SpooledFile.create(this.#folder);
      for await (const chunk of stream as AsyncIterable<Uint8Array>) await this.#spool.append(chunk);
    } catch (cause) {
      throw isOfTheSystem(cause) ? notKept(cause) : malformed(messageOf(cause), 'multipart_invalid', cause);
    }
  }

  #body(): StreamedBody {
    const spool = this.#spool;
    let kept = false;
    const keep = () => {
      kept = true;
      return spool!;
    };
    const upload = spool && this.#head ? { ...this.#head, file: spool, keep } : undefined;
    return { fields: this.#fields, upload, release: async () => void (kept || (await spool?.close())) };
  }
}

function openParser(req: IncomingMessage, maxFileBytes: number): busboy.Busboy {
  try {
    return busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      limits: {
        // A file that reaches its limit counts as too large.
        fileSize: maxFileBytes + 1,
        files: 1,
        fields: MAX_FIELDS,
        parts: MAX_FIELDS + 2,
        fieldSize: MEBIBYTE,
        fieldNameSize: MAX_NAME_CHARS,
        headerPairs: 50,
      },
    });
  } catch (cause) {
    throw malformed(messageOf(cause), 'multipart_invalid', cause);
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, 200) : 'the multipart body is malformed';

/** A full disk, a folder that is gone: errors with a number are the operating system's. */
const isOfTheSystem = (error: unknown): boolean => typeof (error as NodeJS.ErrnoException).errno === 'number';

const notKept = (cause: unknown): AppError =>
  new AppError('unavailable', 'upload_not_kept', 'the file cannot be kept now', { cause, retryAfterSeconds: 30 });

const incomplete = (): AppError => new AppError('invalid', 'body_incomplete', 'the body ended early');

const tooLarge = (maxFileBytes: number): AppError =>
  new AppError('too_large', 'file_too_large', `the file is larger than ${maxFileBytes} bytes`);

const malformed = (msg: string, type = 'multipart_invalid', cause?: unknown): AppError =>
  new AppError('invalid', 'multipart_invalid', msg, { issues: [{ loc: ['body'], msg, type }], cause });
