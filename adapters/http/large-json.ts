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
    for (const [at, item] of value.entries()) yield `${at === 0 ? '[' : ','}${JSON.stringify(item) ?? 'null'}`;
    yield ']';
  } else if (isPlain(value)) yield* partsOfFields(value);
  else yield JSON.stringify(value);
}

/** Fields that hold nothing further go together: there may be hundreds of thousands of them. */
function* partsOfFields(value: object): Generator<string> {
  let text = '';
  let separator = '{';
  for (const [key, inner] of Object.entries(value)) {
    const isLeaf = typeof inner !== 'object' || inner === null;
    const leaf = isLeaf ? JSON.stringify(inner) : '';
    if (leaf === undefined) continue;
    text += `${separator}${JSON.stringify(key)}:${leaf}`;
    separator = ',';
    if (isLeaf && text.length < PIECE) continue;
    yield text;
    text = '';
    if (!isLeaf) yield* toParts(inner);
  }
  yield `${text}${separator === '{' ? '{' : ''}}`;
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);
