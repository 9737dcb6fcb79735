import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Price } from '../core/models/prices/price.ts';

/** The operator's own prices. Throws one Error that names the file and every problem of it. */
export function readModelPrices(path: string | undefined): readonly Price[] {
  if (path === undefined) return [];
  const parsed = z.array(Price).safeParse(toContent(path));
  if (!parsed.success) throw new Error(`${path} is not a list of prices:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function toContent(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the prices in ${path} cannot be read: ${why}`, { cause });
  }
}
