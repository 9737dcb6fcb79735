import type { InputType, OutputType } from '../../plugin-sdk/index.ts';
import type { ScorerRecord } from '../scorer.ts';

/** What a preset belongs to; a bundle for a kind of application, or what it is about. */
export type PresetTag = 'rag' | 'agent' | 'conversation' | 'answer' | 'safety' | 'sql' | 'text' | 'operation';

/** A scorer that exists from the first start. */
export interface Preset {
  /** What it is known by; never changed once released. */
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  readonly tags: readonly PresetTag[];
  /** The plugin that runs it. */
  readonly kind: 'generated' | 'registered' | 'finetuned';
  /** What that plugin's schema asks for; of a program without its source. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** File of the program, without its ending; for code. */
  readonly program?: string;
  readonly output_type: OutputType;
  readonly input_type: InputType | null;
  readonly scoreable_node_types: NonNullable<ScorerRecord['scoreable_node_types']>;
  readonly ground_truth: boolean;
  readonly required_scorers: readonly string[] | null;
}
