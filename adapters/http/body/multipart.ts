import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { AppError } from '../../../core/kernel/errors.ts';

const MEBIBYTE = 1024 * 1024;
const MAX_FIELDS = 20;
const MAX_NAME_CHARS = 100;
const MAX_FILENAME_CHARS = 200;
/** Text parts and what separates the parts. */
export const MAX_BYTES_BESIDE_FILE = (MAX_FIELDS + 1) * MEBIBYTE;

/** Where the file of a multipart body is put while it comes in. */
export interface FileSink {
  append(chunk: Uint8Array): Promise<void> | void;
  /** Forgets it. May be called again. */
  close(): Promise<void> | void;
}

/** Name and type of the file as the sender gives them: for display only. */
export interface FileHead {
  readonly filename: string;
  readonly content_type: string;
}

export interface MultipartBody<S extends FileSink> {
  readonly fields: Readonly<Record<string, string | string[]>>;
  readonly file: (FileHead & { readonly sink: S }) | undefined;
}

/**
 * Reads a multipart body: text parts and at most one part `file`, in any order, no faster than the sink takes it. Whatever is
 * wrong with the body is refused as 4xx. Rejects with the reason of `signal` when that is aborted.
 */
export function readMultipart<S extends FileSink>(
  req: IncomingMessage,
  maxFileBytes: number,
  openSink: () => Promise<S> | S,
  signal: AbortSignal,
): Promise<MultipartBody<S>> {
  return new Reception(req, maxFileBytes, openSink).run(signal);
}

/** Throws for a body that need not be read to be refused. */
export function checkMultipart({ headers }: IncomingMessage, maxFileBytes: number): void {
  if (!/^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw new AppError('unsupported_media', 'content_type_unsupported', 'the body has to be multipart/form-data');
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new AppError('unsupported_media', 'content_encoding_unknown', 'a multipart body comes without Content-Encoding');
  if (Number(headers['content-length'] ?? 0) > maxFileBytes + MAX_BYTES_BESIDE_FILE) throw tooLarge(maxFileBytes);
}

/** One body on its way in. */
class Reception<S extends FileSink> {
  readonly #req: IncomingMessage;
  readonly #maxFileBytes: number;
  readonly #openSink: () => Promise<S> | S;
  readonly #fields = Object.create(null) as Record<string, string | string[]>;
  readonly #end = Promise.withResolvers<void>();
  #sink: S | undefined;
  #head: FileHead | undefined;
  #filling: Promise<void> = Promise.resolve();

  constructor(req: IncomingMessage, maxFileBytes: number, openSink: () => Promise<S> | S) {
    this.#req = req;
    this.#maxFileBytes = maxFileBytes;
    this.#openSink = openSink;
  }

  async run(signal: AbortSignal): Promise<MultipartBody<S>> {
    const parser = this.#parser();
    const fail = (): void => this.#end.reject(incomplete());
    const closed = (): void => {
      if (!this.#req.complete) fail();
    };
    this.#req.once('error', fail).once('close', closed);
    signal.addEventListener('abort', () => this.#end.reject(signal.reason), { once: true });
    try {
      this.#req.pipe(parser);
      await this.#end.promise;
      await this.#filling;
    } catch (error) {
      this.#req.unpipe(parser);
      parser.destroy();
      // Most clients read the response once they have sent all of their body; how long that may take is limited elsewhere.
      this.#req.resume();
      await this.#filling.catch(() => {});
      await this.#sink?.close();
      throw error;
    } finally {
      this.#req.off('close', closed);
    }
    const file = this.#sink && this.#head ? { ...this.#head, sink: this.#sink } : undefined;
    return { fields: this.#fields, file };
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
    parser.on('error', (error: unknown) => this.#end.reject(malformed(toMessage(error), 'multipart_invalid', error)));
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
    this.#filling = this.#fill(stream);
    this.#filling.catch((error) => this.#end.reject(error));
  }

  async #fill(stream: Readable): Promise<void> {
    try {
      this.#sink = await this.#openSink();
      for await (const chunk of stream as AsyncIterable<Uint8Array>) await this.#sink.append(chunk);
    } catch (cause) {
      throw isOfTheSystem(cause) ? notKept(cause) : malformed(toMessage(cause), 'multipart_invalid', cause);
    }
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
    throw malformed(toMessage(cause), 'multipart_invalid', cause);
  }
}

const toMessage = (error: unknown): string =>
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
