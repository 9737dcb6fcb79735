import { newId } from '../kit/new-id.ts';
import { parsePrompt } from '../prompts/prompts.ts';

/** A prompt that is tried, as it is typed. */
export interface Variant {
  readonly key: string;
  readonly text: string;
  readonly model: string;
  readonly temperature: string;
}

export const MAX_VARIANTS = 6;

export const newVariant = (text = '', model = ''): Variant => ({ key: newId(), text, model, temperature: '' });

/** A variant as the API takes it. Throws an Error that says what is missing. */
export function toRequest({ text, model, temperature }: Variant) {
  if (text.trim() === '') throw new Error('A variant has no prompt text.');
  const heat = temperature.trim() === '' ? undefined : Number(temperature);
  if (Number.isNaN(heat)) throw new Error(`"${temperature}" is not a number`);
  return { template: parsePrompt(text), settings: { model_alias: model.trim() || undefined, temperature: heat } };
}
