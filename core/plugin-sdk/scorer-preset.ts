import type { InputType } from './input-type.ts';
import type { OutputType } from './output-type.ts';

/** A scorer that exists from the first start, as its kind brings it along. */
export interface ScorerPreset {
  /** Name among the presets of all kinds; never changed once released. */
  readonly name: string;
  /** The name to show. Clients may look presets up by it, letter for letter. */
  readonly label: string;
  /** One sentence. */
  readonly description: string;
  /** Tags: the bundle for a kind of application, or the subject. */
  readonly tags: readonly string[];
  /** A definition of the kind. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** Fields of the definition that are the text of a file of the plugin, read when the service starts. */
  readonly files?: Readonly<Record<string, URL>>;
  readonly output_type: OutputType;
  readonly input_type: InputType | null;
  readonly scoreable_node_types: readonly string[];
  readonly ground_truth: boolean;
  readonly required_scorers: readonly string[] | null;
}
