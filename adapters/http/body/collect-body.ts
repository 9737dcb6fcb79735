import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { AppError } from '../../../core/kernel/errors.ts';

/**
 * A body as a whole, inflated. `grow` is told how large it is so far, and may throw. Rejects with what it throws, with the
 * reason of `signal` when that is aborted, and with AppError when the body is broken or ends early. What is left of a body that
 * is refused is read and forgotten: a connection that closed on its sender would take the refusal away with it.
 */
export async function collectBody(req: IncomingMessage, grow: (size: number) => void, signal: AbortSignal): Promise<Buffer> {
  const inflater = inflaterFor(req.headers['content-encoding']);
  const source = inflater ? req.pipe(inflater) : req;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    try {
      grow(size);
      chunks.push(chunk);
    } catch (error) {
      reject(error);
    }
  };
  const endEarly = (cause?: unknown): void =>
    reject(new AppError('invalid', 'body_incomplete', 'the body ended early', { cause }));
  req.on('error', endEarly).once('aborted', endEarly);
  inflater?.on('error', () => reject(broken()));
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
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
    case 'zstd':
      return createZstdDecompress();
    default:
      throw new AppError('unsupported_media', 'content_encoding_unknown', 'Content-Encoding is none of gzip, deflate, br, zstd');
  }
}

function broken(): AppError {
  const msg = 'the body does not match its Content-Encoding';
  return new AppError('invalid', 'body_encoding_broken', msg, { issues: [{ loc: ['body'], msg, type: 'body_encoding_broken' }] });
}
