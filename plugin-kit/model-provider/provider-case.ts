import type { Completion, ModelProviderPlugin, OfferedModel, z } from '../../core/plugin-sdk/index.ts';
import type { Fixed } from '../check.ts';

/** A file of `replies/`: the method and URL that are requested, without the query, and the body of the reply. */
export interface Captured {
  readonly asks: string;
  readonly body: unknown;
}

/** A part of the contract that the remote service has no field for. */
export type Lack = 'temperature' | 'max_tokens' | 'top_p' | 'stop' | 'seed' | 'schema' | 'finish_reason' | 'model';

/** Facts that the kit needs to try a model provider. */
export interface ModelProviderCase<S extends z.ZodType> {
  readonly plugin: ModelProviderPlugin<S>;
  /** Settings that the schema accepts. Whatever stands in their secrets must show up nowhere. */
  readonly settings: Fixed<z.input<S>>;
  /** Settings of a second integration, where the kit cannot make them by adding to the secrets of `settings`. */
  readonly otherSettings?: Fixed<z.input<S>>;
  /**
   * The plugin's folder. Its `replies/` hold `answer.json`, `structured.json`, `finish-length.json` (a reply that was cut at the
   * token limit; `finish-<reason>.json` for other reasons) and, where the service is asked for them, `models.json` and
   * `check.json`, besides what is requested on the way, named `token*.json`.
   */
  readonly folder: string;
  readonly model: string;
  /** Completions read from `answer.json`, and from `structured.json`. */
  readonly expected: Completion;
  readonly expectedValue: unknown;
  readonly offered: readonly OfferedModel[];
  /** Of `offered`, the models for scorers that the price list knows nothing of, in order. The kit sees to it that the list is true. */
  readonly unpriced?: readonly string[];
  readonly operatorSettings?: Readonly<Record<string, string>>;
  /** Strings inside of secrets that are none, and may stand in URLs: the id of an account. */
  readonly publicParts?: readonly string[];
  /** Says that the settings hold no secret, on purpose. */
  readonly keyless?: boolean;
  /** Says that the model runs inside the process: no request is made, and there are no `replies/`. */
  readonly inProcess?: boolean;
  /** Fields not to be sent or read, because the remote service does not support them. The kit sees to it that the list is true. */
  readonly lacks?: readonly Lack[];
}
