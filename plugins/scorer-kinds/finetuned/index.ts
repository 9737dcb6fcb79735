import {
  defineScorerKind,
  type JudgeModel,
  PluginError,
  readScoreValue,
  type ScoreOutcome,
  type ScoreValue,
} from '../../../core/plugin-sdk/index.ts';
import { aboutItem } from '../about-item.ts';
import { getSurroundings } from '../material.ts';
import { type Sight, toSights } from '../seen-record.ts';
import { UsageTally } from '../usage-tally.ts';
import { readAnswer } from './answer.ts';
import { Definition } from './definition.ts';
import { FINETUNED_PRESETS } from './presets.ts';
import { getInputType, listWanted, promptFor } from './prompt.ts';
import { view } from './view.ts';

/** Asks a small model, trained for one metric, for its verdict on each record. */
export const finetuned = defineScorerKind({
  id: 'finetuned',
  sdk: 1,
  stability: 'stable',
  label: 'Fine-tuned model',
  summary: 'Asks a small model that was trained for one metric, served with its adapter.',
  model_type: 'slm',
  definition: Definition,
  view,
  presets: FINETUNED_PRESETS,
  trial: { on: [] },
  audit: {},
  run_settings: ['model_name', 'output_type'],
  complete: (sent, { output_type }) => ({ ...(output_type !== null && { output_type }), ...sent }),
  surroundings: (definition) => getSurroundings(getInputType(definition), listWanted(definition)),
  create: (kit, definition) => ({
    async score({ items, signal }) {
      const model = await kit.model(definition.model_name ?? `lora_task_${definition.lora_task_id}`);
      return Promise.all(toSights(items).map((sight, item) => judge(definition, aboutItem(model, item), sight, signal)));
    },
  }),
});

async function judge(definition: Definition, model: JudgeModel, sight: Sight, signal: AbortSignal): Promise<ScoreOutcome> {
  const prompt = promptFor(definition, sight);
  if (typeof prompt === 'string') return { status: 'failed', message: prompt };
  try {
    return await ask(definition, model, prompt, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PluginError) return { status: 'failed', message: error.message };
    throw error;
  }
}

/** A model that answers in words says what the scorer gives in other types, too: "yes", "4", "85%". */
function worded({ output_type }: Definition, value: ScoreValue): ScoreValue {
  if (typeof value !== 'string' || !output_type || output_type === 'freeform') return value;
  const read = readScoreValue(output_type, value, 'score');
  return read.kind === 'value' ? read.value : value;
}

async function ask(
  definition: Definition,
  model: JudgeModel,
  { text, truncated }: { readonly text: string; readonly truncated: boolean },
  signal: AbortSignal,
): Promise<ScoreOutcome> {
  const tally = new UsageTally();
  const completion = await model.ask({
    judge: 0,
    messages: [{ role: 'user', content: text }],
    max_tokens: definition.max_tokens,
    temperature: 0,
    signal,
    accept: (answer) => answer.finish_reason !== 'content_filter' && readAnswer(definition, answer.text) !== undefined,
  });
  tally.add(completion);
  const effort = { ...tally.sum(), truncated };
  if (completion.finish_reason === 'content_filter') return { status: 'failed', message: 'the model refused to judge', effort };
  const value = readAnswer(definition, completion.text);
  if (typeof value === 'number' && definition.output_type === 'boolean')
    return { status: 'success', value: value > 0.5, effort: { ...effort, votes: [{ value }] } };
  if (value !== undefined) return { status: 'success', value: worded(definition, value), effort };
  return { status: 'failed', message: `the answer is no ${definition.luna_output_type} of the scorer's classes`, effort };
}
