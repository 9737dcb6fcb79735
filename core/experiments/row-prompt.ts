import type { JsonObject } from '../kernel/json.ts';
import { type CompletionRequest, type ModelMessage, PluginError } from '../plugin-sdk/index.ts';
import { isText, type PromptMessage, toPromptMessages } from '../prompts/prompt-text.ts';
import { render, type Values } from '../prompts/render.ts';
import { canonicalRole } from '../traces/message-role.ts';
import type { UsedPrompt } from './experiment-facts.ts';

/** The messages of a prompt for one row, as they are sent and logged. */
export function promptFor({ content, raw }: Pick<UsedPrompt, 'content' | 'raw'>, values: Values) {
  const { result, missing } = raw ? { result: content, missing: [] } : render(content, values);
  return { messages: toPromptMessages(result), missing };
}

const SYSTEM = ['system', 'developer'];
const ASSISTANT = ['assistant', 'agent'];

type Question = Omit<CompletionRequest, 'model' | 'signal' | 'labels'>;

/** Throws a PluginError when the prompt holds what cannot be sent: files, or nothing at all. */
export function toModelQuestion(messages: readonly PromptMessage[], settings: JsonObject): Question {
  const said = messages.map((message) => ({ role: canonicalRole(message.role), content: textIn(message) }));
  const system = said.filter(({ role }) => SYSTEM.includes(role)).map(({ content }) => content);
  const others = said
    .filter(({ role }) => !SYSTEM.includes(role))
    .map(({ role, content }): ModelMessage => ({ role: ASSISTANT.includes(role) ? 'assistant' : 'user', content }));
  // Some providers refuse a conversation in which nobody says anything.
  const alone = others.length === 0;
  return {
    messages: alone ? [{ role: 'user', content: system.join('\n\n') }] : others,
    ...(!alone && system.length > 0 && { system: system.join('\n\n') }),
    ...(typeof settings.max_tokens === 'number' && { max_tokens: settings.max_tokens }),
    ...(typeof settings.temperature === 'number' && { temperature: settings.temperature }),
    ...(typeof settings.top_p === 'number' && { top_p: settings.top_p }),
    ...(Array.isArray(settings.stop_sequences) && { stop: settings.stop_sequences.map(String) }),
  };
}

function textIn({ content }: PromptMessage): string {
  if (typeof content === 'string') return content;
  const texts = content.map((part) => {
    if (isText(part)) return part.text;
    throw new PluginError('unsupported', `the prompt has a part of type "${part.type}", which cannot be sent`);
  });
  return texts.join('\n');
}
