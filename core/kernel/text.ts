import { z } from 'zod';

/** Names, ids, e-mails and tags are single-line facts that people and indexes handle: no NUL, no lone surrogates. */
export const isCleanText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** A text without NUL and lone surrogates. Lengths count code points. */
export const cleanText = (min: number, max: number) =>
  z.string().min(min).max(max).refine(isCleanText, { message: 'contains a NUL or a lone surrogate' });

/** A name of 1 to 255 characters, not all blank. */
export const Name = cleanText(1, 255).refine((name) => name.trim().length > 0, { message: 'is blank' });

/**
 * Any UUID-shaped id, in lower case from here on, so that texts compare as ids do. The version digit is not looked at,
 * because clients bring ids of every version.
 */
export const Id = z.guid().toLowerCase();
