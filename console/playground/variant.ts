import type { JsonObject, JsonValue } from '../../core/kernel/json.ts';
import { newId } from '../kit/new-id.ts';
import { parsePrompt, promptText } from '../prompts/prompts.ts';

/** A prompt that is tried, as it is typed. */
export interface Variant {
  readonly key: string;
  readonly text: string;
  readonly model: string;
  readonly temperature: string;
  /** JSON text: a list of tools. */
  readonly tools: string;
  /** JSON text. */
  readonly response_format: string;
  /** The settings without a field of their own, as they were found: sent, and saved, along. */
  readonly others: JsonObject;
}

export const MAX_VARIANTS = 6;

export const newVariant = (text = '', model = ''): Variant => toVariant(text, model === '' ? {} : { model_alias: model });

/** A prompt with its settings. */
export function toVariant(text: string, { model_alias, temperature, tools, response_format, ...others }: JsonObject): Variant {
  return {
    key: newId(),
    text,
    model: typeof model_alias === 'string' ? model_alias : '',
    temperature: typeof temperature === 'number' ? String(temperature) : '',
    tools: toJsonText(tools),
    response_format: toJsonText(response_format),
    others,
  };
}

/** A logged call of a model, as far as the playground takes it over. */
export interface LoggedCall {
  readonly input: JsonValue;
  readonly model?: string | null;
  readonly temperature?: number | null;
  readonly tools?: readonly JsonValue[] | null;
}

/** A logged call, with all of its messages, those of tools among them. */
export function toCallVariant({ input, model = null, temperature = null, tools = null }: LoggedCall): Variant {
  const messages = Array.isArray(input) || typeof input === 'string' ? input : [input];
  const offered = tools && tools.length > 0 ? tools : null;
  return toVariant(promptText(messages as Parameters<typeof promptText>[0]), {
    model_alias: model,
    temperature,
    tools: offered as JsonValue,
  });
}

/** Another variant that begins where this one stands. */
export const copyVariant = (variant: Variant): Variant => ({ ...variant, key: newId() });

/** A variant as the API takes it. Throws an Error that says what is missing. */
export function toRequest({ text, model, temperature, tools, response_format, others }: Variant) {
  if (text.trim() === '') throw new Error('A variant has no prompt text.');
  const heat = temperature.trim() === '' ? undefined : Number(temperature);
  if (Number.isNaN(heat)) throw new Error(`"${temperature}" is not a number`);
  const settings = {
    ...others,
    model_alias: model.trim() || undefined,
    temperature: heat,
    tools: parseTyped('Tools', tools),
    response_format: parseTyped('Response format', response_format),
  };
  return { template: parsePrompt(text), settings };
}

const toJsonText = (value: JsonValue | undefined): string =>
  value === undefined || value === null ? '' : JSON.stringify(value, null, 2);

function parseTyped(label: string, text: string): JsonValue | undefined {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new Error(`${label}: not valid JSON`);
  }
}
