import type { StoredScorerVersion } from '../../core/scorers/versions/scorer-version.ts';
import type { Juror } from './juror-lines.ts';

/** The question to a judge. */
export interface ChainPollTemplate {
  readonly template: string;
  readonly metric_system_prompt: string | null;
  readonly metric_description: string | null;
  readonly value_field_name: string;
  readonly explanation_field_name: string;
  readonly metric_few_shot_examples: readonly object[];
  readonly response_schema: object | null;
}

/** Fields of versions that belong to the kinds of the repository, as their plugins declare them: each null in versions of other kinds. */
interface BuiltInFields {
  readonly generated_scorer?: {
    readonly instructions: string | null;
    readonly user_prompt: string | null;
    readonly scorer_configuration: {
      readonly model_alias: string;
      readonly num_judges: number;
      readonly output_type: string;
      readonly cot_enabled: boolean;
      readonly jurors: readonly Juror[] | null;
      readonly include_files: boolean;
    };
  } | null;
  readonly registered_scorer?: { readonly data_type: string | null } | null;
  /** Of a program. */
  readonly code_language?: string | null;
  readonly finetuned_scorer?: {
    readonly prompt: string;
    readonly lora_task_id: number;
    readonly lora_weights_path: string | null;
    readonly executor: string | null;
  } | null;
  readonly chain_poll_template?: ChainPollTemplate | null;
}

/** Kinds that are known here have editors and words of their own; all others are shown by their `definition`. */
export const asBuiltIn = (version: StoredScorerVersion | null | undefined): BuiltInFields => (version ?? {}) as BuiltInFields;
