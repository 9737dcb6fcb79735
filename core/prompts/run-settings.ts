import { z } from 'zod';
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { JsonObject } from '../kernel/json.ts';
import { cleanText } from '../kernel/text.ts';

/** The model of a prompt that names none. */
export const DEFAULT_MODEL = 'gpt-5.1';

const number = z.number().nullish();
const word = cleanText(1, 255).nullish();

/** How a model is asked. Only what is given is kept and sent: models refuse settings that they do not know. */
export const RunSettings = z
  .object({
    model_alias: word,
    temperature: z.number().min(0).nullish(),
    max_tokens: z.int().min(1).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    top_k: z.int().min(0).nullish(),
    frequency_penalty: number,
    presence_penalty: number,
    seed: z.int().nullish(),
    n: z.int().min(1).nullish(),
    echo: z.boolean().nullish(),
    logprobs: z.boolean().nullish(),
    top_logprobs: z.int().min(0).nullish(),
    reasoning_effort: word,
    verbosity: word,
    deployment_name: word,
    stop_sequences: z.array(z.string().max(1000)).max(100).nullish(),
    tools: z.array(z.looseObject({})).max(128).nullish(),
    tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]).nullish(),
    response_format: z.looseObject({}).nullish(),
    known_models: z.array(z.looseObject({})).max(1000).nullish(),
  })
  .meta({ id: 'NewRunSettings' });
export type RunSettings = z.output<typeof RunSettings>;

/** As they are kept and shown: without what was not given. */
export const StoredSettings = z
  .looseObject({ model_alias: z.string().optional() })
  .meta({ id: 'RunSettings', description: 'Settings of a model call, as far as they were given.' });

const UNKEPT = ['known_models'];

export const givenSettings = (settings: RunSettings | null | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(settings ?? {}).filter(([name, value]) => value !== null && value !== undefined && !UNKEPT.includes(name)),
  ) as JsonObject;

export const getModel = (settings: JsonObject): string =>
  typeof settings.model_alias === 'string' ? settings.model_alias : DEFAULT_MODEL;

/** Whether anything but the model differs. */
export function haveChanged({ model_alias: _a, ...before }: JsonObject, { model_alias: _b, ...after }: JsonObject): boolean {
  return canonicalJson(before) !== canonicalJson(after);
}
