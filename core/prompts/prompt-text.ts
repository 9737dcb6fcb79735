import { z } from 'zod';
import type { JsonObject } from '../kernel/json.ts';
import { withDefault } from '../kernel/optional.ts';

const MAX_TEXT = 1_000_000;
const PromptText = z.string().max(MAX_TEXT);

/** A message of a prompt. Roles are free, and what else a message brings stays with it. */
export const PromptMessage = z
  .looseObject({
    role: z.string().min(1).max(255),
    content: z.union([PromptText, z.array(z.looseObject({ type: z.string() })).max(1000)]),
  })
  .meta({ id: 'PromptMessage' });
export type PromptMessage = z.output<typeof PromptMessage>;

/** As it is sent: a message of an assistant that only calls tools has null for its content, or none. */
const NewPromptMessage = PromptMessage.extend({ content: withDefault(PromptMessage.shape.content, '') }).meta({
  id: 'NewPromptMessage',
});

/** Content of a template: one text, which a user sends, or the messages of a conversation. */
export const PromptContent = z.union([PromptText, z.array(NewPromptMessage).min(1).max(1000)]);
export type PromptContent = string | readonly PromptMessage[];

export const toPromptMessages = (content: PromptContent): readonly PromptMessage[] =>
  typeof content === 'string' ? [{ role: 'user', content }] : content;

/** As one text: messages by their JSON. */
export const toPromptText = (content: PromptContent): string => (typeof content === 'string' ? content : JSON.stringify(content));

/** The same content with every text in it changed. Files and tool calls stay as they are. */
export const mapTexts = (content: PromptContent, change: (text: string) => string): PromptContent =>
  typeof content === 'string' ? change(content) : content.map((message) => ({ ...message, content: changed(message, change) }));

function changed({ content }: PromptMessage, change: (text: string) => string): PromptMessage['content'] {
  if (typeof content === 'string') return change(content);
  return content.map((part) => (isText(part) ? { ...part, text: change(part.text) } : part));
}

export const isText = (part: object): part is { type: 'text'; text: string } & JsonObject =>
  'type' in part && part.type === 'text' && 'text' in part && typeof part.text === 'string';

/** Every text of the content, in order. */
export function textsIn(content: PromptContent): string[] {
  const texts: string[] = [];
  mapTexts(content, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}
