import type { Dialect, DialectFields, Source, Sources } from '../dialect.ts';
import type { SpanReader } from '../spans/span-reader.ts';
import { aiSdk } from './ai-sdk.ts';
import { genAi } from './gen-ai.ts';
import { langfuse } from './langfuse.ts';
import { mlflow } from './mlflow.ts';
import { openinference } from './openinference.ts';
import { openllmetry } from './openllmetry.ts';
import { ourOwn } from './our-own.ts';
import { plain } from './plain.ts';

export const DIALECTS: readonly Dialect[] = [ourOwn, langfuse, genAi, openinference, openllmetry, aiSdk, mlflow, plain];

type Field = keyof DialectFields;
const ordered = new Map<Field, readonly Source<unknown>[]>();
for (const field of new Set(DIALECTS.flatMap(({ sources }) => Object.keys(sources) as Field[])))
  ordered.set(field, toSources(field));

/** The sources of a field in all dialects, the first to be asked first. */
export function toSources<F extends Field>(field: F): readonly Source<DialectFields[F]>[] {
  const all = DIALECTS.flatMap(({ sources }) => (sources[field] ?? []) as NonNullable<Sources[F]>);
  return all.toSorted((a, b) => a.rank - b.rank);
}

/**
 * What the first source that has this field says. Later sources that say the very same count as used too: nothing is
 * lost when they are not kept.
 */
export function pick<F extends Field>(reader: SpanReader, field: F): DialectFields[F] | undefined {
  let found: DialectFields[F] | undefined;
  for (const { read } of (ordered.get(field) ?? []) as readonly Source<DialectFields[F]>[]) {
    if (found === undefined) found = reader.attempt(read);
    else if (typeof found !== 'object') reader.attempt(() => (read(reader) === found ? found : undefined));
  }
  return found;
}

/** What every source has to say, for a field that adds up. */
export const pickAll = <F extends Field>(reader: SpanReader, field: F): DialectFields[F][] =>
  ((ordered.get(field) ?? []) as readonly Source<DialectFields[F]>[])
    .map(({ read }) => reader.attempt(read))
    .filter((found) => found !== undefined);
