import { PluginRegistry } from '../../kernel/plugin-registry.ts';
import type { OtelDialectPlugin } from '../../plugin-sdk/otel/index.ts';
import { withinJsonBudget } from '../../plugin-sdk/otel/json-budget.ts';
import type { OtlpSpan } from '../spans/otlp-span.ts';
import { type ReportFault, toGuardedSources } from './guarded-source.ts';
import { ourOwn } from './our-own.ts';
import { plain } from './plain.ts';
import { Recognizer } from './recognizer.ts';
import { type Field, type OwnSource, toSources, type Vocabulary } from './vocabulary.ts';

/** How spans are read that the same dialects recognise. */
export interface ReadingPlan {
  /** Ids of the dialects. */
  readonly dialects: readonly string[];
  /** Of each field, the first to be asked first. */
  readonly sources: ReadonlyMap<Field, readonly OwnSource<unknown>[]>;
  readonly metadata_prefixes: readonly string[];
  readonly metadata_objects: readonly string[];
}

/** Runs what dialects do in a context of their names. */
export type DialectScope = <T>(dialects: readonly string[], work: () => T) => T;

/** Senders choose what their spans hold, and so how many sets of dialects there are; plans beyond these are made anew each time. */
const MAX_PLANS = 256;

/**
 * The installed dialects. A span is read by those that recognise it, and by the generic mapping, which knows what is addressed to the
 * service itself, and protocols. Who goes first is said by ranks alone; of equal ones the generic mapping does, then the order of `plugins`.
 */
export class Dialects {
  readonly #scope: DialectScope;
  readonly #plugins: readonly (OtelDialectPlugin & { readonly guarded: Vocabulary })[];
  readonly #recognizer: Recognizer;
  readonly #plans = new Map<string, ReadingPlan>();
  readonly #secrets: readonly string[];

  /** Throws an Error that names the plugin when an id is malformed or taken, or the SDK version is not ours. */
  constructor(plugins: readonly OtelDialectPlugin[], report: ReportFault, scope: DialectScope = (_, work) => work()) {
    new PluginRegistry(plugins);
    this.#plugins = plugins.map((plugin) => ({ ...plugin, guarded: toGuardedSources(plugin, report) }));
    this.#recognizer = new Recognizer(plugins.map(({ recognizes }) => recognizes));
    this.#secrets = plugins.flatMap(({ secret_prefixes = [] }) => secret_prefixes);
    this.#scope = scope;
  }

  /** In the order of `plugins`. */
  list(): readonly OtelDialectPlugin[] {
    return this.#plugins;
  }

  /** How a span is to be read. */
  planFor(span: OtlpSpan, scopeName: string): ReadingPlan {
    const found = this.#recognizer.recognize(span, scopeName);
    const places = found.size < 2 ? [...found] : [...found].sort((a, b) => a - b);
    const key = places.join();
    const plan = this.#plans.get(key) ?? this.#toPlan(places);
    if (this.#plans.size < MAX_PLANS) this.#plans.set(key, plan);
    return plan;
  }

  /**
   * Reads a span by a plan, in the context of its dialects; what no dialect has a part in is work of the service. The JSON in its texts
   * has bounds together.
   */
  run<T>({ dialects }: ReadingPlan, work: () => T): T {
    const bounded = (): T => withinJsonBudget(work);
    return dialects.length === 0 ? bounded() : this.#scope(dialects, bounded);
  }

  /** Whether an attribute may hold credentials. Holds for spans of all dialects. */
  isSecret(key: string): boolean {
    return this.#secrets.some((prefix) => key.startsWith(prefix));
  }

  #toPlan(places: readonly number[]): ReadingPlan {
    const plugins = places.map((place) => this.#plugins[place]!);
    return {
      dialects: plugins.map(({ id }) => id),
      sources: toSources([ourOwn, ...plugins.map(({ guarded }) => guarded), plain]),
      metadata_prefixes: plugins.flatMap(({ metadata_prefixes = [] }) => metadata_prefixes),
      metadata_objects: plugins.flatMap(({ metadata_objects = [] }) => metadata_objects),
    };
  }
}
