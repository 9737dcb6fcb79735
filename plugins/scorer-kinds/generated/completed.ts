import { type ScorerFacts, type SentDefinition, z } from '../../../core/plugin-sdk/index.ts';
import { present } from '../present.ts';

/** The definition of a judge, with the settings of its scorer where it names none, and its question where it asks none. */
export function completed(sent: SentDefinition, scorer: ScorerFacts): SentDefinition {
  const asks = sent.chain_poll_template ?? sent.user_prompt ?? sent.instructions;
  const question = asks ? {} : present({ user_prompt: scorer.user_prompt });
  return { ...toSettings(scorer), ...question, ...sent, ...toPanel(sent.jurors) };
}

/** A jury is listed under the model of its first juror, as a panel of as many judges as it has jurors. */
function toPanel(sent: unknown): SentDefinition {
  const { data } = z
    .array(z.looseObject({ model_name: z.string() }))
    .min(1)
    .safeParse(sent);
  return data ? { model_name: data[0]!.model_name, num_judges: data.length } : {};
}

function toSettings({ defaults, output_type, input_type, ground_truth }: ScorerFacts): SentDefinition {
  const { model_name, num_judges, cot_enabled } = defaults;
  const types = { output_type: defaults.output_type ?? output_type, input_type: defaults.input_type ?? input_type };
  return present({ ...types, ground_truth, model_name, num_judges, cot_enabled });
}
