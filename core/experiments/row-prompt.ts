import type { JsonObject } from '../kernel/json.ts';
import type { CompletionRequest, TextMessage } from '../plugin-sdk/index.ts';
import { toModelConversation } from '../prompts/model-messages.ts';
import { readModelOptions } from '../prompts/model-options.ts';
import { readModelParameters } from '../prompts/model-parameters.ts';
import { type PromptMessage, toPromptMessages } from '../prompts/prompt-text.ts';
import { render, type Values } from '../prompts/render.ts';
import type { UsedPrompt } from './experiment-facts.ts';

/** The messages of a prompt for one row, as they are sent and logged. */
export function promptFor({ content, raw }: Pick<UsedPrompt, 'content' | 'raw'>, values: Values) {
  const { result, missing } = raw ? { result: content, missing: [] } : render(content, values);
  return { messages: toPromptMessages(result), missing };
}

type Question = Omit<CompletionRequest, 'model' | 'signal' | 'labels' | 'messages'> & {
  readonly messages: readonly TextMessage[];
};

/** Throws a PluginError when the prompt holds what cannot be sent: files, or tools of another kind than functions. */
export const toModelQuestion = (messages: readonly PromptMessage[], settings: JsonObject): Question => ({
  ...toModelConversation(messages),
  ...readModelParameters(settings),
  ...readModelOptions(settings),
});
