import type { DialectFields } from '../../plugin-sdk/otel/index.ts';
import type { TrackingSpanReader } from '../spans/span-reader.ts';

export type Field = keyof DialectFields;

/** A source that may read more of a span than those of plugins: what is addressed to the service itself. */
export interface OwnSource<T> {
  readonly rank: number;
  readonly read: (reader: TrackingSpanReader) => T | undefined;
  /** As in `Source`. */
  readonly needs?: string;
}

/** The sources of each field. */
export type Vocabulary = { readonly [F in Field]?: readonly OwnSource<unknown>[] };

/** Checks the types of a vocabulary of the service itself. */
export const vocabulary = (sources: { readonly [F in Field]?: readonly OwnSource<DialectFields[F]>[] }): Vocabulary => sources;

/** The sources of each field in several vocabularies, by rank; of equal ones in the order given. */
export function toSources(vocabularies: readonly Vocabulary[]): ReadonlyMap<Field, readonly OwnSource<unknown>[]> {
  const fields = new Set(vocabularies.flatMap((one) => Object.keys(one) as Field[]));
  return new Map(
    [...fields].map((field) => {
      const all = vocabularies.flatMap((one) => one[field] ?? []);
      return [field, all.toSorted((a, b) => a.rank - b.rank)] as const;
    }),
  );
}
