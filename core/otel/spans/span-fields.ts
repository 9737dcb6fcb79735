import type { DialectFields } from '../../plugin-sdk/otel/index.ts';
import type { ReadingPlan } from '../dialects/dialects.ts';
import type { Field, OwnSource } from '../dialects/vocabulary.ts';
import type { OtlpSpan } from './otlp-span.ts';
import type { TrackingSpanReader } from './span-reader.ts';

const NONE: readonly never[] = [];

/** Fields of a span, read by the dialects that recognise it. */
export class SpanFields {
  readonly span: OtlpSpan;
  readonly reader: TrackingSpanReader;
  readonly plan: ReadingPlan;

  constructor(span: OtlpSpan, reader: TrackingSpanReader, plan: ReadingPlan) {
    this.span = span;
    this.reader = reader;
    this.plan = plan;
  }

  /**
   * Returns the value of the first source that has this field. Later sources with the very same value count as used
   * too: nothing is lost when they are not kept. Later sources that say the very same count as used too: nothing is
   * lost when they are not kept.
   */
  pick<F extends Field>(field: F): DialectFields[F] | undefined {
    let found: DialectFields[F] | undefined;
    for (const { read, needs } of this.#sources(field)) {
      if (needs !== undefined && !this.span.attributes.has(needs)) continue;
      if (found === undefined) found = this.reader.attempt(read);
      else if (typeof found !== 'object') this.reader.attempt(() => (read(this.reader) === found ? found : undefined));
    }
    return found;
  }

  /** The same, using nothing. */
  glance<F extends Field>(field: F): DialectFields[F] | undefined {
    return this.reader.glance(() => this.pick(field));
  }

  /** Returns the values of all sources, for a field that adds up. */
  pickAll<F extends Field>(field: F): DialectFields[F][] {
    return this.#sources(field)
      .map(({ read }) => this.reader.attempt(read))
      .filter((found) => found !== undefined);
  }

  #sources<F extends Field>(field: F): readonly OwnSource<DialectFields[F]>[] {
    return (this.plan.sources.get(field) ?? NONE) as readonly OwnSource<DialectFields[F]>[];
  }
}
