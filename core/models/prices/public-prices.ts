import { z } from 'zod';
import type { ModelNameHint } from './model-names.ts';

/** How a row knows the names of its model. */
type Match =
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string }
  | { readonly or: readonly Match[] }
  | { readonly and: readonly Match[] };

const Match: z.ZodType<Match> = z.lazy(() =>
  z.union([
    z.strictObject({ equals: z.string() }),
    z.strictObject({ starts_with: z.string() }),
    z.strictObject({ ends_with: z.string() }),
    z.strictObject({ contains: z.string() }),
    z.strictObject({ regex: z.string() }),
    z.strictObject({ or: z.array(Match) }),
    z.strictObject({ and: z.array(Match) }),
  ]),
);

const perMillion = z.number().min(0);
const PublicPrice = z.strictObject({
  /** The first day, UTC; absent for the first price there was. */
  from: z.iso.date().optional(),
  input: perMillion,
  cached_input: perMillion.optional(),
  cache_write: perMillion.optional(),
  output: perMillion,
});
/** US dollars per million tokens, from one day on. */
export type PublicPrice = z.output<typeof PublicPrice>;

export const PublicPriceList = z.object({
  /** Where it was taken from. */
  source: z.string(),
  /** In the order in which they are asked for a name alone. */
  providers: z.array(
    z.object({ id: z.string(), models: z.array(z.object({ match: Match, prices: z.array(PublicPrice).min(1) })) }),
  ),
});
export type PublicPriceList = z.output<typeof PublicPriceList>;

interface Model {
  readonly matches: (name: string) => boolean;
  readonly prices: readonly PublicPrice[];
}

/** A list of prices of all the usual providers that others keep. */
export class PublicPrices {
  readonly #models: ReadonlyMap<string, readonly Model[]>;

  constructor({ providers }: PublicPriceList) {
    this.#models = new Map(
      providers.map(({ id, models }) => [id, models.map(({ match, prices }) => ({ matches: toTest(match), prices }))]),
    );
  }

  /** The price of a model on a day, by the first of its names that a provider knows; the provider that a name tells is asked first. */
  find(names: readonly ModelNameHint[], day: string): PublicPrice | undefined {
    for (const { model, provider } of names) {
      const name = model.toLowerCase();
      const told = provider === undefined ? [] : (this.#models.get(provider) ?? []);
      for (const models of [told, ...this.#models.values()]) {
        const price = models
          .find(({ matches }) => matches(name))
          ?.prices.findLast(({ from }) => from === undefined || from <= day);
        if (price) return price;
      }
    }
    return undefined;
  }
}

function toTest(match: Match): (name: string) => boolean {
  if ('or' in match) return anyOf(match.or.map(toTest));
  if ('and' in match) return allOf(match.and.map(toTest));
  if ('regex' in match) {
    const pattern = new RegExp(match.regex, 'i');
    return (name) => pattern.test(name);
  }
  const [[kind, given]] = Object.entries(match) as [[string, string]];
  const text = given.toLowerCase();
  if (kind === 'starts_with') return (name) => name.startsWith(text);
  if (kind === 'ends_with') return (name) => name.endsWith(text);
  if (kind === 'contains') return (name) => name.includes(text);
  return (name) => name === text;
}

type Test = (name: string) => boolean;
const anyOf =
  (tests: readonly Test[]): Test =>
  (name) =>
    tests.some((test) => test(name));
const allOf =
  (tests: readonly Test[]): Test =>
  (name) =>
    tests.every((test) => test(name));
