import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { PluginError, type TextMessage, type ToolCall } from '../plugin-sdk/index.ts';
import { canonicalRole } from '../traces/message-role.ts';
import { isText, type PromptMessage } from './prompt-text.ts';

/** The conversation of a prompt, as providers are asked. */
export interface ModelConversation {
  readonly system?: string;
  readonly messages: readonly TextMessage[];
}

const SYSTEM = ['system', 'developer'];
const ASSISTANT = ['assistant', 'agent'];

/**
 * Messages of a prompt as a provider takes them, with calls of tools and their results in the forms of OpenAI and Anthropic. Throws
 * a PluginError when the prompt holds what cannot be sent: files, for one.
 */
export function toModelConversation(prompt: readonly PromptMessage[]): ModelConversation {
  const system: string[] = [];
  const messages: TextMessage[] = [];
  const names = new Map<string, string>();
  for (const message of prompt) {
    const role = canonicalRole(message.role);
    if (SYSTEM.includes(role)) system.push(readParts(message).text);
    else messages.push(...toModelMessages(role, message, names));
  }
  // Some providers refuse a conversation in which nobody says anything.
  if (messages.length === 0) return { messages: [{ role: 'user', content: system.join('\n\n') }] };
  return { ...(system.length > 0 && { system: system.join('\n\n') }), messages };
}

/** Usually one message. `names` has the tool of each call so far. */
function toModelMessages(role: string, message: PromptMessage, names: Map<string, string>): TextMessage[] {
  const { text, calls, results } = readParts(message);
  const nameOf = (id: string): string => names.get(id) ?? (typeof message.name === 'string' ? message.name : 'tool');
  if (ASSISTANT.includes(role)) {
    const tool_calls = [...calledIn(message.tool_calls as JsonValue | undefined), ...calls];
    for (const { id, name } of tool_calls) names.set(id, name);
    return [{ role: 'assistant', content: text, ...(tool_calls.length > 0 && { tool_calls }) }];
  }
  const { tool_call_id: id } = message;
  // Without the call that it belongs to it is no result of one.
  if (role === 'tool' && typeof id === 'string')
    return [{ role, content: text || results.map((one) => one.text).join('\n'), tool_call_id: id, tool_name: nameOf(id) }];
  const told = results.map((one) => ({
    role: 'tool' as const,
    content: one.text,
    tool_call_id: one.id,
    tool_name: nameOf(one.id),
  }));
  return text === '' && told.length > 0 ? told : [...told, { role: 'user', content: text }];
}

/** Calls as chat completions have them; one in another form cannot be sent. */
function calledIn(tool_calls: JsonValue | undefined): ToolCall[] {
  if (!Array.isArray(tool_calls)) return [];
  return tool_calls.map((call, at) => {
    const { id, function: called } = Object(call) as { id?: JsonValue; function?: JsonValue };
    const { name, arguments: written } = Object(called) as { name?: JsonValue; arguments?: JsonValue };
    if (typeof name !== 'string') throw new PluginError('unsupported', `call ${at + 1} of a tool in the prompt cannot be sent`);
    return { id: typeof id === 'string' ? id : `call_${at + 1}`, name, arguments: toJsonText(written) };
  });
}

interface Parts {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly results: readonly { readonly id: string; readonly text: string }[];
}

function readParts({ content }: PromptMessage): Parts {
  if (typeof content === 'string') return { text: content, calls: [], results: [] };
  const texts: string[] = [];
  const calls: ToolCall[] = [];
  const results: { id: string; text: string }[] = [];
  for (const part of content as readonly ({ type: string } & JsonObject)[]) {
    const { id, name, input, tool_use_id } = part;
    if (isText(part)) texts.push(part.text);
    else if (part.type === 'tool_use' && typeof id === 'string' && typeof name === 'string')
      calls.push({ id, name, arguments: toJsonText(input) });
    else if (part.type === 'tool_result' && typeof tool_use_id === 'string')
      results.push({ id: tool_use_id, text: toResultText(part.content) });
    else throw new PluginError('unsupported', `the prompt has a part of type "${part.type}", which cannot be sent`);
  }
  return { text: texts.join('\n'), calls, results };
}

/** A text, or blocks of text; anything else as JSON. */
function toResultText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : JSON.stringify(content);
  return content
    .map((part) => (typeof part === 'object' && part !== null && isText(part) ? part.text : JSON.stringify(part)))
    .join('\n');
}

const toJsonText = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? {}));
