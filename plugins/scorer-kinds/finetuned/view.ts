import { asPresetName, type ScorerView, z } from '../../../core/plugin-sdk/index.ts';
import { made, toMade } from '../made.ts';
import type { Definition } from './definition.ts';

const short = z.object({
  id: z.string(),
  name: asPresetName(z.string()),
  lora_task_id: z.int(),
  prompt: z.string(),
  lora_weights_path: z.string().nullable(),
  luna_input_type: z.string().nullable(),
  luna_output_type: z.string().nullable(),
  class_name_to_vocab_ix: z.record(z.string(), z.union([z.int(), z.array(z.int())])).nullable(),
  executor: asPresetName(z.string()).nullable(),
});

/** A small model is shown by what it was trained for; nothing of presets. */
export const view: ScorerView<typeof Definition> = {
  fields: { short: z.object({ finetuned_scorer: short }), full: z.object({ finetuned_scorer: short.extend(made) }) },
  show(tuned, version) {
    if (version.is_preset) return {};
    const finetuned_scorer = {
      id: version.id,
      name: version.name,
      lora_task_id: tuned.lora_task_id,
      prompt: tuned.prompt,
      lora_weights_path: tuned.lora_weights_path ?? null,
      luna_input_type: tuned.luna_input_type ?? null,
      luna_output_type: tuned.luna_output_type ?? null,
      class_name_to_vocab_ix: tuned.class_name_to_vocab_ix ?? null,
      executor: tuned.executor ?? null,
      ...toMade(version),
    };
    return { finetuned_scorer };
  },
};
