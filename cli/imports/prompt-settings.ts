import type { JsonObject, JsonValue } from '../../core/kernel/json.ts';
import { RunSettings } from '../../core/prompts/run-settings.ts';

/** Other spellings of settings of a model call. */
const SPELLINGS: Readonly<Record<string, string>> = {
  model: 'model_alias',
  model_name: 'model_alias',
  modelName: 'model_alias',
  maxTokens: 'max_tokens',
  max_completion_tokens: 'max_tokens',
  max_output_tokens: 'max_tokens',
  topP: 'top_p',
  topK: 'top_k',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  stop: 'stop_sequences',
  stopSequences: 'stop_sequences',
  toolChoice: 'tool_choice',
  responseFormat: 'response_format',
};
const KNOWN = RunSettings.shape as Readonly<Record<string, { safeParse(value: unknown): { readonly success: boolean } }>>;

/** Settings of a prompt: how its model is asked, as far as templates have one for it. */
export function toPromptSettings(config: JsonObject, leaveOut: (what: string) => void): JsonObject {
  const settings: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries<JsonValue>(config)) {
    if (value === null) continue;
    const setting = SPELLINGS[name] ?? name;
    const given = setting === 'stop_sequences' && typeof value === 'string' ? [value] : value;
    if (Object.hasOwn(KNOWN, setting) && KNOWN[setting]!.safeParse(given).success) settings[setting] = given;
    else leaveOut(`setting ${name} of a prompt`);
  }
  return settings;
}
