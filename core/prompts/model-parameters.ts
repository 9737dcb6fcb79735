import type { JsonObject } from '../kernel/json.ts';
import type { CompletionRequest, ModelParameter } from '../plugin-sdk/index.ts';

type Parameters = Pick<CompletionRequest, ModelParameter | 'max_tokens' | 'required'>;

/** The setting of a prompt that holds a parameter, where it is called otherwise. */
const SETTINGS: readonly (readonly [parameter: ModelParameter | 'max_tokens', setting: string, type: 'number' | 'string'])[] = [
  ['max_tokens', 'max_tokens', 'number'],
  ['temperature', 'temperature', 'number'],
  ['top_p', 'top_p', 'number'],
  ['top_k', 'top_k', 'number'],
  ['frequency_penalty', 'frequency_penalty', 'number'],
  ['presence_penalty', 'presence_penalty', 'number'],
  ['seed', 'seed', 'number'],
  ['reasoning_effort', 'reasoning_effort', 'string'],
  ['verbosity', 'verbosity', 'string'],
];

/**
 * Values that clients of the interface give on their own when nobody chose any. A model that takes no such parameter is asked without it; any other value
 * was somebody's wish.
 */
const DEFAULTS: Readonly<Partial<Record<ModelParameter, number | string>>> = {
  temperature: 1,
  top_p: 1,
  top_k: 40,
  frequency_penalty: 0,
  presence_penalty: 0,
  reasoning_effort: 'medium',
  verbosity: 'medium',
};

/** Parameters of a prompt's settings as providers are asked, with those that a call must not go without. */
export function readModelParameters(settings: JsonObject): Parameters {
  const { stop_sequences } = settings;
  const given = SETTINGS.filter(([, setting, type]) => typeof settings[setting] === type);
  const parameters: Parameters = {
    ...Object.fromEntries(given.map(([parameter, setting]) => [parameter, settings[setting]])),
    ...(Array.isArray(stop_sequences) && stop_sequences.length > 0 && { stop: stop_sequences.map(String) }),
  };
  const required = (Object.keys(parameters) as (keyof typeof parameters)[]).filter(
    (name): name is ModelParameter => name !== 'max_tokens' && name !== 'required' && parameters[name] !== DEFAULTS[name],
  );
  return { ...parameters, ...(required.length > 0 && { required }) };
}

/** The parameters that were sent, by name: those of the settings without those that were left out. */
export function toSentParameters(settings: JsonObject, left_out: readonly ModelParameter[] = []): JsonObject {
  const { required: _required, ...parameters } = readModelParameters(settings);
  const sent = Object.entries(parameters).filter(([name]) => !left_out.some((one) => one === name));
  return Object.fromEntries(sent) as JsonObject;
}
