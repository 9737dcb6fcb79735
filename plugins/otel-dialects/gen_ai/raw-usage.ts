import { findFirst, type Source, source, toStructured } from '../../../core/plugin-sdk/index.ts';

/** A count within the provider's own words about the use of tokens, which Logfire hands on whole: `details` are names of the object that holds it. */
export function rawCount(rank: number, details: readonly string[], name: string): Source<number> {
  return source(rank, (reader) => {
    const usage = toStructured(reader.peek('gen_ai.usage.raw') ?? null);
    const count = findFirst(findFirst(usage, ...details), name);
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
  });
}
