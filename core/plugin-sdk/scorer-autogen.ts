import type { CompletionRequest, TextMessage } from './model-provider.ts';
import type { OutputType } from './output-type.ts';

/** Request for a scorer to be written. */
export interface AutogenWish {
  /** Criterion in the words of the author. */
  readonly instructions: string;
  readonly model_name: string;
  readonly output_type: OutputType;
  readonly cot_enabled: boolean;
  readonly scoreable_node_types: readonly string[];
}

/** Scorer that a model has written: checked by the definition of the kind before it is shown. */
export interface WrittenScorer {
  readonly definition: Readonly<Record<string, unknown>>;
  /** The part of it that whoever asked is told; a plain object that JSON can hold. */
  readonly shown: Readonly<Record<string, unknown>>;
}

/** How a model is asked to write a definition from a description in plain words. */
export interface ScorerAutogen {
  /** The host calls the model, and says what was wrong where the answer could not be used. */
  question(
    wish: AutogenWish,
  ): Pick<CompletionRequest, 'system' | 'schema' | 'max_tokens'> & { readonly messages: readonly TextMessage[] };
  /** The definition in an answer; a string says what is wrong with it, for the model. */
  read(text: string, wish: AutogenWish): WrittenScorer | string;
}
