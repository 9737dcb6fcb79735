import type { Experiment } from '../../core/experiments/experiment.ts';
import { valueText } from '../kit/formatting.ts';
import { toLabel } from '../kit/label.ts';

export interface Setting {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Known settings of an experiment. */
type Made = Pick<Experiment, 'dataset' | 'prompt' | 'prompt_run_settings' | 'tags'>;

/** Lists the settings in which two experiments differ. */
export function differingSettings(baseline: Made, candidate: Made): Setting[] {
  const [before, after] = [toSettings(baseline), toSettings(candidate)];
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .map((name) => ({ name, before: before.get(name) ?? '', after: after.get(name) ?? '' }))
    .filter((one) => one.before !== one.after);
}

function toSettings({ dataset, prompt, prompt_run_settings, tags }: Made): Map<string, string> {
  const settings = new Map<string, string>();
  if (dataset) settings.set('Dataset', `${dataset.name}, version ${dataset.version_index}`);
  if (prompt) settings.set('Prompt', `${prompt.name}, version ${prompt.version_index}`).set('Prompt text', prompt.content);
  for (const [name, value] of Object.entries(prompt_run_settings ?? {})) settings.set(toLabel(name), valueText(value));
  for (const [key, own] of Object.entries(tags)) settings.set(`Tag ${key}`, own.map(({ value }) => value).join(', '));
  return settings;
}
