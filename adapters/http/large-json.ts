import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import { sendStream } from './streamed-reply.ts';

const TYPE = 'application/json; charset=utf-8';
/** Characters that are written without a turn for others: some 5 ms. */
const PIECE = 512 * 1024;
/** A list of fewer items goes as one. */
const FEW = 50;

/**
 * Sends a large reply as JSON, piece by piece: to print tens of megabytes at once would hold up everybody else. Lists in the
 * reply, and those in its lists' items, are taken apart; all else is printed whole.
 */
export async function sendLargeJson(res: Response, reply: unknown): Promise<void> {
  const pieces = piecesOf(reply);
  const { value: first = '' } = pieces.next();
  const { value: second } = pieces.next();
  if (second !== undefined) return sendStream(res, { content_type: TYPE, chunks: withTurns([first, second], pieces) });
  res.status(200).setHeader('Content-Type', TYPE);
  res.setHeader('Content-Length', Buffer.byteLength(first));
  res.end(first);
}

async function* withTurns(begun: readonly string[], rest: Iterable<string>): AsyncGenerator<string> {
  yield* begun;
  for (const piece of rest) {
    await setImmediate();
    yield piece;
  }
}

function* piecesOf(reply: unknown): Generator<string, undefined> {
  let piece = '';
  for (const part of toParts(reply)) {
    piece += part;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function* toParts(value: unknown): Generator<string> {
  if (Array.isArray(value) && value.length >= FEW) {
    for (const [at, item] of value.entries()) yield* withComma(at, JSON.stringify(item) ?? 'null');
    yield value.length > 0 ? ']' : '[]';
    return;
  }
  if (!isPlain(value)) {
    yield JSON.stringify(value);
    return;
  }
  let opener = '{';
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    yield `${opener}${JSON.stringify(key)}:`;
    yield* toParts(inner);
    opener = ',';
  }
  yield opener === '{' ? '{}' : '}';
}

function* withComma(at: number, text: string): Generator<string> {
  yield at === 0 ? '[' : ',';
  yield text;
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);
