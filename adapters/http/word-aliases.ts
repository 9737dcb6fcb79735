import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { respelt, type Wording } from './schema-words.ts';

/** Headers whose other names tell a client that wants its own spelling. */
const TELLING_HEADERS: readonly string[] = ['service-api-key', 'x-service-sdk'];

/**
 * Second spellings of the words of the interface, for a deployment with clients that know these: alias to word. An
 * alias that begins with `_` is that of an ending of preset names.
 *
 * Requests may use either spelling everywhere. Replies use the alias for requests that come by an aliased path or with
 * an aliased header; nothing is stored under an alias.
 */
export class WordAliases {
  readonly #words: ReadonlyMap<string, string>;
  readonly #headers: readonly string[];
  readonly #inward: Wording;
  readonly #outward: Wording;

  /** `headers`: names that stand for telling headers besides those among the aliases. `presetNames`: those of all presets. */
  constructor(aliases: Readonly<Record<string, string>>, headers: readonly string[] = [], presetNames: readonly string[] = []) {
    const pairs = Object.entries(aliases);
    const suffixes = pairs.filter(([alias]) => alias.startsWith('_'));
    const words = pairs.filter(([alias]) => !alias.startsWith('_'));
    const presets = presetAliases(suffixes, presetNames);
    this.#words = new Map(words);
    const telling = words.filter(([, word]) => TELLING_HEADERS.includes(word.toLowerCase())).map(([alias]) => alias);
    this.#headers = pairs.length === 0 ? [] : [...telling, ...headers].map((name) => name.toLowerCase());
    this.#inward = wordingOf('in', words, presets);
    this.#outward = wordingOf('out', turned(words), turned(presets));
  }

  /** Replaces aliased path segments before routing, and notes whether replies are to be in the client's spelling. */
  readonly handler: RequestHandler = (req, res, next) => {
    if (this.#words.size === 0) return next();
    const [path = '', query] = req.url.split(/\?(.*)/s);
    const segments = path.split('/').map((segment) => this.#words.get(segment) ?? segment);
    const respeltPath = segments.join('/');
    res.locals.usesAliases = respeltPath !== path || this.#isTold(req.headers);
    req.url = respeltPath + (query === undefined ? '' : `?${query}`);
    next();
  };

  /** The value of a request in the words of its schema. */
  inward(schema: z.ZodType, value: unknown): unknown {
    return this.#isEmpty ? value : respelt(schema, value, this.#inward);
  }

  /** The value of a reply in the words of whoever asked. */
  outward(schema: z.ZodType, value: unknown, res: Response): unknown {
    return res.locals.usesAliases === true ? respelt(schema, value, this.#outward) : value;
  }

  get #isEmpty(): boolean {
    return this.#words.size === 0;
  }

  #isTold(headers: IncomingHttpHeaders): boolean {
    return this.#headers.some((name) => headers[name] !== undefined);
  }
}

type Pairs = readonly (readonly [alias: string, word: string])[];

/** Of several aliases of a word the first one is used. */
const turned = (pairs: Pairs): Pairs => pairs.map(([alias, word]) => [word, alias] as const).toReversed();

function wordingOf(direction: Wording['direction'], words: Pairs, presets: Pairs): Wording {
  const [byWord, byPreset] = [new Map(words), new Map(presets)];
  const aliases = Map.groupBy(words, ([, word]) => word);
  const spellings = (word: string): readonly string[] => (aliases.get(word) ?? []).map(([alias]) => alias);
  return { direction, word: (text) => byWord.get(text), presetName: (text) => byPreset.get(text), spellings };
}

/** Names of presets, and of no other scorers: those are data. */
const presetAliases = (suffixes: Pairs, names: readonly string[]): Pairs =>
  suffixes.flatMap(([alias, word]) =>
    names.filter((name) => name.endsWith(word)).map((name) => [name.slice(0, -word.length) + alias, name] as const),
  );
