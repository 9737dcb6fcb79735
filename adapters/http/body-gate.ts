import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '../../core/kernel/errors.ts';
import { inTime } from './slow-body.ts';
import { Turns } from './turns.ts';

export interface BodyGateSettings {
  /** Bytes of request bodies, inflated, that may be in memory at once; more is refused with 503. */
  readonly maxBytesInFlight: number;
  /** Nesting of arrays and objects in a JSON body. */
  readonly maxDepth: number;
}

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Lets bodies in: bounded in bytes after inflating, bounded in sum, valid UTF-8, shallow enough to be walked.
 * JSON.parse alone would accept millions of nested arrays, and broken UTF-8 as replacement characters.
 */
export class BodyGate {
  readonly #settings: BodyGateSettings;
  readonly #turns = new Turns();
  #inFlight = 0;

  constructor(settings: BodyGateSettings) {
    this.#settings = settings;
  }

  get bytesInFlight(): number {
    return this.#inFlight;
  }

  /**
   * Throws when a body as long as this one says would be refused by `read`, whoever sent it and wherever it goes: a flood
   * is refused before anything is done for it. Not for forms with files: those may be meant for the disk.
   */
  admit(req: IncomingMessage): void {
    const announced = Number(req.headers['content-length'] ?? 0);
    if (this.#inFlight === 0 || this.#inFlight + announced <= this.#settings.maxBytesInFlight) return;
    if (!/^multipart\//i.test(req.headers['content-type'] ?? '')) throw overloaded();
  }

  /**
   * Reads a body whole and waits until it may be worked on. The bytes count as in flight until `release` is called.
   */
  async read(req: IncomingMessage, maxBytes: number): Promise<{ bytes: Buffer; release(): void }> {
    const announced = Number(req.headers['content-length'] ?? 0);
    if (announced > maxBytes) throw tooLarge(maxBytes);
    const { hold, release } = this.#account();
    try {
      hold(announced);
      const bytes = await inTime(req, () => collect(req, maxBytes, hold));
      await this.#turns.mine();
      return { bytes, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Counts a body that somebody else reads as in flight until the answer is called: as long as it says, or may be. */
  reserve(req: IncomingMessage, maxBytes: number): () => void {
    const announced = Number(req.headers['content-length'] ?? maxBytes);
    if (announced > maxBytes) throw tooLarge(maxBytes);
    const { hold, release } = this.#account();
    hold(announced);
    return release;
  }

  #account(): { hold(bytes: number): void; release(): void } {
    let held = 0;
    const hold = (bytes: number): void => {
      if (bytes <= held) return;
      if (this.#inFlight + bytes - held > this.#settings.maxBytesInFlight) throw overloaded();
      this.#inFlight += bytes - held;
      held = bytes;
    };
    const release = (): void => {
      this.#inFlight -= held;
      held = 0;
    };
    return { hold, release };
  }

  /** Parses JSON text, after the checks that JSON.parse does not make. */
  parseJson(bytes: Buffer): unknown {
    if (!isUtf8(bytes)) throw invalid('body_not_utf8', 'the body is not valid UTF-8');
    if (deeperThan(bytes, this.#settings.maxDepth)) {
      throw invalid('body_too_deep', `the body nests deeper than ${this.#settings.maxDepth} levels`);
    }
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch (error) {
      throw invalid('json_invalid', error instanceof Error ? error.message.slice(0, 200) : 'not JSON');
    }
  }
}

/**
 * Rejects with AppError when the body is larger than it may be, broken, or ends early. What is left of a body that is
 * refused is read and forgotten: a connection that closed on its sender would take the refusal away with it.
 */
async function collect(req: IncomingMessage, maxBytes: number, hold: (bytes: number) => void): Promise<Buffer> {
  const inflater = inflaterFor(req.headers['content-encoding']);
  const source = inflater ? req.pipe(inflater) : req;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    try {
      if (size > maxBytes) throw tooLarge(maxBytes);
      hold(size);
      chunks.push(chunk);
    } catch (error) {
      reject(error);
    }
  };
  const endEarly = (cause?: unknown): void =>
    reject(new AppError('invalid', 'body_incomplete', 'the body ended early', { cause }));
  req.on('error', endEarly).once('aborted', endEarly);
  inflater?.on('error', () => reject(invalid('body_encoding_broken', 'the body does not match its Content-Encoding')));
  source.on('data', take).once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
  try {
    return await promise;
  } finally {
    source.off('data', take);
    // The request goes on, with listeners that know of these; they are not accounted for any more.
    chunks.length = 0;
    if (inflater) req.unpipe(inflater);
    inflater?.destroy();
    req.resume();
  }
}

function inflaterFor(encoding: string | undefined): Transform | undefined {
  switch ((encoding ?? 'identity').trim().toLowerCase()) {
    case 'identity':
    case '':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new AppError('unsupported_media', 'content_encoding_unknown', 'Content-Encoding is none of gzip, deflate, br');
  }
}

/** Whether brackets outside strings nest deeper than `limit`. A byte scan: no allocation, stops at the first excess. */
export function deeperThan(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      if (depth > limit) return true;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
  }
  return false;
}

/** So far a string is read byte by byte; the rest of a long one is left to native search. */
const SHORT_STRING = 24;

/** Index of the quote that ends the string opened at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  const near = Math.min(start + SHORT_STRING, bytes.length);
  for (let at = start + 1; at < near; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at;
  }
  let at = Math.max(near - 1, start);
  for (;;) {
    at = bytes.indexOf(QUOTE, at + 1);
    if (at === -1) return bytes.length;
    let escapes = 0;
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}

const tooLarge = (maxBytes: number): AppError =>
  new AppError('too_large', 'body_too_large', `the body is larger than ${maxBytes} bytes`);

const overloaded = (): AppError =>
  new AppError('unavailable', 'overloaded', 'too many request bytes are in flight', { retryAfterSeconds: 1 });

const invalid = (code: string, msg: string): AppError =>
  new AppError('invalid', code, msg, { issues: [{ loc: ['body'], msg, type: code }] });
