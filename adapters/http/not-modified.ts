import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { JsonValue } from '../../core/kernel/json.ts';

/** Of operations that clients ask again and again, for the document. */
export const ETAG_OF_REPLY = { ETag: 'Names what the reply says; sent again in If-None-Match, 304 tells that it is the same.' };
export const IF_NONE_MATCH = {
  'If-None-Match': 'Tags that ETag gave; the reply is 304 without a body when one of them is still right.',
};

/** Names the reply by its content, and ends the response with 304 when the caller has it. Returns the reply as it came. */
export function unlessNotModified<T extends JsonValue | object>(
  reply: T,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  res: Response,
): T {
  const tag = `"${createHash('sha256').update(JSON.stringify(reply)).digest('base64url')}"`;
  res.setHeader('ETag', tag);
  res.setHeader('Cache-Control', 'private, no-cache');
  if (tagsIn(headers['if-none-match']).some((one) => one === '*' || one === tag)) res.status(304).end();
  return reply;
}

const tagsIn = (given: string | string[] | undefined): string[] =>
  [given ?? []]
    .flat()
    .flatMap((list) => list.split(','))
    .map((tag) => tag.trim().replace(/^W\//, ''));
